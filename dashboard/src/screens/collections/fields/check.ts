// Checks a record in the browser before it is sent: what is required, and the bounds. The service checks all of it.

import { type Field, isObject, type JsonObject, type Path, pointerOf, type Shape } from './field.js'
import { valueAt } from './values.js'

/** Messages by the JSON Pointer of their field. */
export type Problems = Readonly<Record<string, string>>

export function problemsOf(fields: readonly Field[], data: JsonObject, path: Path = []): Problems {
  return Object.assign({}, ...fields.map((field) => problemsAt(field, data, [...path, field.name]))) as Problems
}

function problemsAt({ isRequired, isNullable, name, shape }: Field, data: JsonObject, path: Path): Problems {
  const value = valueAt(data, [name])
  if (value === undefined || (value === null && isNullable)) {
    if (!isRequired || value === null) return {}
    return shape.kind === 'group' ? problemsOf(shape.fields, {}, path) : { [pointerOf(path)]: missing(shape) }
  }
  if (value === '' && isRequired) return { [pointerOf(path)]: missing(shape) }
  if (shape.kind === 'group') return isObject(value) ? problemsOf(shape.fields, value, path) : {}
  const problem = problemOf(shape, value)
  if (problem !== undefined) return { [pointerOf(path)]: problem }
  if (shape.kind !== 'list' || !Array.isArray(value)) return {}
  const found = value.map((entry, at): [string, string | undefined] => [
    pointerOf([...path, String(at)]),
    entry === '' ? 'Fill this in, or remove it.' : problemOf(shape.of, entry),
  ])
  return Object.fromEntries(found.filter(([, each]) => each !== undefined)) as Problems
}

function missing({ kind }: Shape): string {
  if (kind === 'choice') return 'Choose one.'
  if (kind === 'picture') return 'Choose a picture.'
  return kind === 'yes or no' ? 'Choose yes or no.' : 'Fill this in.'
}

function problemOf(shape: Shape, value: unknown): string | undefined {
  switch (shape.kind) {
    case 'text':
    case 'long text':
      return typeof value === 'string' ? outOf(shape, Array.from(value).length, 'character') : undefined
    case 'number':
      return problemOfNumber(shape, value)
    case 'choice':
      return shape.choices.some(({ value: each }) => isSame(each, value)) ? undefined : 'Choose one of the list.'
    case 'list':
      return Array.isArray(value) ? outOf(shape, value.length, 'entry', 'entries') : undefined
    default:
      return undefined
  }
}

function problemOfNumber(shape: Extract<Shape, { kind: 'number' }>, value: unknown): string | undefined {
  if (typeof value === 'string') return `Write a number, such as ${shape.isWhole ? '12' : '12 or 1.5'}.`
  if (typeof value !== 'number') return undefined
  if (shape.isWhole && !Number.isInteger(value)) return 'Write a whole number.'
  if (shape.least !== undefined && value < shape.least) return `The least is ${shape.least}.`
  if (shape.most !== undefined && value > shape.most) return `The most is ${shape.most}.`
  if (shape.above !== undefined && value <= shape.above) return `It must be more than ${shape.above}.`
  if (shape.below !== undefined && value >= shape.below) return `It must be less than ${shape.below}.`
  return undefined
}

interface Range {
  least?: number | undefined
  most?: number | undefined
}

function outOf({ least, most }: Range, count: number, one: string, many = `${one}s`): string | undefined {
  const named = (bound: number) => `${bound} ${bound === 1 ? one : many}`
  if (least !== undefined && count < least) return `At least ${named(least)}; this has ${count}.`
  if (most !== undefined && count > most) return `At most ${named(most)}; this has ${count}.`
  return undefined
}

/** Whether two values of JSON are the same; the order of names does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((entry, at) => isSame(entry, b[at]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  )
}
