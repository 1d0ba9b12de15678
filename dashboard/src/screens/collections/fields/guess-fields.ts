// Guesses the fields of records whose collection has no schema, from the values that they have.

import { type Field, isObject, type JsonObject, type Shape, wordsOf } from './field.js'

const MAX_LINE_CHARACTERS = 120
const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Returns the fields in the order of their first appearance. */
export function guessFields(records: readonly JsonObject[]): Field[] {
  const values = new Map<string, unknown[]>()
  for (const data of records) {
    for (const [name, value] of Object.entries(data)) values.set(name, [...(values.get(name) ?? []), value])
  }
  return [...values].map(([name, found]) => ({
    name,
    label: wordsOf(name),
    help: undefined,
    isRequired: false,
    isNullable: found.includes(null),
    preset: undefined,
    shape: shapeOf(found.filter((value) => value !== null)),
  }))
}

function shapeOf(values: readonly unknown[]): Shape {
  const isEach = (test: (value: unknown) => boolean) => values.length > 0 && values.every(test)
  if (isEach((value) => typeof value === 'string')) return shapeOfTexts(values as string[])
  if (isEach((value) => typeof value === 'number')) return { kind: 'number', isWhole: false }
  if (isEach((value) => typeof value === 'boolean')) return { kind: 'yes or no' }
  if (isEach(isListOf('string'))) return { kind: 'list', of: { kind: 'text' } }
  if (isEach(isListOf('number'))) return { kind: 'list', of: { kind: 'number', isWhole: false } }
  if (isEach(isObject)) return { kind: 'group', fields: guessFields(values as JsonObject[]) }
  return { kind: 'json' }
}

function shapeOfTexts(texts: readonly string[]): Shape {
  if (texts.every((text) => DATE.test(text))) return { kind: 'date' }
  if (texts.every((text) => TIME.test(text))) return { kind: 'time' }
  const isLong = texts.some((text) => text.length > MAX_LINE_CHARACTERS || text.includes('\n'))
  return { kind: isLong ? 'long text' : 'text' }
}

function isListOf(type: string): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === type)
}
