import assert from 'node:assert/strict'
import { buildOpenApi } from '../../../src/protocols/api/openapi/openapi.js'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import { makeTools } from '../../../src/protocols/mcp/tools/tool.js'
import { isInToolset } from '../../../src/protocols/mcp/tools/toolsets.js'
import { TOOLS } from '../../../src/protocols/mcp/tools/tool-table.js'

type Json = Record<string, unknown>

interface Operation {
  operationId: string
  parameters: { name: string; schema: Json }[]
  requestBody?: { content: { 'application/json': { schema: Json } } }
}

const HEADERS: Readonly<Record<string, string>> = {
  accountId: 'x-service-account-id',
  siteId: 'x-service-site-id',
  ifMatch: 'If-Match',
  idempotencyKey: 'Idempotency-Key',
}

const LIMITS = [
  'type',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'enum',
] as const

describe('the tool list', () => {
  const tools = [...makeTools(TOOLS, KEY_ROUTES).values()]
  const listed = tools.map((tool) => tool.listed)
  const document = buildOpenApi('http://localhost:8080') as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Json> }
  }
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  )

  it('has the twelve tools of the specification, and no name twice', () => {
    const names = listed.map(({ name }) => name)
    const twelve =
      'list_workspaces list_sites list_pages get_page create_page update_page delete_page list_collections create_collection list_records search_records create_record'
    assert.deepEqual(
      twelve.split(' ').filter((name) => !names.includes(name)),
      [],
    )
    assert.equal(new Set(names).size, names.length)
  })

  for (const [toolset, most] of [
    ['all', 6500],
    ['pages', 3000],
  ] as const) {
    it(`costs a model at most ${most} tokens as "${toolset}"; the most expensive tools are named if it costs more`, () => {
      const visible = listed
        .filter(({ name }) => isInToolset(name, toolset))
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
      const tokens = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) / 4
      const dearest = visible.toSorted((a, b) => tokens(b) - tokens(a)).slice(0, 8)
      const named = dearest.map((tool) => `${tool.name} ${Math.round(tokens(tool))}`).join(', ')
      assert.ok(tokens(visible) <= most, `${tokens(visible)} tokens; the dearest: ${named}`)
    })
  }

  it('has every tool of change requests in the toolset "pages" too: a conflict needs all of them', () => {
    const names = listed.map(({ name }) => name).filter((name) => /_change_requests?$/.test(name))
    assert.equal(names.length, 6)
    assert.deepEqual(
      names.filter((name) => !isInToolset(name, 'pages')),
      [],
    )
  })

  it('lets every write go to a change request, but those that no person could approve', () => {
    const writes = tools.filter(
      ({ definition, operation }) => definition.effect !== 'reads' && !operation.path.startsWith('/change-requests'),
    )
    const without = writes.filter((tool) => tool.arguments.get('changeRequest')?.place !== 'query')
    assert.deepEqual(without.map(({ listed: { name } }) => name).toSorted(), ['create_site', 'withdraw_version'])
  })

  it('lets what reads one thing read it in a change request', () => {
    const reads = 'get_page get_file get_version get_record get_commit list_versions diff_versions check_site'
    for (const name of reads.split(' '))
      assert.ok(tools.find(({ listed: tool }) => tool.name === name)?.arguments.has('changeRequest'), name)
  })

  it('has one type at each place, which every client takes', () => {
    const faults = listed.flatMap(({ name, inputSchema }) => foreignForms(inputSchema as Json, name))
    assert.deepEqual(faults, [])
  })

  it('sets all four hints of each tool, and says when a tool only reads', () => {
    for (const { name, annotations } of listed) {
      assert.deepEqual(Object.keys(annotations).toSorted(), [
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ])
      assert.equal(annotations.readOnlyHint, /^(list|get|search|diff|check)_/.test(name), name)
      assert.equal(annotations.readOnlyHint && annotations.destructiveHint, false, name)
    }
  })

  it('says which tools act on what the public sees', () => {
    const open = listed.filter(({ annotations }) => annotations.openWorldHint).map(({ name }) => name)
    const all = 'batch create_page create_site delete_file delete_page edit_file edit_page edit_pages put_file'
    const more =
      'publish_change_request retitle_page revert_commits rollback_page undo_my_changes update_page withdraw_version'
    assert.deepEqual(open.toSorted(), `${all} ${more}`.split(' ').toSorted())
  })

  for (const { definition, arguments: known, schema: ownSchema, listed: tool } of tools) {
    it(`gives ${tool.name} the fields, names and limits of ${definition.operationId}`, () => {
      const operation = operations.get(definition.operationId)
      assert.ok(operation)
      const documented = fieldsOf(operation)
      const { properties } = ownSchema
      for (const [name, schema] of Object.entries(properties)) {
        if (known.get(name)?.place === 'tool') continue
        const same = documented.get(HEADERS[name] ?? name)
        assert.ok(same, `${name} is no field of the endpoint`)
        // A filter has no form that OpenAPI could name: there it is any object. A name may stand for an id.
        const isNamed = HEADERS[name] !== undefined || known.get(name)?.names !== undefined
        if (name !== 'filter' && !isNamed) assert.deepEqual(limitsOf(schema as Json), limitsOf(same), name)
      }
      const missing = [...documented.keys()].filter((name) => !isOffered(name, properties))
      assert.deepEqual(missing.toSorted(), leftOut(definition).toSorted())
    })
  }

  function fieldsOf({ parameters, requestBody }: Operation): Map<string, Json> {
    const { $ref } = (requestBody?.content['application/json'].schema ?? {}) as { $ref?: string }
    const body = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1) ?? '']
    return new Map([
      ...Object.entries((body?.['properties'] ?? {}) as Record<string, Json>),
      ...parameters.map(({ name, schema }) => [name, schema] as const),
    ])
  }
})

/** Names the places of a schema that some client refuses: lists of types, choices, values without a type, objects without fields in lists. */
function foreignForms(schema: Json, where: string): string[] {
  const { type, items, properties = {} } = schema as { type?: unknown; items?: Json; properties?: Record<string, Json> }
  const isEmpty = items !== undefined && items['type'] === 'object' && items['properties'] === undefined
  const isForeign = ['anyOf', 'oneOf', 'allOf', 'const', '$ref'].some((keyword) => keyword in schema)
  const isStrange = schema['format'] !== undefined && schema['format'] !== 'date-time'
  return [
    ...(typeof type !== 'string' || isEmpty || isForeign || isStrange ? [where] : []),
    ...(items === undefined ? [] : foreignForms(items, `${where}[]`)),
    ...Object.entries(properties).flatMap(([name, field]) => foreignForms(field, `${where}.${name}`)),
  ]
}

function isOffered(field: string, properties: object): boolean {
  return Object.keys(properties).some((name) => (HEADERS[name] ?? name) === field || name === field)
}

/** Returns the fields of the endpoint without an argument: conditions of no use to an agent, and those named in the table. */
function leftOut({ operationId, target, without = [] }: (typeof TOOLS)[number]): string[] {
  const route = KEY_ROUTES.find((known) => known.operationId === operationId)
  return [
    ...without,
    ...(target === 'none' ? ['x-service-account-id'] : []),
    ...(target === 'site' ? [] : ['x-service-site-id']),
    ...(route?.ifNoneMatch === true ? ['If-None-Match'] : []),
    ...(target === 'site' && route?.path.startsWith('/sites/{id}/') ? ['id'] : []),
  ]
}

function limitsOf(schema: Json): Json {
  const { anyOf } = schema as { anyOf?: Json[] }
  const nullable = anyOf?.length === 2 && anyOf[1]?.['type'] === 'null'
  const bare = nullable ? { ...anyOf[0], type: [anyOf[0]?.['type'], 'null'] } : schema
  const isLengthImplied = bare['format'] === 'uuid' || bare['pattern'] !== undefined
  return Object.fromEntries(
    LIMITS.filter((name) => name !== 'maxLength' || !isLengthImplied).map((name) => [name, bare[name]]),
  )
}
