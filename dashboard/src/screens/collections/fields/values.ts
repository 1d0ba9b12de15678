// Values of a record: reading and changing them at a place, and turning them into what an input shows and back.

import { type Field, isObject, type JsonObject, type Path, type Shape } from './field.js'

/** A number of JSON (RFC 8259 §6), with a sign and zeros as people write them. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
/** More digits than these may be rounded. */
const MAX_DIGITS = 15

export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, name) => {
    if (Array.isArray(parent)) return parent[Number(name)] as unknown
    return isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined
  }, data)
}

/**
 * Returns the record with another value at a place; undefined removes it. Makes the objects that lead to it. An object that this leaves
 * empty is removed too, but the record itself stays.
 */
export function withValueAt(data: JsonObject, path: Path, value: unknown): JsonObject {
  const [name = '', ...rest] = path
  if (rest.length === 0) return withMember(data, name, value)
  const inner = data[name]
  if (Array.isArray(inner)) {
    const at = Number(rest[0])
    return { ...data, [name]: inner.map((entry: unknown, index) => (index === at ? value : entry)) }
  }
  const next = withValueAt(isObject(inner) ? inner : {}, rest, value)
  const isEmptied = value === undefined && Object.keys(next).length === 0
  return withMember(data, name, isEmptied ? undefined : next)
}

function withMember(data: JsonObject, name: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...data, [name]: value }
  const { [name]: _, ...others } = data
  return others
}

/** Returns the record that a form begins with. */
export function newRecord(fields: readonly Field[]): JsonObject {
  const entries = fields.map(({ name, preset, isRequired, shape }) => [name, preset ?? firstValue(shape, isRequired)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject
}

/** A box that nobody has ticked says no. A group has the values of its fields. */
function firstValue(shape: Shape, isRequired: boolean): unknown {
  if (shape.kind === 'yes or no') return isRequired ? false : undefined
  if (shape.kind === 'list') return isRequired ? [] : undefined
  if (shape.kind !== 'group') return undefined
  const inner = newRecord(shape.fields)
  return isRequired || Object.keys(inner).length > 0 ? inner : undefined
}

/** Whether an input of this kind can show the value. A text in place of a number or date can be corrected there. */
export function isShown(shape: Shape, value: unknown): boolean {
  if (value === undefined || value === null) return true
  switch (shape.kind) {
    case 'text':
    case 'long text':
    case 'picture':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' || typeof value === 'string'
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
    case 'time':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value)) && /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(value)
    case 'yes or no':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value) && value.every((entry) => entry !== null && isShown(shape.of, entry))
    case 'group':
      return isObject(value)
    default:
      return true
  }
}

/** Returns the number that a person wrote; the text itself if it is none. */
export function numberOf(text: string): number | string {
  const plain = text.trim()
  if (!NUMBER.test(plain)) return text
  const digits = plain
    .replace(/[eE].*$/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
  const value = Number(plain)
  return digits.length > MAX_DIGITS || !Number.isFinite(value) ? text : value
}

/** Returns a time as `<input type="datetime-local">` has it: in the time zone of the person. */
export function toLocalTime(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const seconds = date.getSeconds() === 0 ? '' : `:${two(date.getSeconds())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}${seconds}`
}

/** Returns the instant of such a local time. */
export function toInstant(local: string): string | undefined {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z')
}

/** Returns what stands for no value in this field: null where the schema asks for a value and takes null. */
export function noValue({ isNullable, isRequired }: Pick<Field, 'isNullable' | 'isRequired'>): null | undefined {
  return isNullable && isRequired ? null : undefined
}
