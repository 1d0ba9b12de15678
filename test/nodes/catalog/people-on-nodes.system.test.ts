import assert from 'node:assert/strict'
import { type NodeCatalog, openNodeCatalog } from '../../../src/nodes/catalog/node-catalog.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'
import { PostgresServer } from '../../servers/postgres-server.js'

const AT = '2026-11-22T10:00:00Z'

describe('people on nodes', () => {
  const makeFolder = useTemporaryFolders()
  const opened: (() => Promise<void>)[] = []
  let server: PostgresServer
  let url: string
  let nodes: [NodeCatalog, NodeCatalog]

  before(async function () {
    server = await PostgresServer.start()
  })
  after(() => server?.remove())

  beforeEach(async () => {
    url = await server.createDatabase()
    nodes = [await openNode(), await openNode()]
    const [{ catalog }] = nodes
    await catalog.workspaces.create({ id: 'w', name: 'W', createdAt: AT })
    for (const id of ['ada', 'grace']) {
      await catalog.users.create({ id, name: id, createdAt: AT })
      await catalog.members.give({ workspaceId: 'w', userId: id, role: 'owner', sites: null, source: 'link' })
    }
  })
  afterEach(() => Promise.all(opened.splice(0).map((close) => close())))

  async function openNode(): Promise<NodeCatalog> {
    const connections = new Connections(parseDatabaseUrl(url), 2)
    const node = await openNodeCatalog(makeFolder(), connections, () => new Date(AT))
    opened.push(async () => {
      await node.catalog.close()
      await connections.close()
    })
    return node
  }

  it('have the role that another node gave, from the next look-up on', async () => {
    const [a, b] = nodes
    await a.catalog.members.setByHand('w', 'grace', { role: 'viewer', sites: ['s'] })
    await b.follow()
    assert.deepEqual(b.catalog.members.rightsOf('w', 'grace'), { role: 'viewer', sites: ['s'], source: 'hand' })
    await b.catalog.members.take('w', 'grace')
    await a.follow()
    assert.equal(a.catalog.members.rightsOf('w', 'grace'), undefined)
  })

  it('keep one owner, if two owners take their own role on two nodes at once', async () => {
    const [a, b] = nodes
    const outcomes = await Promise.all([
      a.catalog.members.setByHand('w', 'ada', { role: 'editor', sites: null }),
      b.catalog.members.take('w', 'grace'),
    ])
    assert.equal(outcomes.filter(Boolean).length, 1)
  })
})
