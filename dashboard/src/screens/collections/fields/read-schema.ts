// Reads the fields of a form from a JSON Schema. A part that no input can show becomes a field for JSON.

import { type Choice, type Field, isObject, type JsonObject, ORDER, type Shape, wordsOf } from './field.js'
import { resolve, withoutNull } from './resolve-schema.js'

/** Longer texts get an input of several lines. */
const MAX_LINE_CHARACTERS = 300
/** Groups inside groups that are shown as such. */
const MAX_LEVELS = 4

const PICTURE_NAMES = /(?:^|[_-]|(?<=\p{Ll}))(?:avatar|cover|icon|image|logo|photo|picture|poster|thumbnail)s?$/iu

/** Keywords that rule out a plain input: what they allow depends on more than one value. */
const COMPOUND = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$dynamicRef']

/** Returns undefined for a schema without properties, which says nothing about fields. */
export function fieldsOf(schema: object | null): Field[] | undefined {
  const root = resolve(schema, schema)
  return fieldsIn(root, schema, 0)
}

function fieldsIn(node: JsonObject, root: object | null, level: number): Field[] | undefined {
  const { properties, required } = node
  if (!isObject(properties) || Object.keys(properties).length === 0) return undefined
  const names = Array.isArray(required) ? required : []
  return inOrder(Object.keys(properties), node[ORDER]).map((name) =>
    fieldOf(name, properties[name], { root, level, isRequired: names.includes(name) }),
  )
}

/** Names that the order leaves out come last. */
function inOrder(names: readonly string[], order: unknown): string[] {
  if (!Array.isArray(order)) return [...names]
  const first = (order as unknown[]).filter((name): name is string => names.includes(name as string))
  return [...new Set([...first, ...names])]
}

interface Place {
  root: object | null
  level: number
  isRequired: boolean
}

function fieldOf(name: string, property: unknown, { root, level, isRequired }: Place): Field {
  const { node, isNullable } = withoutNull(resolve(property, root), root)
  const own = isObject(property) ? property : {}
  const title = textIn(own, 'title') ?? textIn(node, 'title')
  return {
    name,
    label: title ?? wordsOf(name),
    help: textIn(own, 'description') ?? textIn(node, 'description'),
    isRequired,
    isNullable,
    preset: own['default'] ?? node['default'] ?? node['const'],
    shape: shapeOf(name, node, root, level),
  }
}

function shapeOf(name: string, node: JsonObject, root: object | null, level: number): Shape {
  const choices = choicesOf(node)
  if (choices !== undefined) return { kind: 'choice', choices }
  if (COMPOUND.some((keyword) => node[keyword] !== undefined)) return { kind: 'json' }
  switch (node['type']) {
    case 'string':
      return shapeOfText(name, node)
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isWhole: node['type'] === 'integer',
        least: numberIn(node, 'minimum'),
        most: numberIn(node, 'maximum'),
        above: numberIn(node, 'exclusiveMinimum'),
        below: numberIn(node, 'exclusiveMaximum'),
      }
    case 'boolean':
      return { kind: 'yes or no' }
    case 'array':
      return shapeOfList(name, node, root, level)
    case 'object': {
      const fields = level < MAX_LEVELS ? fieldsIn(node, root, level + 1) : undefined
      return fields === undefined ? { kind: 'json' } : { kind: 'group', fields }
    }
    default:
      return { kind: 'json' }
  }
}

function shapeOfText(name: string, node: JsonObject): Shape {
  const format = textIn(node, 'format')
  const media = textIn(node, 'contentMediaType') ?? ''
  if (format === 'date') return { kind: 'date' }
  if (format === 'date-time') return { kind: 'time' }
  if (/^(?:uri|iri)/.test(format ?? '') && (media.startsWith('image/') || PICTURE_NAMES.test(name)))
    return { kind: 'picture', isWholeUrl: format?.endsWith('reference') !== true }
  const bounds = { least: numberIn(node, 'minLength'), most: numberIn(node, 'maxLength') }
  const isLong = media.startsWith('text/') || (bounds.most ?? 0) > MAX_LINE_CHARACTERS
  return isLong && format === undefined ? { kind: 'long text', ...bounds } : { kind: 'text', format, ...bounds }
}

/** Lists of one kind of plain value are shown; others are JSON. */
function shapeOfList(name: string, node: JsonObject, root: object | null, level: number): Shape {
  const { node: items, isNullable } = withoutNull(resolve(node['items'], root), root)
  const of = shapeOf(name.replace(/s$/, ''), items, root, level)
  const isPlain = ['text', 'long text', 'number', 'date', 'choice', 'picture'].includes(of.kind)
  if (!isPlain || isNullable || node['prefixItems'] !== undefined || node['contains'] !== undefined)
    return { kind: 'json' }
  return { kind: 'list', of, least: numberIn(node, 'minItems'), most: numberIn(node, 'maxItems') }
}

/** Reads `enum`, and `oneOf` or `anyOf` of constants with titles. */
function choicesOf(node: JsonObject): Choice[] | undefined {
  const { enum: values, oneOf, anyOf } = node
  if (Array.isArray(values)) return values.filter((value) => value !== null).map((value) => choiceOf(value))
  const forms = oneOf ?? anyOf
  if (!Array.isArray(forms) || !forms.every((form) => isObject(form) && form['const'] !== undefined)) return undefined
  return (forms as JsonObject[]).map((form) => choiceOf(form['const'], textIn(form, 'title')))
}

function choiceOf(value: unknown, label?: string): Choice {
  return { value, label: label ?? (typeof value === 'string' ? value : JSON.stringify(value)) }
}

function textIn(node: JsonObject, keyword: string): string | undefined {
  const value = node[keyword]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function numberIn(node: JsonObject, keyword: string): number | undefined {
  const value = node[keyword]
  return typeof value === 'number' ? value : undefined
}
