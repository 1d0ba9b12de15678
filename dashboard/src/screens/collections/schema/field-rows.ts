// The fields of a collection as rows of a name and a kind, and the JSON Schema that the rows make.

import { isObject, type JsonObject, ORDER, wordsOf } from '../fields/field.js'
import { fieldsOf } from '../fields/read-schema.js'

export const KINDS = ['text', 'long text', 'number', 'date', 'choice', 'yes or no', 'list', 'picture'] as const
export type RowKind = (typeof KINDS)[number]

export interface FieldRow {
  /** As people read it. */
  label: string
  /** `other` is a part that only JSON Schema can say. */
  kind: RowKind | 'other'
  isRequired: boolean
  /** The allowed texts of a choice. */
  choices: readonly string[]
  /** The field as the schema has it; undefined for a new row. */
  stored?: { name: string; property: unknown; kind: RowKind | 'other' }
}

export const NEW_ROW: FieldRow = { label: '', kind: 'text', isRequired: false, choices: [] }

const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Keywords that rows cannot show: they join fields, or stand for a whole schema. */
const BEYOND_ROWS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'dependentSchemas']

/** Returns the rows of a schema; undefined if rows cannot show it. */
export function rowsOf(schema: JsonObject | null): FieldRow[] | undefined {
  if (schema === null) return []
  const { properties, required, type } = schema
  if (BEYOND_ROWS.some((keyword) => schema[keyword] !== undefined)) return undefined
  if (type !== 'object' && type !== undefined) return undefined
  if (properties === undefined) return Object.keys(schema).every((name) => KEPT.has(name)) ? [] : undefined
  if (!isObject(properties)) return undefined
  const names = Array.isArray(required) ? (required as unknown[]) : []
  // A name that only `required` has would lose its meaning with the row that it lacks.
  if (names.some((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))) return undefined
  const fields = fieldsOf(schema) ?? []
  return fields.map(({ name, label, isRequired, shape }) => {
    const property = properties[name]
    const kind = kindOf(property, shape.kind)
    const choices = shape.kind === 'choice' ? shape.choices.map((choice) => choice.label) : []
    return { label, kind, isRequired, choices, stored: { name, property, kind } }
  })
}

const KEPT = new Set(['$schema', '$id', '$comment', 'type', 'title', 'description', 'additionalProperties', ORDER])

function kindOf(property: unknown, kind: string): FieldRow['kind'] {
  if (!isObject(property)) return 'other'
  if (kind === 'choice') return isPlainChoice(property) ? 'choice' : 'other'
  if (kind === 'list') return isObject(property['items']) ? 'list' : 'other'
  return KINDS.find((each) => each === kind) ?? 'other'
}

/** Rows write choices as texts. */
function isPlainChoice({ enum: values, type }: JsonObject): boolean {
  const isText = Array.isArray(values) && values.every((value) => typeof value === 'string')
  return isText && (type === undefined || type === 'string')
}

/** Returns the schema with these fields. All else that it says is kept; a field whose kind stays keeps its bounds. */
export function schemaOf(rows: readonly FieldRow[], before: JsonObject | null): JsonObject {
  const named = namesOf(rows)
  const properties = Object.fromEntries(rows.map((row, at) => [named[at], propertyOf(row, named[at] ?? '')]))
  const required = named.filter((_, at) => rows[at]?.isRequired)
  const { required: _, ...kept } = before ?? { $schema: SCHEMA_DIALECT }
  return { ...kept, type: 'object', properties, ...(required.length > 0 && { required }), [ORDER]: named }
}

/** Returns the name of each row's field in the records. Stored ones keep theirs, so that no record loses a value. */
export function namesOf(rows: readonly FieldRow[]): string[] {
  const taken = new Set(rows.flatMap(({ stored }) => stored?.name ?? []))
  return rows.map(({ label, stored }) => {
    if (stored !== undefined) return stored.name
    const plain = nameOf(label)
    let name = plain
    for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`
    taken.add(name)
    return name
  })
}

/** Returns why the rows make no schema yet; undefined if they do. */
export function faultOf(rows: readonly FieldRow[]): { at: number; problem: string } | undefined {
  for (const [at, { label, kind, choices }] of rows.entries()) {
    if (label.trim() === '') return { at, problem: 'Give the field a name.' }
    const same = rows.findIndex((row) => nameOf(row.label) === nameOf(label))
    if (same !== at) return { at, problem: `There is a field “${label.trim()}” already.` }
    if (kind === 'choice' && choices.length === 0) return { at, problem: 'Write what can be chosen.' }
  }
  return undefined
}

function nameOf(label: string): string {
  const name = label
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  return name === '' ? 'field' : name
}

function propertyOf({ label, kind, choices, stored }: FieldRow, name: string): unknown {
  if (kind === 'other') return isObject(stored?.property) ? withTitle(stored.property, label, name) : stored?.property
  const before = isObject(stored?.property) ? stored.property : {}
  const isKept = stored?.kind === kind
  const { title, description } = before
  const told = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  const property = isKept ? before : { ...told, ...NEW_PROPERTIES[kind] }
  return withTitle(kind === 'choice' ? { ...property, enum: [...choices] } : property, label, name)
}

function withTitle(property: JsonObject, label: string, name: string): JsonObject {
  const { title: _, ...untitled } = property
  const title = label.trim()
  return title === wordsOf(name) || title === name ? untitled : { title, ...untitled }
}

const NEW_PROPERTIES: Readonly<Record<RowKind, JsonObject>> = {
  text: { type: 'string' },
  'long text': { type: 'string', contentMediaType: 'text/plain' },
  number: { type: 'number' },
  date: { type: 'string', format: 'date' },
  choice: { type: 'string' },
  'yes or no': { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' } },
  picture: { type: 'string', format: 'uri-reference', contentMediaType: 'image/*' },
}
