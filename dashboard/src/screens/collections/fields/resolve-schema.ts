// Simplifies a part of a JSON Schema: follows its references, and takes null out of what it allows.

import { isObject, type JsonObject } from './field.js'

const MAX_REFERENCES = 20

/** Takes null out of the allowed values: `type: ["string", "null"]`, or one of two forms. */
export function withoutNull(node: JsonObject, root: object | null): { node: JsonObject; isNullable: boolean } {
  const { type, enum: values } = node
  if (Array.isArray(type) && type.includes('null') && type.length === 2)
    return { node: { ...node, type: type.find((name) => name !== 'null') as unknown }, isNullable: true }
  if (Array.isArray(type) && type.length === 1)
    return { node: { ...node, type: type[0] as unknown }, isNullable: false }
  if (Array.isArray(values) && values.includes(null)) return { node, isNullable: true }
  for (const keyword of ['anyOf', 'oneOf']) {
    const forms = node[keyword]
    if (!Array.isArray(forms) || forms.length !== 2) continue
    const other = forms.findIndex((form) => isObject(form) && form['type'] === 'null') === 0 ? 1 : 0
    const none = forms[1 - other] as unknown
    if (!isObject(none) || none['type'] !== 'null') continue
    const { [keyword]: _, ...around } = node
    return { node: { ...resolve(forms[other], root), ...around }, isNullable: true }
  }
  return { node, isNullable: false }
}

/** Follows references within the schema. A circle of them ends as a schema that says nothing. */
export function resolve(node: unknown, root: object | null): JsonObject {
  let at = node
  for (let steps = 0; steps < MAX_REFERENCES; steps++) {
    if (!isObject(at)) return {}
    const { $ref: reference, ...beside } = at
    if (typeof reference !== 'string') return at
    const target = targetOf(reference, root)
    if (!isObject(target)) return {}
    at = { ...target, ...beside }
  }
  return {}
}

function targetOf(reference: string, root: object | null): unknown {
  if (!reference.startsWith('#')) return undefined
  const names = decodeURIComponent(reference.slice(1)).split('/').slice(1)
  return names.reduce<unknown>((parent, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined
  }, root)
}
