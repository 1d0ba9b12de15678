// Shows a schema to people: each field with its type, its bounds and its meaning.

import type { Schema } from './document.js'
import { type Html, html, inline } from '../../../texts/html.js'

/** Lists the fields of an object as a description list; nested objects follow their field. */
export function fieldsHtml({ properties = {}, required = [] }: Schema): Html {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldHtml(name, schema, required.includes(name) ? 'required' : undefined),
  )
  return html`<dl>${fields}</dl>`
}

/** Shows one field or parameter, with `mark` next to its name. */
export function fieldHtml(name: string, schema: Schema, mark?: string, description = schema.description): Html {
  const inner = innerObject(schema)
  return html`<dt><code>${name}</code> ${mark !== undefined && html`<span class="mark">${mark}</span>`}</dt>
<dd><span class="type">${typeHtml(schema)}</span>${description !== undefined && html` ${inline(description)}`}
${inner && fieldsHtml(inner)}</dd>
`
}

/** Describes a type: `string, 1 to 255 characters`, `one of "a", "b"`, or a link to the named schema. */
export function typeHtml(schema: Schema): Html {
  const { $ref, anyOf, oneOf, items, type } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return joined(choices.map(typeHtml), ' or ')
  if (schema.enum !== undefined) return html`one of ${joined(schema.enum.map(valueHtml), ', ')}`
  if (schema.const !== undefined) return html`always ${valueHtml(schema.const)}`
  const base = items === undefined ? [type ?? 'any JSON'].flat().join(' or ') : html`array of ${typeHtml(items)}`
  return html`${base}${[formatOf(schema), ...boundsOf(schema)].map((bound) => bound !== undefined && `, ${bound}`)}${
    schema.default !== undefined && html`, default ${valueHtml(schema.default)}`
  }`
}

function formatOf({ format }: Schema): string | undefined {
  return format === undefined
    ? undefined
    : ({ uuid: 'UUID', uri: 'URL', 'date-time': 'RFC 3339 time' }[format] ?? format)
}

function boundsOf({ minLength, maxLength, minItems, maxItems, minimum, maximum }: Schema): (string | undefined)[] {
  return [span(minLength, maxLength, ' characters'), span(minItems, maxItems, ' entries'), span(minimum, maximum, '')]
}

function span(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === 1 && most === undefined && unit !== '') return 'not empty'
  if (least === undefined) return most === undefined ? undefined : `at most ${most.toLocaleString('en')}${unit}`
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most.toLocaleString('en')}${unit}`
}

/** Returns the object whose fields a field has: itself, the entries of an array, or the one object among alternatives. */
function innerObject(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema
  if (schema.items !== undefined) return innerObject(schema.items)
  return schema.anyOf?.map(innerObject).find((choice) => choice !== undefined)
}

function valueHtml(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, i) => html`${i > 0 && separator}${part}`)}`
}
