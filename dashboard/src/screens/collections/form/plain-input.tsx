// The control of one plain value, without its label: a text, number, date, time or choice.

import { useState } from 'preact/hooks'
import { isSame } from '../fields/check.js'
import type { Shape } from '../fields/field.js'
import { numberOf, toInstant, toLocalTime } from '../fields/values.js'

export interface ControlAttributes {
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

interface PlainInputProps {
  shape: Shape
  value: unknown
  /** Undefined for an empty control. */
  onValue: (value: unknown) => void
  attributes: ControlAttributes
}

export function PlainInput({ shape, value, onValue, attributes }: PlainInputProps) {
  const text = typeof value === 'string' ? value : ''
  const emit = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    onValue(currentTarget.value === '' ? undefined : currentTarget.value)
  switch (shape.kind) {
    case 'long text':
      return <textarea {...attributes} rows={5} value={text} onInput={emit} />
    case 'number':
      return <NumberInput value={value} onValue={onValue} attributes={attributes} />
    case 'date':
      // Without a maximum, browsers accept years of six digits, which give no valid date.
      return <input type="date" max="9999-12-31" {...attributes} value={text} onInput={emit} />
    case 'time':
      return (
        <input
          type="datetime-local"
          max="9999-12-31T23:59:59"
          step="any"
          {...attributes}
          value={toLocalTime(text)}
          onInput={(event) => onValue(toInstant(event.currentTarget.value))}
        />
      )
    case 'choice':
      return <ChoiceInput shape={shape} value={value} onValue={onValue} attributes={attributes} />
    default:
      return (
        <input
          type="text"
          inputMode={modeOf(shape)}
          autocomplete="off"
          {...attributes}
          value={text}
          onInput={emit}
          dir="auto"
        />
      )
  }
}

function modeOf(shape: Shape): 'text' | 'email' | 'url' {
  const format = shape.kind === 'text' ? shape.format : undefined
  if (format === 'email') return 'email'
  return format === 'uri' ? 'url' : 'text'
}

type Control = Omit<PlainInputProps, 'shape'>

/** Keeps what is typed as it is, such as `1.0`, as long as it means the value. */
function NumberInput({ value, onValue, attributes }: Control) {
  const written = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const [typed, setTyped] = useState(written)
  const isMeant = typed.trim() === '' ? value === undefined || value === '' : numberOf(typed) === value
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      class="number"
      {...attributes}
      value={isMeant ? typed : written}
      onInput={({ currentTarget: { value: text } }) => {
        setTyped(text)
        onValue(text.trim() === '' ? undefined : numberOf(text))
      }}
    />
  )
}

interface ChoiceInputProps extends Control {
  shape: Extract<Shape, { kind: 'choice' }>
}

/** A value that is none of the choices is shown until another one is chosen. */
function ChoiceInput({ shape: { choices }, value, onValue, attributes }: ChoiceInputProps) {
  const at = choices.findIndex((choice) => isSame(choice.value, value))
  const isForeign = at === -1 && value !== undefined && value !== null
  const foreign = isForeign ? (typeof value === 'string' ? value : JSON.stringify(value)) : ''
  return (
    <select
      {...attributes}
      value={String(at)}
      onChange={({ currentTarget }) => onValue(choices[Number(currentTarget.value)]?.value)}
    >
      <option value="-1">{foreign}</option>
      {choices.map(({ label }, index) => (
        <option key={label} value={String(index)}>
          {label}
        </option>
      ))}
    </select>
  )
}
