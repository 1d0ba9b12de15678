import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { Database, OutcomeNotHeard } from '../../../src/nodes/log/database.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { Proxy } from '../postgres/proxy.js'

describe('a connection to the database of the logs', () => {
  let server: PostgresServer
  let proxy: Proxy
  let connections: Connections
  let database: Database

  before(async function () {
    server = await PostgresServer.start()
    proxy = await new Proxy(server.port).start()
    connections = new Connections(parseDatabaseUrl(proxy.through(server.url())), 2)
    database = new Database(connections, 500)
  })
  after(async () => {
    await connections?.close()
    await proxy?.stop()
    await server?.remove()
  })

  it('leaves the outcome of a statement unknown if it is cut, and a new connection serves the next statement', async () => {
    const cut = database.query('select pg_sleep(5)', [])
    const refused = assert.rejects(cut, OutcomeNotHeard)
    await pause(200)
    proxy.cut()
    await refused
    assert.deepEqual(await database.query('select 1 as one', []), [{ one: 1 }])
  })

  it('is given up if it does not answer in time', async () => {
    await proxy.whileDeaf(() => assert.rejects(database.query('select 1', []), OutcomeNotHeard))
    assert.deepEqual(await database.query('select 1 as one', []), [{ one: 1 }])
  })

  it('reports why a statement was refused', async () => {
    await assert.rejects(database.query('select 1 / 0', []), /division by zero/)
  })
})
