import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MAX_UNFINISHED_ROWS } from '../../../src/admission/unfinished-rows.js'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import {
  authorizeUrl,
  CALLBACK,
  connectAgent,
  newVerifier,
  registerClient,
  TestBrowser,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

const STRANGER = '198.51.100.7'
const OTHER = '203.0.113.5'
const PER_MINUTE = 60
const HOUR = 3600

describe('somebody without an account', () => {
  let service: TestService
  let person: SignedIn
  let rows: SqliteHandle
  /** A host that takes connections and never answers: what counts is that it was asked. */
  let host: Server
  let asked: Socket[] = []
  let doesHang = false

  before(async () => {
    host = createServer((socket) => {
      socket.on('error', () => undefined)
      asked.push(socket)
      if (!doesHang) socket.destroy()
    })
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening))
    service = await startOwnService({ env: { REMOTE_ALLOW_PRIVATE: 'localhost', TRUSTED_PROXIES: '127.0.0.1,::1' } })
    person = await signInAs(service, 'editor')
    rows = openSqlite(join(service.dataDir, 'catalog.db'), { synchronous: 'FULL', mustExist: true })
  })
  afterEach(() => {
    for (const socket of asked) socket.destroy()
    asked = []
    doesHang = false
  })
  after(async () => {
    rows.close()
    host.close()
    await service.stop()
  })

  const base = () => `http://localhost:${service.server.port}`
  const documentAt = (path: string) => `https://localhost:${(host.address() as AddressInfo).port}/${path}`
  const from = async (address: string, path: string, init: RequestInit = {}) => {
    const headers = { ...(init.headers as object), 'X-Forwarded-For': address }
    return await fetch(`${base()}${path}`, { redirect: 'manual', ...init, headers })
  }
  const post = async (address: string, path: string, fields: Record<string, string>) =>
    await from(address, path, { method: 'POST', body: new URLSearchParams(fields) })
  const register = async (address: string, metadata: object) =>
    await from(address, '/oauth/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    })
  const authorize = async (address: string, clientId: string, extra: Record<string, string> = {}) =>
    await from(address, authorizeUrl({ clientId, verifier: newVerifier(), extra }))
  const count = () =>
    rows.prepare<{ n: number }>('SELECT count(*) AS n FROM oauth_items WHERE asked_from IS NOT NULL').all([])[0]?.n ?? 0
  const networks = () =>
    rows
      .prepare<{ asked_from: string }>('SELECT DISTINCT asked_from FROM oauth_items WHERE asked_from IS NOT NULL')
      .all([])
      .map((row) => row.asked_from)
  const rate = () => service.server.service.services.admission.rate('client-documents')
  const gate = () => service.server.service.services.admission.gate('client-documents')

  it('makes the service ask for no more documents of programs in a minute than the row says, at whichever endpoint', async () => {
    const tries: ((clientId: string) => Promise<Response>)[] = [
      async (id) => await authorize(STRANGER, id),
      async (id) =>
        await post(STRANGER, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: id }),
      async (id) => await post(STRANGER, '/oauth/revoke', { token: 'x', client_id: id }),
      async (id) => await post(STRANGER, '/oauth/device-code', { client_id: id }),
    ]
    let refused = 0
    for (let i = 0; i < PER_MINUTE + 12; i++) {
      const answer = await tries[i % tries.length]!(documentAt(`rate-${i}`))
      if (answer.status !== 429) continue
      refused += 1
      assert.ok(Number(answer.headers.get('Retry-After')) > 0)
      const body = (await answer.json()) as { error: string | { code: string } }
      if (i % tries.length === 0) assert.equal((body.error as { code: string }).code, 'too_many_requests')
      else assert.equal(body.error, 'temporarily_unavailable')
    }
    assert.equal(refused, 12)
    assert.equal(asked.length, PER_MINUTE)
    assert.notEqual((await authorize(OTHER, documentAt('of-another'))).status, 429)
    assert.equal(asked.length, PER_MINUTE + 1)
  })

  it('is counted by the whole network of an IPv6 customer', async () => {
    for (let i = 0; i < PER_MINUTE; i++) await rate().take('2001:db8:1::/48')
    assert.equal((await authorize('2001:db8:1:ffff::1', documentAt('v6'))).status, 429)
    assert.notEqual((await authorize('2001:db8:2::1', documentAt('v6'))).status, 429)
  })

  it('holds a few places for documents, and never those of others', async () => {
    doesHang = true
    const many = Array.from({ length: 12 }, (_, i) => authorize('198.51.100.8', documentAt(`hang-${i}`)))
    const other = authorize(OTHER, documentAt('hang-of-another'))
    await until(
      () => [asked.length, gate().figures.running, gate().figures.waiting],
      (found) => isDeepStrictEqual(found, [5, 5, 8]),
    )
    doesHang = false
    for (const socket of asked) socket.destroy()
    for (const answer of await Promise.all([...many, other])) assert.equal(answer.status, 400)
  })

  it('who finds no place hears when to try again, and nothing that makes a program forget its sign-in', async () => {
    const leave: (() => void)[] = []
    for (let owner = 0; gate().figures.running < 32; owner++)
      for (let one = gate().tryEnter(`${owner}`); one !== undefined; one = gate().tryEnter(`${owner}`)) leave.push(one)
    const waiting = Array.from({ length: 20 }, () =>
      gate()
        .enter(OTHER)
        .then((left) => left()),
    )
    const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: documentAt('full') }
    const refused = await post(OTHER, '/oauth/token', fields)
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '5'])
    assert.equal(((await refused.json()) as { error: string }).error, 'temporarily_unavailable')
    for (const left of leave) left()
    await Promise.all(waiting)
    assert.equal(asked.length, 0)
  })

  it('leaves nothing long in the catalog', async () => {
    const clientId = await registerClient(service)
    const before = count()
    for (const [extra, words] of [
      [{ state: 's'.repeat(3_000) }, /state is longer than 2048 characters/],
      [{ scope: `read ${'x'.repeat(3_000)}` }, /scope is longer than 2048/],
      [{ state: 's'.repeat(2_000), scope: 'x'.repeat(2_000), code_challenge: 'c'.repeat(43) }, /more than 4096/],
    ] as const) {
      const answer = await authorize(OTHER, clientId, extra)
      assert.equal(answer.status, 400)
      assert.match(await answer.text(), words)
    }
    const device = await registerClient(service, {
      redirect_uris: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    const code = await post(OTHER, '/oauth/device-code', { client_id: device, scope: 'x'.repeat(3_000) })
    assert.match(((await code.json()) as { error_description: string }).error_description, /scope is longer than 2048/)
    const redirects = Array.from({ length: 8 }, (_, i) => `https://a.example/${i}${'x'.repeat(1_800)}`)
    const registered = await register(OTHER, { redirect_uris: redirects })
    assert.equal(registered.status, 400)
    assert.match(((await registered.json()) as { error_description: string }).error_description, /more than 4096/)
    // The one client of the device.
    assert.equal(count(), before + 1)
    const state = 's'.repeat(2_000)
    assert.equal((await authorize(OTHER, clientId, { state, nonce: 'n'.repeat(50_000) })).status, 303)
  })

  it('fills the table with many rows: the oldest of their network go, and nobody is refused or forgotten', async () => {
    const agent = await connectAgent(service, person)
    const registered = await register(OTHER, { redirect_uris: [CALLBACK], client_name: 'Begun before' })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    fill('2001:db8:9::/48', MAX_UNFINISHED_ROWS - count())
    assert.equal(count(), MAX_UNFINISHED_ROWS)
    for (let i = 0; i < 20; i++) {
      const address = `2001:db8:9:${i}::1`
      assert.equal((await register(address, { redirect_uris: [CALLBACK] })).status, 201)
      assert.equal((await from(address, '/session/passkey/options', { method: 'POST', headers: OWN })).status, 200)
    }
    assert.ok(count() <= MAX_UNFINISHED_ROWS)
    assert.ok(networks().includes('2001:db8:9::/48'))
    // The program that began before goes on, a new one connects, and a connected one renews.
    const browser = new TestBrowser(service, person.cookie)
    assert.equal((await browser.visit(authorizeUrl({ clientId, verifier: newVerifier() }))).status, 303)
    await connectAgent(service, person)
    const fields = { grant_type: 'refresh_token', refresh_token: agent.refresh_token, client_id: agent.clientId }
    assert.equal((await post(OTHER, '/oauth/token', fields)).status, 200)
    assert.ok(count() <= MAX_UNFINISHED_ROWS)
  })

  const OWN = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }

  /** Adds rows of a network as another process would, all at once. */
  function fill(network: string, number: number): void {
    const insert = rows.prepare(
      `INSERT INTO oauth_items (kind, hash, payload, asked_from, made_at, expires_at) VALUES ('Interaction', ?1, '{}', ?2, ?3, ?4)`,
    )
    const now = Math.floor(Date.now() / 1000)
    rows.transact(() => {
      for (let i = 0; i < number; i++) insert.run([`filled-${network}-${i}`, network, now - 60, now + HOUR])
    })
  }
})
