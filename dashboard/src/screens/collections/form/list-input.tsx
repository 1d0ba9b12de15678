// The entries of a list: each can be changed, moved and removed, and new ones come at the end.

import { Button } from '../../../parts/controls/button.js'
import { IconButton } from '../../../parts/controls/icon-button.js'
import { type Field, type Path, pointerOf, type Shape } from '../fields/field.js'
import { noValue, valueAt } from '../fields/values.js'
import { useAddedRow } from '../use-added-row.js'
import { PictureInput } from './picture-input.js'
import { PlainInput } from './plain-input.js'
import type { RecordDraft } from './record-draft.js'

interface ListInputProps {
  draft: RecordDraft
  field: Field
  of: Shape
  path: Path
}

export function ListInput({ draft, field, of, path }: ListInputProps) {
  const value = valueAt(draft.data, path)
  const entries = Array.isArray(value) ? (value as unknown[]) : []
  const { list, adds } = useAddedRow(entries.length)
  const add = (at: number) => {
    adds(at)
    put(entries.toSpliced(at, 0, ''))
  }
  const put = (next: readonly unknown[]) => {
    const isNone = next.length === 0 && !field.isRequired
    draft.set(path, isNone ? noValue(field) : next)
  }
  const swap = (at: number, other: number) => put(entries.with(at, entries[other]).with(other, entries[at]))
  return (
    <>
      <ol ref={list} class="entries">
        {entries.map((entry, at) => {
          const name = `${field.label} ${at + 1}`
          const problem = draft.problems[pointerOf([...path, String(at)])]
          const noteId = `${pointerOf([...path, String(at)])}-note`
          const attributes = {
            'aria-label': name,
            'aria-describedby': noteId,
            'aria-invalid': problem !== undefined,
          }
          const change = (next: unknown) => put(entries.with(at, next ?? ''))
          return (
            <li key={at}>
              <div class="entry" onKeyDown={(event) => isEnter(event) && (event.preventDefault(), add(at + 1))}>
                {of.kind === 'picture' ? (
                  <PictureInput site={draft.site} shape={of} value={entry} onValue={change} attributes={attributes} />
                ) : (
                  <PlainInput shape={of} value={entry} onValue={change} attributes={attributes} />
                )}
                <IconButton icon="up" label={`Move ${name} up`} disabled={at === 0} onClick={() => swap(at, at - 1)} />
                <IconButton
                  icon="down"
                  label={`Move ${name} down`}
                  disabled={at === entries.length - 1}
                  onClick={() => swap(at, at + 1)}
                />
                <IconButton icon="close" label={`Remove ${name}`} onClick={() => put(entries.toSpliced(at, 1))} />
              </div>
              <p id={noteId} class="hint wrong" role={problem === undefined ? undefined : 'alert'}>
                {problem}
              </p>
            </li>
          )
        })}
      </ol>
      <Button isSmall icon="add" aria-label={`Add to ${field.label}`} onClick={() => add(entries.length)}>
        Add
      </Button>
    </>
  )
}

/** Enter in the line of an entry begins the next one, instead of saving the record. */
function isEnter({ key, target, isComposing }: KeyboardEvent): boolean {
  return key === 'Enter' && !isComposing && target instanceof HTMLInputElement
}
