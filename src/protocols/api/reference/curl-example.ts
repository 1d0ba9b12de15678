// Makes a command that calls an operation with only its required input.

import type { Document, OperationObject, Schema } from './document.js'

export function curlExample(document: Document, method: string, path: string, operation: OperationObject): string {
  const [server] = operation.servers ?? document.servers
  const required = operation.parameters.filter((parameter) => parameter.required)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = required.find((parameter) => parameter.name === name)?.schema
    return String(schema === undefined ? name : exampleOf(document, schema))
  })
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${String(exampleOf(document, schema))}`)
  const url = `${server?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const body = operation.requestBody?.content['application/json']?.schema
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${url}'`,
    operation.security === undefined ? `-H "Authorization: Bearer $KEY"` : `-H 'Sec-Fetch-Site: same-origin'`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${jsonOf(exampleOf(document, body))}'`]),
  ].join(' \\\n  ')
}

/** Returns JSON for the single quotes of a shell: an apostrophe is escaped as JSON. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll("'", '\\u0027')
}

/** Returns the schema's own example, or the simplest value of its type; for an object, the required fields. */
function exampleOf(document: Document, schema: Schema): unknown {
  const { $ref, examples, anyOf, oneOf, items, properties, required = [], minimum } = schema
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
    return named === undefined ? null : exampleOf(document, named)
  }
  if (examples !== undefined) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [choice] = anyOf ?? oneOf ?? []
  if (choice !== undefined) return exampleOf(document, choice)
  if (items !== undefined) return [exampleOf(document, items)]
  if (properties !== undefined) {
    const needed = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(needed.map(([name, property]) => [name, exampleOf(document, property)]))
  }
  return { integer: minimum ?? 1, boolean: true, object: {} }[String(schema.type)] ?? '…'
}
