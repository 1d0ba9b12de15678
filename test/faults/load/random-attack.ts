// Random attacks, as plain values that a replay and a shrink can repeat: requests to any endpoint with input of any size that its
// schema allows and beyond, and pushes of trees, rules, pages and messages.

import * as fc from 'fast-check'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import type { Route } from '../../../src/protocols/api/routes/route.js'

export interface RequestAttack {
  kind: 'request'
  operationId: string
  method: string
  /** The path below `/api/v1`, with its query. */
  path: string
  /** JSON, HTML or bytes; absent where the endpoint takes none. */
  body?: string
  isDryRun: boolean
  atOnce: number
}

export interface PushAttack {
  kind: 'push'
  what: 'deep' | 'wide' | 'rules' | 'page' | 'message'
  /** Folders, files, lines or repetitions. */
  count: number
  text: string
  atOnce: number
}

export type RandomAttack = RequestAttack | PushAttack

/** Ids and oids that exist, and some that do not. */
export interface KnownNames {
  ids: readonly string[]
  oids: readonly string[]
}

type Schema = Record<string, unknown>

const MAX_TEXT_BYTES = 11 * 1024 * 1024
/** Characters of JSON for each field of a wide object. */
const CHARACTERS_A_KEY = 16
/** Most items of a list, which share the length of one text. */
const MAX_ITEMS = 500
const ALPHABET = [
  'a',
  'ab ',
  '/a',
  '<div>',
  '<a href=/x>',
  '\n',
  '{{',
  '{% for',
  '*',
  '\\',
  '"',
  '\u0001',
  'é',
  '😀',
  '-',
  '0',
]
const MAX_COUNTS: Readonly<Record<PushAttack['what'], number>> = {
  deep: 300,
  wide: 40,
  rules: 300_000,
  page: 4_000_000,
  message: 3_000_000,
}
const REFUSED_METHODS: readonly string[] = ['delete']

export function randomAttack(known: KnownNames): fc.Arbitrary<RandomAttack> {
  // Deleting what the others need would end the search.
  const routes = KEY_ROUTES.filter(({ method }) => !REFUSED_METHODS.includes(method))
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...routes).chain((route) => requestOf(route, known)) },
    { weight: 1, arbitrary: pushes() },
  )
}

function requestOf(route: Route, known: KnownNames): fc.Arbitrary<RandomAttack> {
  const { operationId, method, params, query, body } = route
  const fields = (schema: unknown) =>
    valueOf((schema ?? { type: 'object', properties: {} }) as Schema, known, MAX_TEXT_BYTES)
  return fc
    .record({
      params: fields(params),
      query: fields(query),
      body: body === undefined ? fc.constant(undefined) : fields(body.json),
      isHtml: fc.boolean(),
      html: text(MAX_TEXT_BYTES),
      isDryRun: fc.boolean(),
      atOnce: fc.integer({ min: 1, max: 8 }),
    })
    .map(({ params: given, query: asked, body: sent, isHtml, html, isDryRun, atOnce }): RandomAttack => {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((given as Schema)[name])),
      )
      const content = body?.html === true && isHtml ? html : sent === undefined ? undefined : JSON.stringify(sent)
      const target = `${path}${queryText(asked as Schema)}`.slice(0, 60_000)
      return { kind: 'request', operationId, method, path: target, isDryRun, atOnce, ...(content && { body: content }) }
    })
}

function queryText(query: Schema): string {
  const { filter = [], ...others } = query
  const pairs = Object.entries(others).map(([name, value]) => [name, String(value)])
  for (const one of filter as { field: string; op: string; value: string }[])
    pairs.push([`filter[${one.field}][${one.op}]`, one.value])
  return pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.map(encodeLoosely).join('=')).join('&')}`
}

function encodeLoosely(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

function pushes(): fc.Arbitrary<RandomAttack> {
  return fc.constantFrom(...(Object.keys(MAX_COUNTS) as PushAttack['what'][])).chain((what) =>
    fc.record({
      kind: fc.constant('push' as const),
      what: fc.constant(what),
      count: sizes(MAX_COUNTS[what]),
      text: fc.constantFrom(...ALPHABET),
      atOnce: fc.integer({ min: 1, max: 4 }),
    }),
  )
}

/** A value that fits the schema more often than not; no text in it is longer than `maxText`. */
function valueOf(schema: Schema, known: KnownNames, maxText: number): fc.Arbitrary<unknown> {
  const { type, enum: values, const: only, anyOf, oneOf, format, pattern, maxLength, items, properties } = schema
  const options = (anyOf ?? oneOf) as Schema[] | undefined
  if (options !== undefined) return fc.oneof(...options.map((one) => valueOf(one, known, maxText)))
  if (values !== undefined || only !== undefined) return fc.constantFrom(...((values ?? [only]) as unknown[]))
  if (format === 'uuid') return fc.constantFrom(...known.ids)
  if (typeof pattern === 'string' && pattern.includes('{40}')) return fc.constantFrom(...known.oids)
  switch (type) {
    case 'string':
      return text(Math.min(Number(maxLength ?? 1000), maxText))
    case 'array':
      return fc
        .tuple(valueOf(items as Schema, known, maxText / MAX_ITEMS), sizes(Number(schema['maxItems'] ?? 100)))
        .map(([one, count]) => Array.from({ length: count }, () => one))
    case 'object':
      return Object.keys(properties ?? {}).length === 0
        ? freeForm(maxText)
        : fieldsOf(properties as Record<string, Schema>, (schema['required'] ?? []) as string[], known, maxText)
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.maxSafeInteger())
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

function fieldsOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  known: KnownNames,
  maxText: number,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, valueOf(one, known, maxText)]),
  )
  return fc.record(fields, { requiredKeys: [...required] })
}

/** Objects that are wide, deep or long: as JSON little longer than `maxText` characters, but for escapes. */
function freeForm(maxText: number): fc.Arbitrary<unknown> {
  const maxKeys = Math.ceil(Math.min(250_000, maxText / CHARACTERS_A_KEY))
  return fc
    .tuple(fc.constantFrom('wide', 'deep', 'long'), sizes(maxKeys), text(Math.min(1_200_000, maxText)))
    .map(([form, count, long]) => {
      if (form === 'long') return { t: long }
      if (form === 'wide')
        return Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, number]))
      let nested: object = {}
      for (let depth = 0; depth < Math.min(count, 2000); depth++) nested = { a: nested }
      return nested
    })
}

function text(maxCharacters: number): fc.Arbitrary<string> {
  const most = Math.max(1, Math.floor(Math.min(maxCharacters, MAX_TEXT_BYTES)))
  return fc
    .tuple(fc.array(fc.constantFrom(...ALPHABET), { minLength: 1, maxLength: 3 }), sizes(most))
    .map(([parts, length]) => {
      const unit = parts.join('')
      return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
    })
}

/** Small, any, or the largest. */
function sizes(max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: 1, max: Math.min(max, 50) }), fc.integer({ min: 1, max }), fc.constant(max))
}
