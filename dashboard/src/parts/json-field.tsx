// JSON that is checked as it is typed.

import { CodeEditor } from '../editor/editor.js'

export interface ReadJson {
  value?: unknown
  /** What is wrong, in the browser's words. */
  problem?: string
}

export function readJson(text: string): ReadJson {
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
  /** What the service said of it. */
  refusal?: string | undefined
}

export function JsonField({ label, text, onText, refusal }: JsonFieldProps) {
  const problem = text.trim() === '' ? refusal : (readJson(text).problem ?? refusal)
  return (
    <div class="field json">
      <span class="label">{label}</span>
      <CodeEditor text={text} version={0} label={label} language="json" onChange={onText} />
      <p class={problem === undefined ? 'hint' : 'hint wrong'} role="status">
        {problem ?? 'Well formed'}
      </p>
    </div>
  )
}
