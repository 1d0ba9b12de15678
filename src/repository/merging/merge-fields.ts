// Merges JSON objects field by field. An object in a field is merged in turn; any other value, such as a list, is one value.

import { canonicalJson } from '../format/canonical-json.js'
import { encodeCanonicalJson, parseJsonObject } from '../format/site-format.js'
import type { Sides } from './merge-entries.js'

/** Merged fields, or the fields that both sides changed differently, as JSON Pointers (RFC 6901). */
export type MergedFields = { fields: Fields } | { clashes: string[] }

type Fields = Readonly<Record<string, unknown>>

/** A number with more digits may change when it is read and written again. */
const MAX_DIGITS = 15

/** Merges three JSON files to canonical JSON. Returns undefined for what is no JSON object, or cannot be written again as it is. */
export function mergeJson(versions: Sides<Uint8Array>): { json: Buffer } | { clashes: string[] } | undefined {
  const { base, ours, theirs } = versions
  const [before, here, there] = [base, ours, theirs].map(parseJsonObject)
  if (before === undefined || here === undefined || there === undefined) return undefined
  if ([ours, theirs].some(hasLongNumbers)) return undefined
  try {
    const merged = mergeFields({ base: before, ours: here, theirs: there })
    return 'clashes' in merged ? merged : { json: encodeCanonicalJson(merged.fields) }
  } catch (error) {
    // Too many levels for this thread's stack: a push may bring any.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Merges fields that a client sends; `base` is the file of the version from which it began. `names` are the fields that are merged. */
export function mergeSentFields({
  base,
  ours,
  theirs,
  names,
}: {
  base: Uint8Array
  ours: Fields
  theirs: Fields
  names?: readonly string[]
}): MergedFields {
  const before = Object.entries(parseJsonObject(base) ?? {}).filter(([name]) => names?.includes(name) !== false)
  return mergeFields({ base: Object.fromEntries(before), ours, theirs })
}

export function mergeFields(sides: Sides<Fields>): MergedFields {
  const clashes: string[] = []
  const fields = merge(sides, '', clashes)
  return clashes.length > 0 ? { clashes } : { fields }
}

function merge({ base, ours, theirs }: Sides<Fields>, path: string, clashes: string[]): Fields {
  const merged: Record<string, unknown> = Object.create(null)
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const values = { base: fieldOf(base, name), ours: fieldOf(ours, name), theirs: fieldOf(theirs, name) }
    const value = mergeValue(values, place, clashes)
    if (value !== undefined) merged[name] = value
  }
  return merged
}

/** `undefined` stands for a field that is not there. */
function mergeValue({ base, ours, theirs }: Sides<unknown>, path: string, clashes: string[]): unknown {
  if (isSame(base, theirs) || isSame(ours, theirs)) return ours
  if (isSame(base, ours)) return theirs
  if (isObject(base) && isObject(ours) && isObject(theirs)) return merge({ base, ours, theirs }, path, clashes)
  clashes.push(path)
  return ours
}

function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a number of the text has more digits than a number in memory keeps. */
function hasLongNumbers(json: Uint8Array): boolean {
  const texts = /"(?:[^"\\]|\\.)*"/g
  const numbers =
    Buffer.from(json)
      .toString()
      .replace(texts, '')
      .match(/-?\d[\d.eE+-]*/g) ?? []
  return numbers.some((number) => number.replace(/e.*$/i, '').replace(/\D/g, '').length > MAX_DIGITS)
}
