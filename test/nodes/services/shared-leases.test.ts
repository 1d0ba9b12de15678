// The leases of nodes, as use cases hold them.

import assert from 'node:assert/strict'
import { shareLeases } from '../../../src/nodes/opening/shared-leases.js'
import { Leases, LEASE_STEPS } from '../../../src/nodes/leases.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { KnownPrimary } from '../../../src/nodes/postgres/known-primary.js'
import { migrate } from '../../../src/nodes/postgres/migrate.js'
import { PostgresServer } from '../../servers/postgres-server.js'

describe('a lease that nodes share', () => {
  let database: PostgresServer
  let connections: Connections

  before(async () => {
    database = await PostgresServer.start()
    const url = await database.createDatabase()
    connections = new Connections(parseDatabaseUrl(url, false), 2, new KnownPrimary())
    await migrate(connections, LEASE_STEPS)
  })
  after(async () => {
    await connections.close()
    await database.remove()
  })

  it('is free for another node at once where its holder could not follow the catalog', async () => {
    const failing = shareLeases(new Leases(connections), () => Promise.reject(new Error('the catalog is not there')))
    await assert.rejects(failing.hold('key', 'a'), /the catalog is not there/)
    const other = shareLeases(new Leases(connections), async () => undefined)
    const held = await other.hold('key', 'a')
    assert.ok(held)
    await held.release()
  })

  it('is held by one node at a time, and shows what that node says', async () => {
    const [one, two] = [new Leases(connections), new Leases(connections)].map((leases) =>
      shareLeases(leases, async () => undefined),
    )
    const held = await one?.hold('import', 'b', { say: () => ({ phase: 'waiting' }) })
    assert.equal(await two?.hold('import', 'b'), undefined)
    assert.deepEqual(await two?.find('import', 'b'), { phase: 'waiting' })
    await held?.release()
    assert.equal(await two?.find('import', 'b'), undefined)
  })
})
