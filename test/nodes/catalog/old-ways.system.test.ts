import assert from 'node:assert/strict'
import { CATALOG_STEPS } from '../../../src/nodes/catalog/node-schema.js'
import { openNodeCatalog } from '../../../src/nodes/catalog/node-catalog.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { migrate } from '../../../src/nodes/postgres/migrate.js'
import { EXPECTED, OLD_ROWS } from '../../catalog/people/old-ways.js'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'
import { PostgresServer } from '../../servers/postgres-server.js'

const AT = '2026-11-22T10:00:00Z'

describe('a database from before the links of owners were bound', () => {
  const makeFolder = useTemporaryFolders()
  let server: PostgresServer

  before(async () => {
    server = await PostgresServer.start()
  })
  after(() => server?.remove())

  it('is upgraded as catalog.db is', async () => {
    const connections = new Connections(parseDatabaseUrl(await server.createDatabase()), 2)
    const at = CATALOG_STEPS.findIndex(({ name }) => name === 'catalog-0018-borrowed-ways-in')
    await migrate(connections, CATALOG_STEPS.slice(0, at))
    await connections.transact(async (session) => {
      for (const { table, row } of OLD_ROWS) {
        const places = Object.keys(row).map((_, place) => `$${place + 1}`)
        await session.query(
          `INSERT INTO catalog.${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
          Object.values(row),
        )
      }
    })
    const node = await openNodeCatalog(makeFolder(), connections, () => new Date(AT))
    for (const [query, rows] of Object.entries(EXPECTED)) {
      const { rows: found } = await connections.use((session) =>
        session.query<Record<string, string | null>>(query.replace('FROM ', 'FROM catalog.')),
      )
      assert.deepEqual(
        found.map((row) => Object.values(row)),
        rows,
        query,
      )
    }
    const [passkey] = (await node.catalog.passkeys.listOf('vic')).filter(({ id }) => id === 'vic after')
    assert.deepEqual(passkey?.loan, { workspaceId: 'w1', makerIds: ['o1', 'o2'] })
    await node.catalog.closedSessions.close('w1', 'ann')
    assert.ok(node.catalog.closedSessions.has('ann before', 'w1'))
    await node.catalog.close()
    await connections.close()
  })
})
