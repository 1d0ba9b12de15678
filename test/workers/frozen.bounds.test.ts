import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type ApiClient, clientOf, put } from '../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { git } from '../support/git.js'
import { type Answer, answerTo, aWorkerOf, isRunning, visitAnew } from './fresh-connection.js'

const FROZEN_MS = 5000
const BETWEEN_WRITES_MS = 250
const VISITORS = 800
/** Turns of the event loop in which nobody came. */
const QUIET_TURNS = 100

describe('a process that is frozen', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string
  /** Speaks to the first process itself, as the workers do. */
  let api: ApiClient

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-frozen-'))
    server = await serve({ dataDir, env: { WORKERS: '1', KEEP_ALIVE_SECONDS: '60' } })
    key = await makeKey(dataDir, 'admin')
    api = clientOf(`http+unix://${encodeURIComponent(join(dataDir, 'serve.sock'))}`, key)
  })
  after(async () => {
    await endProcesses()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function createSite(slug: string): Promise<string> {
    const { body } = await api.post('/sites').send({ slug }).expect(201)
    const { id } = body.data as { id: string }
    await put(api, '/', 'before', id)
    return id
  }

  const headOf = (slug: string) => git(join(dataDir, `${slug}.git`), 'rev-parse', 'main')

  it('as a worker delays no change, is not killed, and serves nothing older once it goes on', async () => {
    const worker = aWorkerOf(server.pid)
    const ids = {
      noticed: await createSite('noticed'),
      changed: await createSite('changed'),
      deleted: await createSite('deleted'),
      hidden: await createSite('hidden'),
      leaked: await createSite('leaked'),
      linked: await createSite('linked'),
      unkeyed: await createSite('unkeyed'),
      unpublished: await createSite('unpublished'),
    }
    const makePublic = (id: string, publicHistory: boolean) =>
      api.patch(`/sites/${id}`).send({ publicHistory }).expect(200)
    for (const id of [ids.hidden, ids.leaked, ids.unpublished]) await makePublic(id, true)
    const past = (slug: string) => `${headOf(slug).slice(0, 20)}--${slug}`
    const [hidden, leaked, pastUnpublished] = [past('hidden'), past('leaked'), past('unpublished')]
    const { id: leak } = await put(api, '/', 'fixed', ids.leaked)
    const { id: unpublished } = await put(api, '/', 'last', ids.unpublished)
    const linked = await makeLink(api, ids.linked)
    const minted = await api
      .post('/keys')
      .send({ label: 'passing', scopes: ['write'] })
      .expect(201)
    const { id: keyId, key: secret } = minted.body.data as { id: string; key: string }
    const unkeyed = await makeLink(
      clientOf(`http+unix://${encodeURIComponent(join(dataDir, 'serve.sock'))}`, secret),
      ids.unkeyed,
    )

    const visitors = [
      { host: 'noticed', cookie: '', before: 200, after: 'after' },
      { host: 'changed', cookie: '', before: 200, after: 'after' },
      { host: 'deleted', cookie: '', before: 200, after: 404 },
      { host: hidden, cookie: '', before: 200, after: 404 },
      { host: leaked, cookie: '', before: 200, after: 410 },
      { host: 'unpublished', cookie: '', before: 200, after: 404 },
      { host: pastUnpublished, cookie: '', before: 200, after: 410 },
      { ...linked, before: 200, after: 404 },
      { ...unkeyed, before: 200, after: 404 },
    ].map((visitor) => ({ ...visitor, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }))
    const begin = ({ agent, host, cookie }: (typeof visitors)[number]) => beginVisit(server.port, agent, host, cookie)
    for (const visitor of visitors) assert.equal((await answerTo(begin(visitor))).status, visitor.before)

    process.kill(worker, 'SIGSTOP')
    const frozenAt = performance.now()
    // A change that waited for the frozen process would not end.
    await put(api, '/', 'after', ids.noticed)
    await put(api, '/', 'after', ids.changed)
    await api.delete(`/sites/${ids.deleted}`).expect(200)
    await makePublic(ids.hidden, false)
    await api.post(`/pages/${leak}/versions/1/withdraw`).expect(200)
    await api.delete(`/sites/${ids.linked}/links/${linked.id}`).expect(200)
    await api.delete(`/keys/${keyId}`).expect(200)
    await api.delete(`/pages/${unpublished}`).expect(200)
    for (let i = 0; performance.now() - frozenAt < FROZEN_MS; i++) {
      await put(api, '/', `${i}`, ids.changed)
      await pause(BETWEEN_WRITES_MS)
    }
    await put(api, '/', 'after', ids.changed)
    const begun = visitors.map(begin)
    await pause(100)
    assert.ok(isRunning(worker))
    process.kill(worker, 'SIGCONT')
    const answers = await Promise.all(begun.map(answerTo))
    for (const [at, { host, after }] of visitors.entries()) {
      const { status, body } = answers[at] as Answer
      assert.equal(typeof after === 'string' ? body : status, after, host)
    }
    for (const { agent } of visitors) agent.destroy()
    assert.equal(aWorkerOf(server.pid), worker)
  })

  it('as a worker lets hundreds of visitors connect meanwhile, and none has to try again', async () => {
    const worker = aWorkerOf(server.pid)
    process.kill(worker, 'SIGSTOP')
    let connected = 0
    const visitors = Array.from({ length: VISITORS }, () => connect(server.port, '127.0.0.1', () => connected++))
    for (const visitor of visitors) visitor.on('error', () => undefined)
    for (let quiet = 0, before = 0; quiet < QUIET_TURNS; before = connected) {
      await nextTurn()
      quiet = connected > before ? 0 : quiet + 1
    }
    process.kill(worker, 'SIGCONT')
    for (const visitor of visitors) visitor.destroy()
    assert.equal(connected, VISITORS)
  })

  it('as the first process takes no hosted page away, not even of sites that nobody visited before', async () => {
    for (let i = 0; i < 8; i++) await createSite(`unseen-${i}`)
    server.signal('SIGSTOP')
    // A visit that waited for the frozen process would not end.
    for (let i = 0; i < 8; i++) {
      const { status, body } = await visitAnew(server.port, `unseen-${i}`, '/')
      assert.deepEqual([status, body], [200, 'before'])
    }
    const waiting = answerTo(request(`${server.origin}/healthz`, { agent: false }).end())
    await pause(100)
    server.signal('SIGCONT')
    assert.equal((await waiting).status, 200)
  })
})

function beginVisit(port: number, agent: Agent, host: string, cookie: string): ClientRequest {
  const headers = { Host: `${host}.localhost:${port}`, ...(cookie !== '' && { Cookie: cookie }) }
  return request({ host: '127.0.0.1', port, agent, headers }).end()
}

/** A link to the site as it is, as a visitor has it who has opened it. */
async function makeLink(api: ApiClient, siteId: string) {
  const { body: site } = await api.get(`/sites/${siteId}/commits?limit=1`).expect(200)
  const [{ id: commit }] = site.data as [{ id: string }]
  const { body } = await api.post(`/sites/${siteId}/links`).send({ commit }).expect(201)
  const { id, url } = body.data as { id: string; url: string }
  const [, secret = ''] = /\.open\/([^/]+)/.exec(url) ?? []
  const [host = ''] = new URL(url).hostname.split('.')
  return { id, host, cookie: `link=${secret}` }
}
