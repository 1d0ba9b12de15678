// Turns a value into the line that its cell in the table shows.

import { formatTime } from '../../../format.js'
import type { Shape } from '../fields/field.js'
import { isSame } from '../fields/check.js'
import { isShown } from '../fields/values.js'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

export function cellText(shape: Shape, value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = plain(value)
  if (!isShown(shape, value)) return text
  switch (shape.kind) {
    case 'date':
      return day.format(new Date(`${text}T00:00:00Z`))
    case 'time':
      return formatTime(text)
    case 'yes or no':
      return value === true ? 'Yes' : 'No'
    case 'choice':
      return shape.choices.find((choice) => isSame(choice.value, value))?.label ?? text
    case 'list':
      return (value as unknown[]).map((entry) => cellText(shape.of, entry)).join(', ')
    default:
      return text
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
