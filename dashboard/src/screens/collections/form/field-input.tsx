// One field of a record's form: its label, its control by its kind, and below it the help or the problem.

import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Segmented } from '../../../parts/controls/segmented.js'
import { isSame } from '../fields/check.js'
import { type Field, type Path, pointerOf, type Shape } from '../fields/field.js'
import { isShown, noValue, valueAt } from '../fields/values.js'
import { JsonPart } from './json-part.js'
import { ListInput } from './list-input.js'
import { PictureInput } from './picture-input.js'
import { PlainInput } from './plain-input.js'
import type { RecordDraft } from './record-draft.js'

export interface FieldInputProps {
  draft: RecordDraft
  field: Field
  path: Path
}

/** A value that the control of its kind cannot show is edited as JSON. */
export function FieldInput({ draft, field, path }: FieldInputProps) {
  const id = useId()
  const value = valueAt(draft.data, path)
  const [isPlain] = useState(() => isShown(field.shape, value))
  const problem = draft.problems[pointerOf(path)]
  const label = labelOf(field)
  const set = (next: unknown) => draft.set(path, next === undefined ? noValue(field) : next)
  const note = <Note id={id} problem={problem} help={field.help} />
  const attributes = {
    id,
    'aria-describedby': `${id}-note`,
    'aria-invalid': problem !== undefined,
    'aria-required': field.isRequired,
  }
  const kind = isPlain ? field.shape.kind : 'json'
  if (kind === 'group' && field.shape.kind === 'group')
    return (
      <Group label={label} note={note}>
        {field.shape.fields.map((inner) => (
          <FieldInput key={inner.name} draft={draft} field={inner} path={[...path, inner.name]} />
        ))}
      </Group>
    )
  if (kind === 'list' && field.shape.kind === 'list')
    return (
      <Group label={label} note={note}>
        <ListInput draft={draft} field={field} of={field.shape.of} path={path} />
      </Group>
    )
  if (kind === 'json')
    return (
      <div class="field part">
        <JsonPart draft={draft} label={label} path={path} onValue={set} />
        {note}
      </div>
    )
  if (kind === 'yes or no')
    return (
      <div class="field">
        <label class="check-line">
          <input
            type="checkbox"
            {...attributes}
            checked={value === true}
            onChange={({ currentTarget }) => set(currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
        {note}
      </div>
    )
  if (field.shape.kind === 'choice' && areFew(field.shape, value))
    return (
      <div class="field">
        <FewChoices label={label} field={field} shape={field.shape} value={value} onValue={set} />
        {note}
      </div>
    )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {field.shape.kind === 'picture' ? (
        <PictureInput site={draft.site} shape={field.shape} value={value} onValue={set} attributes={attributes} />
      ) : (
        <PlainInput shape={field.shape} value={value} onValue={set} attributes={attributes} />
      )}
      {note}
    </div>
  )
}

function labelOf({ label, isRequired }: Field): string {
  return isRequired ? `${label} (required)` : label
}

function Note({ id, problem, help }: { id: string; problem: string | undefined; help: string | undefined }) {
  const isWrong = problem !== undefined
  return (
    <p id={`${id}-note`} class={isWrong ? 'hint wrong' : 'hint'} role={isWrong ? 'alert' : undefined}>
      {problem ?? help}
    </p>
  )
}

function Group({ label, note, children }: { label: string; note: ComponentChildren; children: ComponentChildren }) {
  return (
    <fieldset class="group">
      <legend>{label}</legend>
      {note}
      <div>{children}</div>
    </fieldset>
  )
}

type Choice = Extract<Shape, { kind: 'choice' }>

const MAX_SEGMENTS = 4
const MAX_SEGMENT_CHARACTERS = 32

/** Whether all choices fit side by side. */
function areFew({ choices }: Choice, value: unknown): boolean {
  const isKnown = value === undefined || value === null || choices.some((choice) => isSame(choice.value, value))
  const isShort = choices.map(({ label }) => label).join('').length <= MAX_SEGMENT_CHARACTERS
  return isKnown && isShort && choices.length <= MAX_SEGMENTS
}

interface FewChoicesProps {
  label: string
  field: Field
  shape: Choice
  value: unknown
  onValue: (value: unknown) => void
}

function FewChoices({ label, field, shape: { choices }, value, onValue }: FewChoicesProps) {
  const at = choices.findIndex((choice) => isSame(choice.value, value))
  const none = field.isRequired ? [] : ['-1']
  return (
    <Segmented
      label={label}
      value={String(at)}
      from={[...choices.map((_, index) => String(index)), ...none]}
      labelOf={(index) => choices[Number(index)]?.label ?? 'none'}
      onChoose={(index) => onValue(choices[Number(index)]?.value)}
    />
  )
}
