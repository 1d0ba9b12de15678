// Prints the API's types as TypeScript that imports nothing of the service. src/protocols/client/api-types.ts derives the same types from
// the schemas of the route table. The form is that of openapi-typescript. Schemas with a title become members of `Schemas`, so that a
// global name such as `Record` keeps its meaning.

const SHARED = `interface Answer<T> {
  content: { 'application/json': T }
}

interface Envelope<T> {
  success: true
  data: T
  /** The change request that was written to. */
  changeRequest?: string
}

interface List<T> {
  success: true
  data: T[]
  paging: { nextCursor: string | null }
}
`

/** Returns the text of `api-types.d.ts`. */
export function printApiTypes({ routes, errorBody, errorCodes }) {
  /** The types of schemas by their titles. */
  const named = new Map()
  const byPath = new Map()
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route])
  const paths = [...byPath].map(([path, ofPath]) => {
    const operations = ofPath.map((route) => `${comment(route.summary)}${route.method}: ${operationOf(route, named)}`)
    return `'${path}': ${block(operations)}`
  })
  const errors = typeOf(errorBody, named)
  return [
    '// Made by the build, from the schemas that the service checks requests and answers against.\n',
    "import type { Filter, HeaderFields } from './request-types.js'\n",
    `export type ErrorCode =\n${errorCodes.map((code) => `  | '${code}'\n`).join('')}`,
    `/** The error of a refusal. */\nexport type ErrorBody = ${errors}\n`,
    `export type Paths = ${block(paths)}\n`,
    SHARED,
    `/** The schemas of requests and answers, by title. */\nexport interface Schemas ${block([...named].map(([title, text]) => `${title}: ${text}`))}\n`,
  ].join('\n')
}

function operationOf(route, named) {
  const { params, query, body } = route
  const parameters = [
    'header?: HeaderFields',
    params === undefined ? 'path?: never' : `path: ${typeOf(params, named)}`,
    query === undefined ? 'query?: never' : `query${query.required?.length > 0 ? '' : '?'}: ${queryOf(query, named)}`,
  ]
  return block([
    `parameters: ${block(parameters)}`,
    `responses: Record<200 | 201 | 202, Answer<${answerOf(route, named)}>> & { default: Answer<ErrorBody> }`,
    body === undefined ? 'requestBody?: never' : `requestBody: Answer<${typeOf(body.json, named)}>`,
  ])
}

function answerOf({ content, list, data }, named) {
  if (content) return 'Blob'
  return `${list ? 'List' : 'Envelope'}<${typeOf(data, named)}>`
}

/** Types a query. The client writes the filter of a list of records in the form that the API reads. */
function queryOf(query, named) {
  return membersOf(query, named, { filter: 'Filter' })
}

/** Returns the TypeScript type of the values that a schema accepts. */
function typeOf(schema, named) {
  const { title } = schema
  const text = textOf(schema, named)
  if (title === undefined) return text
  if ((named.get(title) ?? text) !== text) throw new Error(`Two schemas have the title ${title}.`)
  named.set(title, text)
  return `Schemas['${title}']`
}

const PLAIN = { string: 'string', boolean: 'boolean', null: 'null', integer: 'number', number: 'number' }

function textOf(schema, named) {
  const { const: only, enum: values, anyOf, oneOf = anyOf, type } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (oneOf !== undefined) return oneOf.map((each) => typeOf(each, named)).join(' | ')
  if (type === 'array') return `Array<${typeOf(schema.items, named)}>`
  if (type === 'object') return objectOf(schema, named)
  return PLAIN[type] ?? 'unknown'
}

function objectOf(schema, named) {
  const { properties, patternProperties = {} } = schema
  if (properties !== undefined) return Object.keys(properties).length > 0 ? membersOf(schema, named) : 'object'
  const [values] = Object.values(patternProperties)
  return `{ [name: string]: ${values === undefined ? 'unknown' : typeOf(values, named)} }`
}

/** `replaced` gives types for members whose schemas do not describe them. */
function membersOf({ properties, required = [] }, named, replaced = {}) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const type = replaced[name] ?? typeOf(schema, named)
    return `${comment(schema.description)}${key}${required.includes(name) ? '' : '?'}: ${type}`
  })
  return block(members)
}

function comment(text) {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
}

function block(lines) {
  return `{\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')}}`
}
