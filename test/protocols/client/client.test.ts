import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type ApiClient,
  createClient,
  dataOf,
  deploy,
  entriesOf,
  Refusal,
} from '../../../src/protocols/client/client.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('the typed client', () => {
  let service: TestService
  let client: ApiClient

  before(async () => {
    service = await startTestService()
    client = createClient({ baseUrl: service.origin, key: service.key })
  })
  after(() => service.stop())

  it('publishes, reads and reports refusals in the types of the schemas', async () => {
    const created = dataOf(await client.POST('/pages', { body: { path: '/typed', html: '<h1>Typed</h1>' } }))
    const number: number = created.version.number
    assert.equal(number, 1)
    const read = dataOf(await client.GET('/pages/{id}', { params: { path: { id: created.id } } }))
    assert.equal(read.html, '<h1>Typed</h1>')
    const { error, response } = await client.DELETE('/pages/{id}', {
      params: { path: { id: created.id }, header: { 'If-Match': '"0000000000000000000000000000000000000000"' } },
    })
    assert.equal(response.status, 412)
    assert.equal(error?.error.code, 'precondition_failed')
  })

  it('takes the slug of a site for its id: for all requests, for one, and in a path', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const owner = createClient({ baseUrl: service.origin, key })
    const other = dataOf(await owner.POST('/sites', { body: { slug: 'typed-other' } }))
    const bySlug = createClient({ baseUrl: service.origin, key, siteId: 'typed-other' })
    const made = dataOf(await bySlug.POST('/pages', { body: { path: '/by-slug', html: '<title>By slug</title>' } }))
    assert.equal(made.siteId, other.id)
    const header = { 'x-service-site-id': 'typed-other' }
    const pages = dataOf(await client.GET('/pages', { params: { header } }))
    assert.ok(pages.some(({ id }) => id === made.id))
    const path = { id: 'typed-other' }
    assert.equal(dataOf(await client.GET('/sites/{id}', { params: { path } })).id, other.id)
    const query = { path: '/by-slug', limit: 1 }
    assert.equal(
      dataOf(await client.GET('/sites/{id}/commits', { params: { path, query } }))[0]?.subject,
      'Publish /by-slug',
    )
    const settled = await owner.PATCH('/sites/{id}', { params: { path }, body: { markdown: true } })
    assert.equal(dataOf(settled).markdown, true)
    const empty = await deploy(bySlug, [], { mode: 'merge' })
    assert.equal(empty.changed, false)
  })

  it('looks a slug up once, and throws site_not_found for one that the key does not see', async () => {
    const asked: string[] = []
    const counting = createClient({
      baseUrl: service.origin,
      key: service.key,
      siteId: service.site.slug,
      fetch: async (request) => {
        asked.push(new URL(request.url).pathname)
        return await fetch(request)
      },
    })
    for (const at of [1, 2, 3]) dataOf(await counting.GET('/pages', { params: { query: { limit: at } } }))
    assert.deepEqual(asked, ['/api/v1/sites', '/api/v1/pages', '/api/v1/pages', '/api/v1/pages'])
    const isUnseen = (error: unknown) =>
      error instanceof Refusal && error.code === 'site_not_found' && error.status === 404
    const lost = createClient({ baseUrl: service.origin, key: service.key, siteId: 'no-such-site' })
    await assert.rejects(lost.GET('/pages'), isUnseen)
    await assert.rejects(client.GET('/sites/{id}', { params: { path: { id: 'no such/site' } } }), isUnseen)
    const nobody = createClient({ baseUrl: service.origin, key: 'nobody', siteId: 'demo' })
    await assert.rejects(nobody.GET('/pages'), (error) => error instanceof Refusal && error.code === 'unauthenticated')
  })

  it('refuses an answer that is not JSON where it expects JSON, and names who answered', async () => {
    const stranger = createServer((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('hello'),
    )
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    const door = createServer((_, response) => response.writeHead(307, { Location: `${address}/elsewhere` }).end())
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const lost = createClient({ baseUrl: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, key: service.key })
    await assert.rejects(lost.GET('/me'), (error) => {
      assert.ok(error instanceof Refusal && error.code === 'not_the_service')
      assert.equal(error.message, `What answers at ${address} (status 200) is not this service. Check the address.`)
      return true
    })
    stranger.closeAllConnections()
    door.closeAllConnections()
    stranger.close()
    door.close()
  })

  it('does not compile with fields that the schemas lack', () => {
    const calls = [
      // @ts-expect-error -- a field of another type
      () => client.POST('/pages', { body: { path: '/about', html: 5 } }),
      // @ts-expect-error -- a path that the table does not have
      () => client.GET('/page'),
      // @ts-expect-error -- a path parameter left out
      () => client.GET('/pages/{id}'),
      // @ts-expect-error -- a query parameter left out
      () => client.PUT('/pages', { body: { html: '<h1>About</h1>' } }),
      // @ts-expect-error -- a method that the path does not have
      () => client.PATCH('/pages', { body: {} }),
      // @ts-expect-error -- a field that the answer does not have
      async () => dataOf(await client.GET('/me')).nobody,
      // @ts-expect-error -- a code that no refusal has
      (refusal: Refusal) => refusal.code === 'page_gone',
    ]
    assert.equal(calls.length, 7)
  })

  it('sends filters in the form that the API reads', async () => {
    const schema = { properties: { title: { type: 'string' }, year: { type: 'integer' } } }
    const { id } = dataOf(await client.POST('/collections', { body: { name: 'books', schema } }))
    for (const [title, year] of [
      ['Metamorphoses', 8],
      ['Commedia', 1320],
    ]) {
      await client.POST('/collections/{id}/records', { params: { path: { id } }, body: { data: { title, year } } })
    }
    const titles = async (filter: Parameters<typeof listed>[0]) => {
      const all: unknown[] = []
      for await (const { data } of entriesOf(listed(filter))) all.push(data['title'])
      return all
    }
    const listed = (filter: Record<string, string | { lt: number }>) => (slice: { cursor?: string }) =>
      client.GET('/collections/{id}/records', { params: { path: { id }, query: { ...slice, filter } } })
    assert.deepEqual(await titles({ year: { lt: 100 } }), ['Metamorphoses'])
    assert.deepEqual(await titles({ title: 'Commedia' }), ['Commedia'])
  })

  it('reads a list to its end, slice by slice', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await client.PUT('/pages', { params: { query: { path: `/listed/${name}` } }, body: { html: name } })
    }
    const paths: string[] = []
    const read = (slice: { cursor?: string }) =>
      client.GET('/pages', { params: { query: { ...slice, prefix: '/listed/', limit: 2 } } })
    for await (const page of entriesOf(read)) paths.push(page.path)
    assert.deepEqual(paths, ['/listed/a', '/listed/b', '/listed/c', '/listed/d', '/listed/e'])
  })

  it('throws a refusal with its code, status and request id', async () => {
    const nobody = createClient({ baseUrl: service.origin, key: 'nobody' })
    await assert.rejects(
      async () => dataOf(await nobody.GET('/me')),
      (error) =>
        error instanceof Refusal &&
        error.status === 401 &&
        error.code === 'unauthenticated' &&
        Boolean(error.requestId),
    )
  })

  it('throws not_the_service if another server answers', async () => {
    const other = createServer((_, response) => response.writeHead(404).end('<h1>Not here</h1>')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const lost = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'any' })
    try {
      await assert.rejects(
        async () => dataOf(await lost.GET('/me')),
        (error) => error instanceof Refusal && error.code === 'not_the_service' && error.status === 404,
      )
    } finally {
      other.close()
    }
  })
})
