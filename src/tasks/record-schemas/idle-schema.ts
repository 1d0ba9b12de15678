// Finds schemas that check nothing. `{"title": "string"}` is a list of fields: JSON Schema ignores names that it does not know.

import type { FieldError } from './record-schema.js'

/** Keywords of JSON Schema (2020-12) that check a value, or lead to schemas that do. */
const CHECKING = new Set(
  `$ref $dynamicRef $defs definitions allOf anyOf oneOf not if then else dependentSchemas dependencies dependentRequired prefixItems items
   contains properties patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties type enum const
   multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains
   minContains maxProperties minProperties required format contentEncoding contentMediaType contentSchema`.split(/\s+/),
)
/** Keywords that describe. */
const DESCRIBING = new Set(
  '$schema $id $anchor $dynamicAnchor $vocabulary $comment title description default deprecated readOnly writeOnly examples'.split(
    ' ',
  ),
)

/** Returns the fault of a schema whose names are all foreign to JSON Schema; undefined for any other. */
export function idleFault(schema: object): FieldError | undefined {
  const names = Object.keys(schema)
  if (names.some((name) => CHECKING.has(name))) return undefined
  const foreign = names.find((name) => !DESCRIBING.has(name) && !name.startsWith('x-'))
  if (foreign === undefined) return undefined
  const message = `is no keyword of JSON Schema, and nothing would be checked: write {"type": "object", "properties": {${JSON.stringify(foreign)}: {"type": "string"}}}`
  return { field: `/${foreign}`, message }
}
