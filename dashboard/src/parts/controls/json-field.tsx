// A field for JSON, which is parsed while the person types.

import { CodeEditor } from '../../editor/editor.js'

export interface ParsedJson {
  value?: unknown
  /** The browser's message about the first syntax error. */
  problem?: string
}

export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

interface JsonFieldProps {
  label: string
  text: string
  onText: (text: string) => void
  /** The reason why the service refused the value. */
  refusal?: string | undefined
}

export function JsonField({ label, text, onText, refusal }: JsonFieldProps) {
  const isEmpty = text.trim() === ''
  const problem = isEmpty ? refusal : (parseJson(text).problem ?? refusal)
  return (
    <div class="field json">
      <span class="label">{label}</span>
      <CodeEditor text={text} version={0} label={label} language="json" onChange={onText} />
      <p class={problem === undefined ? 'hint' : 'hint wrong'} role="status">
        {problem ?? (isEmpty ? '' : 'Valid JSON')}
      </p>
    </div>
  )
}
