import assert from 'node:assert/strict'
import { isTaken } from '../../../src/catalog/database/database.js'
import { type NodeCatalog, openNodeCatalog } from '../../../src/nodes/catalog/node-catalog.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'

const AT = '2026-11-22T10:00:00Z'
const ISSUER = 'https://login.example'

describe('the ways to sign in on nodes', () => {
  const makeFolder = useTemporaryFolders()
  const opened: (() => Promise<void>)[] = []
  let server: PostgresServer
  let a: NodeCatalog
  let b: NodeCatalog

  before(async () => {
    server = await PostgresServer.start()
    const url = await server.createDatabase()
    const open = async () => {
      const connections = new Connections(parseDatabaseUrl(url), 2)
      const node = await openNodeCatalog(makeFolder(), connections, () => new Date(AT))
      opened.push(async () => {
        await node.catalog.close()
        await connections.close()
      })
      return node
    }
    a = await open()
    b = await open()
    await a.catalog.workspaces.create({ id: 'w', name: 'W', createdAt: AT })
  })
  after(async () => {
    await Promise.all(opened.map((close) => close()))
    await server?.remove()
  })

  it('finish a sign-in at another node than the one where it began, once', async () => {
    const pending = {
      provider: 'work',
      nonce: 'n',
      verifier: 'v',
      to: '/',
      purpose: 'enter',
      browser: 'b',
      begunAt: 1,
    } as const
    await a.catalog.pendingSignIns.add('state', pending, { seconds: 600, askedFrom: '192.0.2.1' })
    const taken = await Promise.all([a, b].map(({ catalog }) => catalog.pendingSignIns.take('state')))
    assert.deepEqual(
      taken.filter((one) => one !== undefined),
      [pending],
    )
    const first = await Promise.all([a, b].map(({ catalog }) => catalog.pendingSignIns.isFirst('token', 600)))
    assert.equal(first.filter((isFirst) => isFirst).length, 1)
  })

  it('give an identity to one person, and leave that person a way in', async () => {
    const identity = (id: string, subject: string) => ({ id, issuer: ISSUER, subject, userId: 'ada', email: null })
    await a.catalog.identities.add(identity('one', 'x'), 'Ada')
    await b.follow()
    assert.equal(b.catalog.identities.find(ISSUER, 'x')?.userId, 'ada')
    await assert.rejects(b.catalog.identities.add({ ...identity('other', 'x'), userId: 'eve' }, 'Eve'), isTaken)
    await b.catalog.identities.add(identity('two', 'y'))
    const removed = await Promise.all([
      a.catalog.identities.remove('ada', 'one'),
      b.catalog.identities.remove('ada', 'two'),
    ])
    assert.equal(removed.filter((isRemoved) => isRemoved).length, 1)
    for (const node of [a, b]) {
      await node.follow()
      const [left, ...more] = await node.catalog.identities.listOf('ada')
      assert.ok(left)
      assert.deepEqual(more, [])
      await node.catalog.identities.use(left.id, 'ada@example.org')
    }
  })

  it('end the sessions of a provider, and know the mail domains, on all nodes', async () => {
    const session = { workspaceId: 'w', label: 'Ada', expiresAt: '2027-11-22T10:00:00Z', createdAt: AT, userId: 'ada' }
    for (const id of ['one', 'two'])
      await a.catalog.sessions.create({ ...session, id, hash: id, issuer: ISSUER, providerSession: id })
    await a.catalog.mailDomains.put({
      workspaceId: 'w',
      issuer: ISSUER,
      domain: 'example.org',
      role: 'viewer',
      sites: ['s'],
    })
    await a.catalog.mailDomains.put({
      workspaceId: 'w',
      issuer: ISSUER,
      domain: 'example.org',
      role: 'author',
      sites: null,
    })
    await b.catalog.sessions.endOfProvider(ISSUER, { session: 'one' })
    await a.follow()
    await b.follow()
    assert.deepEqual(
      ['one', 'two'].map((hash) => a.catalog.sessions.findByHash(hash)?.id),
      [undefined, 'two'],
    )
    await b.catalog.sessions.endOfProvider(ISSUER, { userId: 'ada' })
    await a.follow()
    assert.equal(a.catalog.sessions.findByHash('two'), undefined)
    const [domain] = await b.catalog.mailDomains.joinable(ISSUER, 'example.org')
    assert.deepEqual([domain?.role, domain?.sites], ['author', null])
    assert.equal(await b.catalog.mailDomains.remove('w', ISSUER, 'example.org'), true)
  })
})
