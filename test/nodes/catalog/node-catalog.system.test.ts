import assert from 'node:assert/strict'
import { join } from 'node:path'
import { isUsable } from '../../../src/catalog/api-key.js'
import { CATALOG_KEYS } from '../../../src/nodes/catalog/node-schema.js'
import { type NodeCatalog, openNodeCatalog } from '../../../src/nodes/catalog/node-catalog.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'

const AT = '2026-11-22T10:00:00Z'
const LATER = '2027-11-22T10:00:00Z'

describe('the catalog on nodes', () => {
  const makeFolder = useTemporaryFolders()
  const opened: (() => Promise<void>)[] = []
  let server: PostgresServer
  let url: string
  let now = new Date(AT)

  before(async function () {
    server = await PostgresServer.start()
  })
  after(() => server?.remove())

  beforeEach(async () => {
    url = await server.createDatabase()
    now = new Date(AT)
  })
  afterEach(() => Promise.all(opened.splice(0).map((close) => close())))

  async function openNode(folder = makeFolder()): Promise<NodeCatalog & { folder: string }> {
    const connections = new Connections(parseDatabaseUrl(url), 2)
    const node = await openNodeCatalog(folder, connections, () => now)
    opened.push(async () => {
      await node.catalog.close()
      await connections.close()
    })
    return { ...node, folder }
  }

  async function makeSite({ catalog }: NodeCatalog, id = 'site-1'): Promise<void> {
    await catalog.workspaces.create({ id: 'w', name: 'W', createdAt: AT })
    await catalog.sites.reserve({ id, workspaceId: 'w', slug: 'demo', createdAt: AT })
    await catalog.sites.markLive({ id, workspaceId: 'w', slug: 'demo', createdAt: AT })
    await catalog.keys.create({
      id: 'key-1',
      workspaceId: 'w',
      label: 'CI',
      prefix: 'pk_',
      hash: 'h1',
      scopes: ['write'],
      sites: null,
      paths: null,
      origins: null,
      toolset: null,
      expiresAt: null,
      mintedBy: null,
      createdAt: AT,
    })
  }

  it('shows on every node, and on one that starts later, the changes that one node has answered', async () => {
    const [a, b] = [await openNode(), await openNode()]
    await makeSite(a)
    await a.catalog.sites.configure('site-1', { markdown: true })
    await a.catalog.workspaces.setQuotas('w', { bytes: 5_000_000_000, pages: 'none' })
    await a.catalog.withdrawals.add({ siteId: 'site-1', blob: 'b', pageId: 'p', commit: 'c', author: 'CI' })
    await a.catalog.pushes.add({
      siteId: 'site-1',
      before: '0',
      after: '1',
      maker: 'key 1',
      author: 'CI',
      message: 'a\0b',
    })
    await a.catalog.pushes.add({
      siteId: 'site-1',
      before: '1',
      after: '2',
      maker: 'key 1',
      author: 'CI',
      message: null,
    })
    await a.catalog.links.create({
      id: 'link',
      siteId: 'site-1',
      commit: 'c',
      hash: 'h',
      madeBy: 'key key-1',
      author: 'CI',
      expiresAt: LATER,
      createdAt: AT,
    })
    await b.follow()
    for (const { catalog } of [b, await openNode()]) {
      const site = catalog.sites.findBySlug('demo')
      assert.deepEqual([site?.markdown, site?.withdrawals], [true, 1])
      const { quotas } = catalog.workspaces.find('w') ?? {}
      assert.deepEqual(quotas, { bytes: 5_000_000_000, pages: 'none', sites: null })
      assert.ok(catalog.withdrawals.has('site-1', 'b'))
      assert.deepEqual(
        catalog.pushes.list('site-1').map(({ after, message }) => [after, message]),
        [
          ['2', null],
          ['1', 'a\uFFFDb'],
        ],
      )
      assert.equal(catalog.links.find('link')?.author, 'CI')
    }
  })

  it('numbers the change requests of a site in turn on all nodes, and shows each what another wrote', async () => {
    const [a, b] = [await openNode(), await openNode()]
    await makeSite(a)
    await b.follow()
    const makeRequest = async ({ catalog }: NodeCatalog, id: string) =>
      await catalog.changeRequests.create({
        id,
        siteId: 'site-1',
        title: 'New prices',
        state: 'draft',
        author: 'CI',
        madeBy: 'key key-1',
        userId: null,
      })
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => makeRequest(n % 2 === 0 ? a : b, `request-${n}`)),
    )
    assert.deepEqual(new Set(made.map(({ number }) => number)), new Set([1, 2, 3, 4, 5, 6, 7, 8]))
    await a.catalog.requestMakers.note('request-1', { madeBy: 'key key-1', userId: null, label: 'CI' })
    await a.catalog.approvals.approve({ requestId: 'request-1', commit: 'c', userId: 'u', label: 'Ada' })
    assert.ok(await b.catalog.changeRequests.setState('request-1', ['draft'], 'review'))
    await a.catalog.sites.protect('site-1', { protection: 'all', approvers: 'admin' }, ['key-1'])
    await b.follow()
    const { changeRequests, requestMakers, approvals, protectionExceptions, sites } = b.catalog
    assert.equal(changeRequests.find('request-1')?.state, 'review')
    assert.equal(await changeRequests.countOpen('site-1', { madeBy: 'key key-1' }), 8)
    assert.deepEqual([requestMakers.list('request-1').length, approvals.list('request-1').length], [1, 1])
    assert.ok(protectionExceptions.has('site-1', 'key-1'))
    assert.equal(sites.findBySlug('demo')?.protection, 'all')
    await b.catalog.sites.markDeleted('site-1')
    await b.catalog.sites.forgetDeleted('site-1')
    await a.follow()
    assert.equal(a.catalog.changeRequests.find('request-1'), undefined)
  })

  it('opens no more change requests than a site and an author may have, also when many nodes open some at once', async () => {
    const [a, b] = [await openNode(), await openNode()]
    await makeSite(a)
    await b.follow()
    const request = {
      siteId: 'site-1',
      title: '',
      state: 'draft',
      author: 'CI',
      madeBy: 'key key-1',
      userId: null,
    } as const
    for (let open = 0; open < 95; open++) await a.catalog.changeRequests.create({ ...request, id: `first-${open}` })
    const openOn = async (each: (node: NodeCatalog, at: number) => Promise<unknown>) =>
      (await Promise.all(Array.from({ length: 12 }, (_, at) => each(at % 2 === 0 ? a : b, at)))).filter(Boolean).length
    const made = await openOn(({ catalog }, at) =>
      catalog.changeRequests.createWithinLimits({ ...request, id: `${at}` }),
    )
    assert.equal(made, 5)
    for (let at = 0; at < 12; at++) await a.catalog.changeRequests.setState(`first-${at}`, ['draft'], 'closed')
    for (let at = 0; at < 7; at++) await a.catalog.changeRequests.create({ ...request, id: `more-${at}` })
    await b.follow()
    const reopened = await openOn(({ catalog: { changeRequests } }, at) =>
      changeRequests.reopen(changeRequests.find(`first-${at}`) ?? assert.fail(), 'review'),
    )
    assert.equal(reopened, 5)
    assert.equal(await a.catalog.changeRequests.countOpen('site-1'), 100)
  })

  it('refuses a revoked key and an ended session on every node from its next look-up on', async () => {
    const [a, b] = [await openNode(), await openNode()]
    await makeSite(a)
    const session = { id: 's', workspaceId: 'w', label: 'Ada', expiresAt: LATER, createdAt: AT, hash: 'hs' }
    await a.catalog.sessions.create(session)
    await b.follow()
    assert.ok(isUsable(b.catalog.keys.findByHash('h1')!, now))
    assert.equal(b.catalog.sessions.findByHash('hs')?.label, 'Ada')
    await a.catalog.keys.revoke('w', 'key-1')
    await a.catalog.sessions.end('hs')
    await b.follow()
    assert.ok(!isUsable(b.catalog.keys.findByHash('h1')!, now))
    assert.equal(b.catalog.sessions.findByHash('hs'), undefined)
  })

  it('knows the agents of every node, and ends them and their tokens on all', async () => {
    const [a, b] = [await openNode(), await openNode()]
    await makeSite(a)
    await a.catalog.users.create({ id: 'u', name: 'Ada', createdAt: AT })
    const agent = {
      id: 'agent',
      workspaceId: 'w',
      userId: 'u',
      clientId: 'c',
      clientName: 'C',
      device: null,
      createdAt: AT,
    }
    await a.catalog.agents.create({ ...agent, scopes: ['read'], sites: null, expiresAt: null })
    const seconds = Date.parse(AT) / 1000
    const [token, code] = ['AccessToken', 'RefreshToken'].map((kind) => ({ kind, id: `id of ${kind}`, hash: kind }))
    const payload = { aud: 'r', scope: 'read', jti: 'id of RefreshToken' }
    for (const item of [token, code])
      await a.catalog.oauthItems.put({ ...item!, payload, agentId: 'agent', expiresAt: seconds + 60, askedFrom: null })
    await b.follow()
    assert.deepEqual(b.catalog.agents.findByToken('AccessToken')?.scopes, ['read'])
    assert.equal(b.catalog.oauthItems.find(code!)?.payload['jti'], 'id of RefreshToken')
    const used = await Promise.all([a, b].map(({ catalog }) => catalog.oauthItems.consume(code!)))
    assert.equal(used.filter(Boolean).length, 1)
    const repeated = await Promise.all([a, b].map(({ catalog }) => catalog.oauthItems.consume(code!, 60)))
    assert.deepEqual(repeated, [true, true])
    const again = { ...code!, payload: { jti: 'another' }, agentId: 'agent', expiresAt: null, askedFrom: null }
    for (const { catalog } of [a, b]) await catalog.oauthItems.add(again)
    await b.follow()
    assert.equal(b.catalog.oauthItems.find(code!)?.payload['jti'], 'id of RefreshToken')
    await b.catalog.agents.touch(new Map([['agent', LATER]]))
    await a.follow()
    assert.equal((await a.catalog.agents.list('w', 'u'))[0]?.lastUsedAt, LATER)
    assert.equal((await a.catalog.agents.revoke('agent'))?.clientName, 'C')
    assert.equal(await b.catalog.agents.revoke('agent'), undefined)
    await b.follow()
    assert.equal(b.catalog.agents.findByToken('AccessToken'), undefined)
    assert.equal(b.catalog.oauthItems.find(code!), undefined)
    await a.catalog.agents.endEverything()
  })

  it('gives a slug to one of two nodes, and a link to sign in to one of two', async () => {
    const [a, b] = [await openNode(), await openNode()]
    await a.catalog.workspaces.create({ id: 'w', name: 'W', createdAt: AT })
    const reserve = ({ catalog }: NodeCatalog, id: string) =>
      catalog.sites.reserve({ id, workspaceId: 'w', slug: 'demo', createdAt: AT })
    const outcomes = await Promise.allSettled([reserve(a, 'site-a'), reserve(b, 'site-b')])
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    assert.equal(refused?.reason.code, 'slug_taken')
    await a.catalog.sessions.addLink({ hash: 'l', workspaceId: 'w', label: 'Ada', expiresAt: LATER })
    const taken = await Promise.all([a, b].map(({ catalog }) => catalog.sessions.takeLink('l')))
    assert.equal(taken.filter((link) => link !== undefined).length, 1)
  })

  it("has the same rows in a node's copy as in a new copy, after every kind of change", async () => {
    const [a, b] = [await openNode(), await openNode()]
    await makeSite(a, 'site-0')
    await a.catalog.sites.reserve({ id: 'new', workspaceId: 'w', slug: 'new', createdAt: AT })
    assert.equal(await a.catalog.sites.giveId('new', 'site-0'), false)
    assert.equal(await a.catalog.sites.giveId('new', 'given'), true)
    await a.catalog.workspaces.create({ id: 'v', name: 'V', createdAt: AT })
    await a.catalog.grants.grant('w', 'v', ['read'])
    await a.catalog.grants.grant('w', 'v', ['read', 'write'])
    await a.catalog.workspaces.setDefaultSite('w', 'site-0')
    await a.catalog.keys.touch(new Map([['key-1', LATER]]))
    await a.catalog.keys.expire('w', 'key-1', LATER)
    const mirror = { siteId: 'site-0', url: 'https://a.example/', sealedCredentials: null, state: 'behind' } as const
    const untried = { ...mirror, remoteOid: null, error: null, failures: 0, nextTryAt: 1_800_000_000_000, okAt: null }
    await a.catalog.mirrors.put(untried)
    await a.catalog.mirrors.settle(untried, { ...untried, state: 'ok' })
    const wish = { id: 'given', workspaceId: 'w', slug: 'new', url: 'https://a.example/', createdAt: AT }
    await a.catalog.imports.add({ ...wish, state: 'importing', siteId: null, error: null, warnings: [] })
    await a.catalog.imports.finish('given', 'given', ['one', 'two'])
    const record = { keyHash: 'k', requestHash: 'r', status: 201, body: '{}', createdAt: AT }
    await a.catalog.idempotency.save(record)
    await a.catalog.sites.dropCreating('given')
    await a.catalog.sites.markDeleted('site-0')
    await b.follow()
    const copied = await openNode()
    for (const { catalog } of [a, b, copied]) {
      assert.deepEqual(await catalog.idempotency.find('k'), record)
      assert.deepEqual(catalog.grants.grantsTo('v'), [{ workspaceId: 'w', scopes: ['read', 'write'] }])
      assert.deepEqual(catalog.imports.find('w', 'given')?.warnings, ['one', 'two'])
      assert.equal((await catalog.sites.listDeleted()).length, 1)
      assert.equal((await catalog.sites.listCreating()).length, 0)
      assert.equal(catalog.mirrors.find('site-0'), undefined)
      assert.equal(catalog.keys.findByHash('h1')?.lastUsedAt, LATER)
      assert.equal(catalog.keys.findByHash('h1')?.expiresAt, LATER)
    }
  })

  it('has the same columns in PostgreSQL as on one machine', async () => {
    const { folder } = await openNode()
    const sqlite = openSqlite(join(folder, 'catalog-copy.db'), { synchronous: 'NORMAL' })
    for (const [table, key] of Object.entries(CATALOG_KEYS)) {
      const columns = sqlite.prepare<{ name: string }>(`PRAGMA table_info(${table})`).all([])
      const there = await server.query(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'catalog' AND table_name = '${table}'`,
        url,
      )
      const names = (rows: readonly { name?: unknown }[]) => new Set(rows.map(({ name }) => name))
      assert.deepEqual(names(there), new Set([...key.filter((name) => name === 'rowid'), ...names(columns)]))
    }
    sqlite.close()
  })

  it('misses no change of many writers on two nodes', async () => {
    const [a, b, reader] = [await openNode(), await openNode(), await openNode()]
    const make = async ({ catalog }: NodeCatalog, id: string) => {
      await catalog.workspaces.create({ id, name: id, createdAt: AT })
      await reader.follow()
      assert.ok(reader.catalog.workspaces.find(id), `the answered ${id} is not seen`)
    }
    await Promise.all(Array.from({ length: 60 }, (_, n) => make(n % 2 === 0 ? a : b, `w${n}`)))
    assert.equal((await reader.catalog.workspaces.list()).length, 60)
  })

  it('is copied again if the database has another history, or older changes are gone', async () => {
    const node = await openNode()
    await makeSite(node)
    // Simulates a promoted standby that lacks the newest change.
    await server.query(
      `DELETE FROM catalog.changes WHERE version = (SELECT version FROM catalog.version);
       UPDATE catalog.version SET version = changes.version, mark = changes.mark FROM catalog.changes
       WHERE changes.version = version.version - 1`,
      url,
    )
    await server.query("UPDATE catalog.sites SET slug = 'other'", url)
    await node.follow()
    assert.equal(node.catalog.sites.findBySlug('other')?.id, 'site-1')
    await server.query("UPDATE catalog.sites SET slug = 'third'", url)
    await server.query('DELETE FROM catalog.changes', url)
    await node.follow()
    assert.equal(node.catalog.sites.findBySlug('third')?.id, 'site-1')
  })

  it('refuses changes and look-ups without PostgreSQL, and continues when it is back', async () => {
    const node = await openNode()
    await makeSite(node)
    await server.down()
    await assert.rejects(node.follow(), { code: 'storage_failed' })
    await assert.rejects(node.catalog.keys.revoke('w', 'key-1'), { code: 'storage_failed' })
    await server.up()
    assert.equal(await node.catalog.keys.revoke('w', 'key-1'), true)
    assert.ok(!isUsable(node.catalog.keys.findByHash('h1')!, now))
  })

  it('refuses changes by a program that is too old for the tables', async () => {
    const node = await openNode()
    await server.query('UPDATE palimpsest.min_version SET version = 1000', url)
    await assert.rejects(
      node.catalog.workspaces.create({ id: 'w', name: 'W', createdAt: AT }),
      /too old to write\. Send the request to another node/,
    )
  })
})
