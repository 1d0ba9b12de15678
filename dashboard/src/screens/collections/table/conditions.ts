// The conditions by which records are filtered: per field and kind, and as the API takes them.

import type { Field, Shape } from '../fields/field.js'

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'

export interface Condition {
  field: string
  op: Operator
  value: string
}

const OF_TEXT = { contains: 'contains', eq: 'is', ne: 'is not' } as const
const OF_NUMBER = { eq: 'is', ne: 'is not', gte: 'at least', lte: 'at most', gt: 'more than', lt: 'less than' } as const
const OF_TIME = { eq: 'is', gte: 'from', lte: 'until', gt: 'after', lt: 'before' } as const
const OF_CHOICE = { eq: 'is', ne: 'is not' } as const
const OF_LIST = { contains: 'has' } as const

/** Returns the operators that make sense for a field, with their words; none for what cannot be compared. */
export function operatorsOf({ kind }: Shape): readonly (readonly [Operator, string])[] {
  return Object.entries(wordsFor(kind)) as [Operator, string][]
}

function wordsFor(kind: Shape['kind']): Partial<Record<Operator, string>> {
  switch (kind) {
    case 'text':
    case 'long text':
    case 'picture':
      return OF_TEXT
    case 'number':
      return OF_NUMBER
    case 'date':
    case 'time':
      return OF_TIME
    case 'choice':
      return OF_CHOICE
    case 'yes or no':
      return { eq: 'is' }
    case 'list':
      return OF_LIST
    default:
      return {}
  }
}

/** Whether the API can ask for this field: it reads a dot as a step into a group. */
export function canFilter({ name, shape }: Field): boolean {
  return isPlain(name) && operatorsOf(shape).length > 0
}

/** Whether the API can sort by this field. */
export function canSort({ name, shape }: Field): boolean {
  return (
    isPlain(name) && !name.includes(',') && !name.startsWith('-') && !['group', 'json', 'list'].includes(shape.kind)
  )
}

function isPlain(name: string): boolean {
  return name !== '' && !name.includes('.')
}

const OPERATORS = new Set<string>(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'])

/** Reads the conditions of an address: `year:gte:1990`. Drops what is no condition of these fields; undefined stands for any fields. */
export function readConditions(texts: readonly string[], fields: readonly Field[] | undefined): Condition[] {
  return texts.flatMap((text) => {
    const [name = '', op = '', ...rest] = text.split(':')
    const value = rest.join(':')
    if (value === '' || !OPERATORS.has(op)) return []
    const condition = { field: decodeName(name), op: op as Operator, value }
    const field = fields?.find((each) => each.name === condition.field)
    const isOffered = fields === undefined || (field && operatorsOf(field.shape).some(([each]) => each === op))
    return isOffered === true ? [condition] : []
  })
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return ''
  }
}

export function writeCondition({ field, op, value }: Condition): string {
  return `${encodeURIComponent(field)}:${op}:${value}`
}

/** Returns a condition in words: "Year at least 1990". */
export function wordsOfCondition({ field, op, value }: Condition, fields: readonly Field[]): string {
  const found = fields.find(({ name }) => name === field)
  const word = found && operatorsOf(found.shape).find(([each]) => each === op)?.[1]
  const shown = found?.shape.kind === 'yes or no' ? (value === 'true' ? 'yes' : 'no') : value
  return `${found?.label ?? field} ${word ?? op} ${shown}`
}
