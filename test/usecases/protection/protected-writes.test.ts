import assert from 'node:assert/strict'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import { makeTools } from '../../../src/protocols/mcp/tools/tool.js'
import { TOOLS } from '../../../src/protocols/mcp/tools/tool-table.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Attempt, LEAVE_MAIN_ALONE, MOVES } from './attempts.js'
import { type Filled, makeCallers, prepareSite, protect, type TryingCaller } from './prepare-site.js'

interface Refusal {
  code: string
  message: string
  details?: { propose?: string; protection?: string }
}

const ROUTES_THAT_MOVE = KEY_ROUTES.filter(({ operationId }) => operationId in MOVES)

/** Sends the attempt over HTTP. Returns the refusal, if it is one. */
async function send(
  { service, siteId }: Filled,
  headers: Record<string, string>,
  route: Pick<Route, 'method' | 'path'>,
  { params = {}, query = {}, body, ifMatch, headers: more }: Attempt,
): Promise<Refusal | undefined> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const search = new URLSearchParams(query).toString()
  const isJson = typeof body === 'object'
  const answer = await fetch(`${service.origin}/api/v1${path}${search === '' ? '' : `?${search}`}`, {
    method: route.method.toUpperCase(),
    headers: {
      'x-service-site-id': siteId,
      ...(body !== undefined && { 'Content-Type': isJson ? 'application/json' : 'text/plain' }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...headers,
      ...more,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  })
  const text = await answer.text()
  assert.ok(answer.status < 500, `${route.method} ${route.path}: ${text}`)
  return answer.ok ? undefined : (JSON.parse(text) as { error: Refusal }).error
}

/** Calls the tool with the arguments of the attempt. Returns the text of the refusal, if it is one. */
async function call(
  { service, siteId }: Filled,
  headers: Record<string, string>,
  name: string,
  { params, query, body, ifMatch }: Attempt,
): Promise<string | undefined> {
  const given = { siteId, ...params, ...query, ...(body as object), ...(ifMatch !== undefined && { ifMatch }) }
  const answer = await fetch(`${service.origin}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  })
  const text = (await answer.text()).replace(/^(?:event: .*\n)?data: /, '')
  const { result } = JSON.parse(text) as { result?: { isError?: boolean; content: [{ text: string }] } }
  assert.ok(result !== undefined, text)
  return result.isError === true ? result.content[0].text : undefined
}

function attemptOf(route: Pick<Route, 'operationId'>, site: Filled): Attempt {
  const attempt = MOVES[route.operationId]
  assert.ok(attempt !== undefined, route.operationId)
  return attempt(site)
}

describe('every write', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
  })
  after(() => service.stop())

  it('of the route table is in one of the two lists of this test', () => {
    const known = [...Object.keys(MOVES), ...LEAVE_MAIN_ALONE].toSorted()
    const writes = KEY_ROUTES.filter(({ scope }) => scope !== 'read').map(({ operationId }) => operationId)
    assert.deepEqual(writes.toSorted(), known)
  })

  it('moves main at a site that is not protected', async () => {
    for (const route of ROUTES_THAT_MOVE) {
      const site = await prepareSite(service)
      const before = site.head()
      const refusal = await send(site, { Authorization: `Bearer ${site.service.key}` }, route, attemptOf(route, site))
      assert.notEqual(site.head(), before, `${route.operationId}: ${JSON.stringify(refusal)}`)
    }
  })

  for (const protection of ['agents', 'all'] as const)
    describe(`at a site under ${protection}`, () => {
      let site: Filled
      let callers: TryingCaller[]
      before(async () => {
        site = await prepareSite(service)
        callers = await makeCallers(site)
        await protect(site, { protection })
      })

      const areHeld = () => callers.filter(({ isSession }) => protection === 'all' || !isSession)

      it('never moves main, and is refused with the call that proposes the same', async () => {
        const before = site.head()
        for (const caller of areHeld())
          for (const route of ROUTES_THAT_MOVE) {
            const refusal = await send(site, caller.headers, route, attemptOf(route, site))
            const name = `${route.operationId} by ${caller.name}`
            assert.equal(site.head(), before, name)
            if (!caller.mayWrite || caller.name === 'an agent of the tools') {
              assert.match(refusal?.code ?? '', /^(?:insufficient_scope|unauthenticated)$/, name)
              continue
            }
            assert.equal(refusal?.code, 'approval_required', `${name}: ${JSON.stringify(refusal)}`)
            assert.equal(refusal.details?.protection, protection)
            assert.match(refusal.details?.propose ?? '', /^[A-Z]+ \/api\/v1\/\S+[?&]changeRequest=new$/)
            assert.ok(refusal.message.includes(refusal.details?.propose ?? '-'))
          }
      })

      it('to a change request never moves main', async () => {
        const before = site.head()
        let count = 0
        const routes = ROUTES_THAT_MOVE.filter(({ operationId }) => operationId !== 'publishDeploy')
        for (const caller of callers.filter(({ name }) => name !== 'an agent of the tools'))
          for (const route of routes) {
            const attempt = attemptOf(route, site)
            const proposal = { ...attempt, query: { ...attempt.query, changeRequest: 'new' } }
            const refusal = await send(site, caller.headers, route, proposal)
            const name = `${route.operationId} by ${caller.name}: ${JSON.stringify(refusal)}`
            assert.equal(site.head(), before, name)
            assert.match(refusal?.code ?? 'taken', /^(?:taken|invalid_query|approval_required)$/, name)
            if (refusal === undefined) count += 1
          }
        assert.ok(count > 100, `${count}`)
      })

      it('of a change request is published by nobody who is held', async () => {
        const before = site.head()
        const api = site.service.api()
        const made = await api.post('/pages?changeRequest=new').send({ path: '/held', html: 'held' }).expect(201)
        const { changeRequest: id } = made.body as { changeRequest: string }
        const route = { method: 'post', path: '/change-requests/{id}/publish' } as const
        for (const caller of areHeld()) {
          const refusal = await send(site, caller.headers, route, { params: { id }, body: {} })
          const name = `by ${caller.name}: ${JSON.stringify(refusal)}`
          assert.equal(site.head(), before, name)
          const expected = caller.mayWrite ? /^(?:approval_required|unauthenticated)$/ : /^insufficient_scope$/
          assert.match(refusal?.code ?? 'taken', expected, name)
        }
      })

      it('names method, path and query as they were sent', async () => {
        const headers = { Authorization: `Bearer ${site.service.key}` }
        const put = { method: 'put', path: '/pages' } as const
        const putting = await send(site, headers, put, { query: { path: '/a b', title: 'T' }, body: { html: 'x' } })
        assert.equal(putting?.details?.propose, 'PUT /api/v1/pages?path=%2Fa+b&title=T&changeRequest=new')
        const { page } = site
        const title = await send(
          site,
          headers,
          { method: 'patch', path: '/pages/{id}' },
          { params: { id: page.id }, body: { title: 'x' } },
        )
        assert.equal(title?.details?.propose, `PATCH /api/v1/pages/${page.id}?changeRequest=new`)
      })

      it('of the tools never moves main, and is refused with the argument that proposes the same', async () => {
        const before = site.head()
        const writing = [...makeTools(TOOLS, KEY_ROUTES).values()].filter(
          ({ definition }) => definition.effect !== 'reads',
        )
        let count = 0
        for (const { definition } of writing) {
          if (LEAVE_MAIN_ALONE.includes(definition.operationId)) continue
          const attempt =
            definition.name === 'undo_my_changes'
              ? { body: { since: '2020-01-01T00:00:00Z' } }
              : attemptOf(definition, site)
          // The tool names its site by an argument.
          const given = definition.operationId === 'undoCommits' ? { ...attempt, params: {} } : attempt
          for (const caller of areHeld().filter(({ knowsTools }) => knowsTools)) {
            const text = await call(site, caller.headers, definition.name, given)
            const name = `${definition.name} by ${caller.name}: ${text}`
            assert.equal(site.head(), before, name)
            // Callers without work have nothing to undo.
            if (definition.name === 'undo_my_changes' && text === undefined) continue
            assert.match(text ?? '', caller.mayWrite ? /^approval_required: / : /^insufficient_scope: /, name)
            if (caller.mayWrite) assert.match(text ?? '', /changeRequest: "new"/, name)
            count += 1
          }
        }
        assert.ok(count > 50, `${count}`)
      })

      it('that is a dry run is shown', async () => {
        const before = site.head()
        const route = { method: 'delete', path: '/pages/{id}' } as const
        const attempt = { params: { id: site.page.id }, query: { dryRun: 'true' } }
        for (const caller of callers)
          if (caller.name !== 'an agent of the tools')
            assert.equal(await send(site, caller.headers, route, attempt), undefined, caller.name)
        assert.equal(site.head(), before)
      })

      it('of an excepted key publishes, until the exception ends', async () => {
        const other = await prepareSite(service)
        await makeCallers(other)
        const { key, id } = await other.service.mint({ scopes: ['write'] })
        await protect(other, { protection, exceptedKeys: [id] })
        const write = async (bearer: string, path: string) =>
          await send(
            other,
            { Authorization: `Bearer ${bearer}` },
            { method: 'post', path: '/pages' },
            { body: { path, html: 'x' } },
          )
        assert.equal(await write(key, '/excepted'), undefined)
        assert.equal((await write(other.service.key, '/other'))?.code, 'approval_required')
        const rotated = await other.owner.send('post', `/keys/${id}/rotate`).send({}).expect(201)
        const successor = (rotated.body as { data: { key: string } }).data.key
        assert.equal((await write(successor, '/rotated'))?.code, 'approval_required', 'a new secret is a new key')
        await protect(other, { protection })
        assert.equal(await write(key, '/still-excepted'), undefined)
        await protect(other, { protection, exceptedKeys: [] })
        assert.equal((await write(key, '/ended'))?.code, 'approval_required')
      })
    })

  it('of people in sessions moves main under agents', async () => {
    for (const route of ROUTES_THAT_MOVE) {
      const site = await prepareSite(service)
      await protect(site, { protection: 'agents' })
      const before = site.head()
      const headers = { Cookie: site.owner.cookie, 'Sec-Fetch-Site': 'same-origin' }
      const refusal = await send(site, headers, route, attemptOf(route, site))
      assert.notEqual(site.head(), before, `${route.operationId}: ${JSON.stringify(refusal)}`)
    }
  })
})
