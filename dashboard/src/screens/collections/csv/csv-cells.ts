// Values of records as cells of a table, and back.

import type { Shape } from '../fields/field.js'
import { numberOf } from '../fields/values.js'

/** Spreadsheets compute texts that begin like this. An apostrophe before them makes them texts again. */
const COMPUTED = /^[=+\-@\t\r]/
const MADE_TEXT = /^'(?=[=+\-@\t\r])/

const YES = new Set(['true', 'yes', 'y', '1', 'x'])
const NO = new Set(['false', 'no', 'n', '0'])

export function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every(isPlainEntry)) return asText(value.join('; '))
  return asText(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Returns the value of a cell; undefined for an empty one. A text that is no value of this kind stays as it is. */
export function fromCell(shape: Shape, cell: string): unknown {
  const text = cell.replace(MADE_TEXT, '')
  if (text.trim() === '') return undefined
  switch (shape.kind) {
    case 'number':
      return numberOf(text)
    case 'yes or no':
      return YES.has(text.trim().toLowerCase()) ? true : NO.has(text.trim().toLowerCase()) ? false : text
    case 'choice':
      return choiceOf(shape, text.trim())
    case 'list':
      return entriesOf(text).map((entry) => fromCell(shape.of, entry) ?? '')
    case 'date':
    case 'time':
      return text.trim()
    case 'group':
    case 'json':
      return parsed(text)
    default:
      return text
  }
}

function choiceOf({ choices }: Extract<Shape, { kind: 'choice' }>, text: string): unknown {
  const found = choices.find(({ value, label }) => label === text || JSON.stringify(value) === text || value === text)
  return found === undefined ? text : found.value
}

/** An entry with a semicolon is found again only in JSON. */
function isPlainEntry(entry: unknown): boolean {
  return typeof entry === 'number' || (typeof entry === 'string' && !/[;\n]|^[\s[]|\s$|^$/.test(entry))
}

function entriesOf(text: string): string[] {
  const value = text.trim().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  return text.split(';').map((entry) => entry.trim())
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function asText(text: string): string {
  return COMPUTED.test(text) ? `'${text}` : text
}
