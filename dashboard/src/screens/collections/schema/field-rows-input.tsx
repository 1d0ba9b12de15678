// The rows of a collection's fields: each has a name and a kind, and can be moved and removed.

import { useLayoutEffect } from 'preact/hooks'
import { Button } from '../../../parts/controls/button.js'
import { IconButton } from '../../../parts/controls/icon-button.js'
import { useAddedRow } from '../use-added-row.js'
import { ChoicesInput } from './choices-input.js'
import { type FieldRow, KINDS, NEW_ROW } from './field-rows.js'

interface FieldRowsProps {
  rows: readonly FieldRow[]
  problem: { at: number; problem: string } | undefined
  onRows: (rows: readonly FieldRow[]) => void
}

const KIND_WORDS: Readonly<Record<FieldRow['kind'], string>> = {
  text: 'Text',
  'long text': 'Long text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
  'yes or no': 'Yes or no',
  list: 'List',
  picture: 'Picture',
  other: 'As in the JSON Schema',
}

export function FieldRows({ rows, problem, onRows }: FieldRowsProps) {
  const { list, adds } = useAddedRow(rows.length)
  const add = (at: number) => {
    adds(at)
    onRows(rows.toSpliced(at, 0, NEW_ROW))
  }
  useLayoutEffect(() => {
    if (problem) list.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  const put = (at: number, next: Partial<FieldRow>) => onRows(rows.with(at, { ...(rows[at] ?? NEW_ROW), ...next }))
  const swap = (at: number, other: number) =>
    onRows(rows.with(at, rows[other] ?? NEW_ROW).with(other, rows[at] ?? NEW_ROW))
  return (
    <>
      {rows.length === 0 && <p class="hint">Without fields, a record may hold anything.</p>}
      <ol ref={list} class="field-rows">
        {rows.map((row, at) => (
          <Row
            key={at}
            row={row}
            name={row.label.trim() || `field ${at + 1}`}
            problem={problem?.at === at ? problem.problem : undefined}
            onChange={(next) => put(at, next)}
            onEnter={() => add(at + 1)}
            onRemove={() => onRows(rows.toSpliced(at, 1))}
            onUp={at === 0 ? undefined : () => swap(at, at - 1)}
            onDown={at === rows.length - 1 ? undefined : () => swap(at, at + 1)}
          />
        ))}
      </ol>
      <Button icon="add" onClick={() => add(rows.length)}>
        Add a field
      </Button>
    </>
  )
}

interface RowProps {
  row: FieldRow
  name: string
  problem: string | undefined
  onChange: (next: Partial<FieldRow>) => void
  onEnter: () => void
  onRemove: () => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

function Row({ row, name, problem, onChange, onEnter, onRemove, onUp, onDown }: RowProps) {
  const kinds = row.stored?.kind === 'other' ? [...KINDS, 'other' as const] : KINDS
  const isLabelWrong = problem !== undefined && !(row.kind === 'choice' && row.choices.length === 0 && row.label !== '')
  return (
    <li>
      <div class="field-row">
        <input
          type="text"
          autocomplete="off"
          dir="auto"
          aria-label={`Name of ${name}`}
          placeholder="Name"
          value={row.label}
          aria-invalid={isLabelWrong}
          onInput={({ currentTarget }) => onChange({ label: currentTarget.value })}
          onKeyDown={(event) => {
            // Enter begins the next field, instead of saving the collection.
            if (event.key !== 'Enter' || event.isComposing) return
            event.preventDefault()
            onEnter()
          }}
        />
        <select
          aria-label={`Kind of ${name}`}
          value={row.kind}
          onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as FieldRow['kind'] })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_WORDS[kind]}
            </option>
          ))}
        </select>
        <label class="check-line">
          <input
            type="checkbox"
            aria-label={`${name} is required`}
            checked={row.isRequired}
            onChange={({ currentTarget }) => onChange({ isRequired: currentTarget.checked })}
          />
          <span aria-hidden>Required</span>
        </label>
        <span class="moves">
          <IconButton isSmall icon="up" label={`Move ${name} up`} disabled={!onUp} onClick={() => onUp?.()} />
          <IconButton isSmall icon="down" label={`Move ${name} down`} disabled={!onDown} onClick={() => onDown?.()} />
          <IconButton isSmall icon="close" label={`Remove ${name}`} onClick={onRemove} />
        </span>
      </div>
      {row.kind === 'choice' && (
        <ChoicesInput
          name={name}
          choices={row.choices}
          isWrong={problem !== undefined && !isLabelWrong}
          onChoices={(choices) => onChange({ choices })}
        />
      )}
      {problem !== undefined && (
        <p class="hint wrong" role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}
