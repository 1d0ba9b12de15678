import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import supertest from 'supertest'
import type { OpenRoute } from '../../../src/protocols/api/routes/open-route.js'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import { ROUTES } from '../../../src/protocols/api/routes/table.js'
import { assertDocumented } from '../../support/contract.js'
import { type ApiClient, startTestService, type TestService } from '../../support/service.js'

/** Values that some field somewhere refuses by a rule of its own. */
const ODD: readonly unknown[] = ['x/x', '/%zz', 'a\0b', 'https://x/', 1e9, []]

interface Sampled extends TSchema {
  type?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Sampled[]
  items?: Sampled
  properties?: Record<string, Sampled>
  required?: string[]
}

describe('a refusal of an odd value', () => {
  let service: TestService
  let api: ApiClient
  const ids: Record<string, string> = {}

  before(async () => {
    service = await startTestService()
    api = service.api((await service.mint({ scopes: ['admin'] })).key)
    const idOf = async (path: string, body: object) => {
      const { body: answer } = await api.post(path).send(body).expect(201)
      return (answer as { data: { id: string } }).data.id
    }
    ids['pages'] = await idOf('/pages', { path: '/odd', html: 'x' })
    ids['collections'] = await idOf('/collections', { name: 'odd' })
    ids['recordId'] = await idOf(`/collections/${ids['collections']}/records`, { data: { a: 1 } })
    ids['sites'] = service.site.id
  })
  after(() => service.stop())

  // `api()` holds each answer, its status and its code against the document.
  it('is documented, whatever the route and the field', async () => {
    for (const route of ROUTES.filter(({ method }) => method !== 'delete'))
      for (const odd of ODD) await Promise.all(requestsWith(route, odd))
  })

  it('names the id that a path takes, for a slug or a name in its place', async () => {
    const refused = await api.post(`/sites/${service.site.slug}/resolve`).send({ path: '/' }).expect(400)
    const { message } = (refused.body as { error: { message: string } }).error
    assert.match(message, /\/id must be a UUID: the id of the site, as GET \/sites lists it\.$/)
  })

  /** Sends one request for each field of the query and the body, with the odd value in it. */
  function requestsWith(route: Route | OpenRoute, odd: unknown): Promise<void>[] {
    const [query, body] = [sampleOf(route.query), sampleOf(route.body?.json)]
    const ofQuery = Object.keys(route.query?.properties ?? {}).map((name) =>
      send(route, { ...query, [name]: odd }, body),
    )
    const ofBody = Object.entries<Sampled>(route.body?.json.properties ?? {}).map(([name, { type }]) =>
      send(route, query, { ...body, [name]: type === 'array' ? [odd] : odd }),
    )
    return [...ofQuery, ...ofBody]
  }

  async function send(
    route: Route | OpenRoute,
    query: Record<string, unknown>,
    body: Record<string, unknown>,
  ): Promise<void> {
    const first = route.path.split('/')[1] ?? ''
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name === 'id' ? first : name] ?? '1')
    const fields = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    const sent = sendTo(route, `${path}?${fields.join('&')}`)
    await (route.body === undefined ? sent : sent.send(body))
  }

  function sendTo({ caller, method }: Route | OpenRoute, path: string): supertest.Test {
    if (caller === 'key') return api[method](path)
    const client = supertest(service.origin)
    return client[method](path)
      .set('Sec-Fetch-Site', 'same-origin')
      .expect((answer: supertest.Response) => assertDocumented(method, path, answer))
  }
})

/** Returns the required fields, each with a value that fits its schema. */
function sampleOf(schema: Sampled | undefined): Record<string, unknown> {
  const names = schema?.required ?? []
  return Object.fromEntries(names.map((name) => [name, valueOf(schema?.properties?.[name] ?? {})]))
}

function valueOf(schema: Sampled): unknown {
  const { type, examples, enum: names, const: only, anyOf, items } = schema
  const given = examples?.[0] ?? names?.[0] ?? only
  if (given !== undefined) return given
  if (anyOf?.[0] !== undefined) return valueOf(anyOf[0])
  if (type === 'object') return sampleOf(schema)
  if (type === 'array') return [valueOf(items ?? {})]
  return type === 'integer' ? 1 : type === 'boolean' ? false : 'a'
}
