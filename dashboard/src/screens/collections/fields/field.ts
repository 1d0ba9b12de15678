// The inputs of a record's form: their kinds, and what each allows.

export type JsonObject = Record<string, unknown>

/** The keyword that keeps the order of a schema's properties: the service sorts their names. */
export const ORDER = 'x-order'

/** A place in a record: the names and positions that lead to it. */
export type Path = readonly string[]

export interface Choice {
  value: unknown
  label: string
}

interface Bounds {
  least?: number | undefined
  most?: number | undefined
}

/** `least` and `most` are characters of a text, values of a number, entries of a list. */
export type Shape =
  | ({ kind: 'text'; format?: string | undefined } & Bounds)
  | ({ kind: 'long text' } & Bounds)
  | ({ kind: 'number'; isWhole: boolean; above?: number | undefined; below?: number | undefined } & Bounds)
  | { kind: 'date' }
  | { kind: 'time' }
  | { kind: 'choice'; choices: readonly Choice[] }
  | { kind: 'yes or no' }
  | ({ kind: 'list'; of: Shape } & Bounds)
  | { kind: 'picture'; isWholeUrl: boolean }
  | { kind: 'group'; fields: readonly Field[] }
  | { kind: 'json' }

export interface Field {
  /** Its name in the object around it. */
  name: string
  label: string
  help: string | undefined
  isRequired: boolean
  /** Whether null stands for no value. */
  isNullable: boolean
  /** The value of a new record; undefined for none. */
  preset: unknown
  shape: Shape
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns the name of a field into words: `publishing_year` and `publishingYear` give "Publishing year". */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})(?!\p{Lu}|$)/gu, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
  if (words === '') return name
  const [first = '', ...others] = words.split(' ')
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others.map(lowerFirst)].join(' ')
}

/** Leaves words in capitals as they are: `ISBN`. */
function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word : word.charAt(0).toLowerCase() + word.slice(1)
}

/** Returns the JSON Pointer (RFC 6901) of a place. */
export function pointerOf(path: Path): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
