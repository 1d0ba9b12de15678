// A part of a record as JSON, where no other control fits.

import { useState } from 'preact/hooks'
import { CodeEditor } from '../../../editor/editor.js'
import { parseJson } from '../../../parts/controls/json-field.js'
import { type Path, pointerOf } from '../fields/field.js'
import { valueAt } from '../fields/values.js'
import type { RecordDraft } from './record-draft.js'

interface JsonPartProps {
  draft: RecordDraft
  label: string
  path: Path
  /** Undefined for an empty text. */
  onValue: (value: unknown) => void
}

export function JsonPart({ draft: { data, broken, setBroken }, label, path, onValue }: JsonPartProps) {
  const pointer = pointerOf(path)
  const value = valueAt(data, path)
  const [text] = useState(() => broken[pointer] ?? (value === undefined ? '' : JSON.stringify(value, null, 2)))
  const change = (next: string) => {
    if (next.trim() === '') {
      setBroken(pointer, undefined)
      return onValue(undefined)
    }
    const parsed = parseJson(next)
    setBroken(pointer, parsed.problem === undefined ? undefined : next)
    if (parsed.problem === undefined) onValue(parsed.value)
  }
  return (
    <>
      <span class="label">
        {label} <span class="hint">as JSON</span>
      </span>
      <CodeEditor text={text} version={0} label={label} language="json" onChange={change} />
    </>
  )
}
