import assert from 'node:assert/strict'
import { PostgresServer } from '../../servers/postgres-server.js'

describe('the PostgreSQL server of the tests', () => {
  let server: PostgresServer | undefined

  afterEach(() => server?.remove())

  it('has an empty database for each test, and keeps what was committed when it crashes', async function () {
    server = await PostgresServer.start()
    const [url, other] = [await server.createDatabase(), await server.createDatabase()]
    await server.query('create table kept as select 1 as one', url)
    await server.down('SIGQUIT')
    await server.up()
    assert.deepEqual(await server.query('select one from kept', url), [{ one: 1 }])
    await assert.rejects(server.query('select one from kept', other), /does not exist/)
  })
})
