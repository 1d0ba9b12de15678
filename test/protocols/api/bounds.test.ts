import assert from 'node:assert/strict'
import { buildOpenApi } from '../../../src/protocols/api/openapi/openapi.js'
import { createCheck } from '../../../src/protocols/api/request/check-input.js'
import { longestJson } from '../../../src/protocols/api/request/longest-json.js'
import { parseQuery } from '../../../src/protocols/api/request/parse-query.js'
import { KEY_ROUTES, ROUTES } from '../../../src/protocols/api/routes/table.js'
import { checkArguments } from '../../../src/protocols/mcp/arguments/check-arguments.js'
import { makeTools } from '../../../src/protocols/mcp/tools/tool.js'
import { TOOLS } from '../../../src/protocols/mcp/tools/tool-table.js'
import { ServiceError } from '../../../src/model/errors.js'
import { createKeyBody } from '../../../schemas/keys.js'

type Json = Record<string, unknown>

/** Objects of any fields: bytes, depth and number of values bound them instead. */
const FREE_FORM = [
  /^(?:WriteRecord|Record|\w+\.operations\[\]|(?:create|update)_record)\.data$/,
  // The details of a refusal depend on its code, and are bounded where they are made.
  /^Error\.error\.details$/,
  // Made by the service, from bounded input.
  /^AuditEntry\.details$/,
  // Bytes of a file: streamed, and counted.
  /^\w+ \d+ \*\/\*$/,
  /^(?:WriteCollection|Collection|(?:create|update)_collection)\.schema\b/,
  // A tool describes these in words: the endpoint that it calls has the schema, and holds it.
  /^(?:edit_pages\.edits|edit_file\.edits|batch\.operations)\[\]$/,
]

/** Processor time: far more than a refusal takes, far less than a comparison of all pairs. */
const REFUSAL_US = 1_000_000

interface Operation {
  operationId: string
  parameters: Json[]
  requestBody?: Json
  responses: Record<string, Json & { headers?: Record<string, { schema: Json }> }>
}

const DOCUMENT = buildOpenApi('http://localhost') as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}
const OPERATIONS = Object.values(DOCUMENT.paths).flatMap((methods) => Object.values(methods))

describe('the bounds of input and answers', () => {
  it('every text, list and object that the OpenAPI document lets a client send is bounded', () => {
    const sent = OPERATIONS.flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters.map(({ name, schema }) => [`${operationId}.${String(name)}`, schema as Json] as const),
      // HTML is not parsed; its bytes are counted.
      ...contentOf(requestBody).flatMap(([type, schema]) =>
        type === 'application/json' ? [[operationId, schema] as const] : [],
      ),
    ])
    assert.deepEqual(unboundedAmong(sent), [])
    assert.ok(sent.length > ROUTES.length)
  })

  it('every text, list, object and header field that the OpenAPI document says a client is answered is bounded', () => {
    const answered = OPERATIONS.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { headers = {}, ...response }]) => [
        ...Object.entries(headers).map(([name, { schema }]) => [`${operationId} ${status} ${name}`, schema] as const),
        ...contentOf(response).map(([type, schema]) => [`${operationId} ${status} ${type}`, schema] as const),
      ]),
    )
    assert.deepEqual(unboundedAmong(answered), [])
    assert.ok(answered.length > 4 * ROUTES.length)
  })

  it('every text, list and object among the arguments of a tool is bounded', () => {
    const tools = [...makeTools(TOOLS, KEY_ROUTES).values()]
    const unbounded = tools.flatMap(({ schema, listed }) => unboundedIn(schema as Json, listed.name))
    assert.deepEqual(unbounded, [])
  })

  it('the walk that checks this finds unbounded schemas, and names the place', () => {
    const open = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        pattern: { type: 'string', pattern: '^a*$' },
        list: { type: 'array', items: { type: 'string', maxLength: 1 } },
        either: { anyOf: [{ type: 'object' }, { type: ['string', 'null'], enum: ['a', null] }] },
      },
    }
    assert.deepEqual(unboundedIn(open, 'x'), ['x', 'x.text', 'x.pattern', 'x.list', 'x.either'])
  })

  it('60,000 scopes of a key are refused at once, with one fault named', () => {
    const check = createCheck(createKeyBody, 'invalid_body', 'The body')
    const body = { label: 'x', scopes: Array.from({ length: 60_000 }, (_, number) => number) }
    const before = process.cpuUsage()
    assert.throws(() => check(body), isRefusal('invalid_body', /\/scopes has more than 5 entries/))
    assert.ok(process.cpuUsage(before).user < REFUSAL_US)
  })

  it('a refusal names all faults of a small body', () => {
    const check = createCheck(createKeyBody, 'invalid_body', 'The body')
    assert.throws(
      () => check({ label: '', scopes: ['all'], colour: 'red' }),
      (error) => error instanceof ServiceError && (error.details as unknown[]).length >= 3,
    )
  })

  it('100,000 edits in the arguments of a tool are refused at once', () => {
    const tool = makeTools(TOOLS, KEY_ROUTES).get('edit_page')
    assert.ok(tool)
    const edits = Array.from({ length: 100_000 }, (_, number) => number)
    const before = process.cpuUsage()
    assert.match(checkArguments(tool, { id: '0', edits, ifMatch: '"a"' }).fault ?? '', /not valid/)
    assert.ok(process.cpuUsage(before).user < REFUSAL_US)
  })

  it('20,000 query parameters are refused before they are compared with each other', () => {
    const query = Array.from({ length: 20_000 }, (_, number) => `filter[${number}]=x`).join('&')
    const before = process.cpuUsage()
    assert.throws(() => parseQuery(query, undefined), isRefusal('invalid_query', /more than 50 parameters/))
    assert.ok(process.cpuUsage(before).user < REFUSAL_US)
  })

  it('the longest valid JSON body of a route is known, so that its bytes can be bounded', () => {
    const free = 3 * 1024 * 1024
    for (const { body, operationId } of ROUTES) {
      if (body !== undefined) assert.notEqual(longestJson(body.json, free), Infinity, operationId)
    }
    assert.ok(longestJson(createKeyBody, free) < 256 * 1024)
  })
})

function isRefusal(code: string, message: RegExp) {
  return (error: unknown) => error instanceof ServiceError && error.code === code && message.test(error.message)
}

/** Returns the schemas by media type. */
function contentOf(body: Json | undefined): (readonly [string, Json])[] {
  const content = (body?.['content'] ?? {}) as Record<string, { schema: Json }>
  return Object.entries(content).map(([type, { schema }]) => [type, schema] as const)
}

function unboundedAmong(schemas: readonly (readonly [string, Json])[]): string[] {
  const follow = ({ $ref }: Json) => {
    const name = String($ref).split('/').at(-1) ?? ''
    return [name, DOCUMENT.components.schemas[name] ?? {}] as const
  }
  return [...new Set(schemas.flatMap(([place, schema]) => unboundedIn(schema, place, follow)))]
}

/** Returns the places below a schema that leave the input unbounded. */
function unboundedIn(schema: Json, place: string, follow?: (reference: Json) => readonly [string, Json]): string[] {
  if (FREE_FORM.some((free) => free.test(place))) return []
  if ('$ref' in schema && follow !== undefined) {
    const [name, component] = follow(schema)
    return unboundedIn(component, name, follow)
  }
  const inside = (one: unknown, name: string) => unboundedIn(one as Json, name, follow)
  return [
    ...(isBounded(schema) ? [] : [place]),
    ...Object.entries((schema['properties'] ?? {}) as Json).flatMap(([name, one]) => inside(one, `${place}.${name}`)),
    ...[schema['items'] ?? []].flat().flatMap((one) => inside(one, `${place}[]`)),
    ...['anyOf', 'oneOf'].flatMap((word) => ((schema[word] ?? []) as Json[]).flatMap((one) => inside(one, place))),
    ...(typeof schema['additionalProperties'] === 'object' ? inside(schema['additionalProperties'], `${place}.*`) : []),
  ]
}

function isBounded(schema: Json): boolean {
  const types = [schema['type'] ?? []].flat() as string[]
  const has = (...words: string[]) => words.some((word) => schema[word] !== undefined)
  // A schema that names no type takes any value.
  if (!has('type', 'enum', 'const', 'anyOf', 'oneOf')) return false
  const isClosed = schema['additionalProperties'] === false || has('maxProperties', 'oneOf')
  return (
    has('enum', 'const') ||
    ((!types.includes('string') || has('maxLength') || schema['format'] === 'uuid' || isFinite(schema['pattern'])) &&
      (!types.includes('array') || has('maxItems')) &&
      (!types.includes('object') || isClosed))
  )
}

/** Whether a pattern is of fixed ends and repeats nothing without end. */
function isFinite(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || !/^\^.*\$$/.test(pattern)) return false
  const bare = pattern.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '')
  return !/[*+]|\{\d+,\}/.test(bare)
}
