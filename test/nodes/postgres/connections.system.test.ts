import assert from 'node:assert/strict'
import { CommitUnknown, DatabaseUnavailable } from '../../../src/nodes/postgres/database-errors.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { type DatabaseSettings, parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { KnownPrimary } from '../../../src/nodes/postgres/known-primary.js'
import { migrate } from '../../../src/nodes/postgres/migrate.js'
import { PostgresServer } from '../../servers/postgres-server.js'

describe('connections to PostgreSQL', () => {
  let server: PostgresServer
  let settings: DatabaseSettings
  let url: string
  const opened: Connections[] = []

  before(async function () {
    server = await PostgresServer.start()
  })
  after(() => server?.remove())

  beforeEach(async () => {
    url = await server.createDatabase()
    settings = parseDatabaseUrl(url)
  })
  afterEach(() => Promise.all(opened.splice(0).map((connections) => connections.close())))

  function open(max = 2, servers = settings.servers): Connections {
    const connections = new Connections({ ...settings, servers }, max)
    opened.push(connections)
    return connections
  }

  it('have a maximum number at once, and are reused', async () => {
    const connections = open(2)
    const ids = await Promise.all(
      Array.from({ length: 10 }, () =>
        connections.use(
          async (session) => (await session.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]?.id,
        ),
      ),
    )
    assert.equal(new Set(ids).size, 2)
  })

  it('are made to the server that accepts writes, in any order of the names', async function () {
    const other = await PostgresServer.start()
    try {
      await other.query(`CREATE DATABASE ${settings.database}`)
      await other.query('ALTER SYSTEM SET default_transaction_read_only = on')
      await other.query('SELECT pg_reload_conf()')
      const named = [1, other.port, server.port].map((port) => ({ host: '127.0.0.1', port }))
      const { rows } = await open(1, named).use((session) => session.query<{ port: number }>('SHOW port'))
      assert.deepEqual(rows, [{ port: String(server.port) }])
      await assert.rejects(
        open(1, named.slice(0, 2)).use(async () => undefined),
        (error: Error) => {
          assert.ok(error instanceof DatabaseUnavailable)
          assert.match(error.message, /127\.0\.0\.1:1: .*ECONNREFUSED.*; .* takes no writes/)
          return true
        },
      )
    } finally {
      await other.remove()
    }
  })

  it('wait for the disk at every commit, for any default of the server', async () => {
    await server.query(`ALTER DATABASE ${settings.database} SET synchronous_commit = off`)
    const { rows } = await open().use((session) => session.query('SHOW synchronous_commit'))
    assert.deepEqual(rows, [{ synchronous_commit: 'on' }])
  })

  it('are destroyed if work passes its deadline, and the next work gets another', async () => {
    const connections = open(1)
    await assert.rejects(
      connections.use((session) => session.query('SELECT pg_sleep(60)'), 50),
      /PostgreSQL did not answer within 50 ms/,
    )
    assert.deepEqual((await connections.use((session) => session.query('SELECT 1 AS one'))).rows, [{ one: 1 }])
  })

  it('are given up, also while they wait, once another thread has found a newer primary', async () => {
    const known = new KnownPrimary()
    const connections = new Connections(settings, 1, known)
    opened.push(connections)
    const begun = performance.now()
    const waiting = connections.use((session) => session.query('SELECT pg_sleep(60)'))
    setTimeout(() => new KnownPrimary(known.shared).noteTimeline(7), 500)
    await assert.rejects(waiting, DatabaseUnavailable)
    assert.ok(performance.now() - begun < 30_000, 'it waited for the old primary')
  })

  it('report an unknown outcome if a commit was not answered, and roll back earlier failures', async () => {
    const connections = open()
    await server.query('CREATE TABLE notes (text text); CREATE TABLE slow (text text)', url)
    await server.query(
      `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END';
       CREATE CONSTRAINT TRIGGER sleep AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep()`,
      url,
    )
    const late = connections.transact((session) => session.query("INSERT INTO slow VALUES ('a')"), 100)
    await assert.rejects(late, CommitUnknown)
    const failed = connections.transact(async (session) => {
      await session.query("INSERT INTO notes VALUES ('b')")
      await session.query('SELECT nothing')
    })
    await assert.rejects(failed, /column "nothing" does not exist/)
    assert.deepEqual(await server.query('SELECT * FROM notes', url), [])
  })

  it('migrate the tables once, with several nodes at the same moment', async () => {
    const steps = [
      { name: 'a', sql: 'CREATE TABLE a (one integer)' },
      { name: 'b', sql: 'INSERT INTO a VALUES (1)' },
    ]
    await Promise.all([migrate(open(), steps), migrate(open(), steps), migrate(open(), steps)])
    assert.deepEqual(await server.query('SELECT * FROM a', url), [{ one: 1 }])
    const failing = [...steps, { name: 'c', sql: 'INSERT INTO a VALUES (2); SELECT nothing' }]
    await assert.rejects(migrate(open(), failing), /"nothing" does not exist/)
    assert.deepEqual(await server.query('SELECT * FROM a', url), [{ one: 1 }])
  })

  it('are refused if a newer version has taken over', async () => {
    await migrate(open(), [{ name: 'a', sql: 'CREATE TABLE a (one integer)' }])
    await migrate(open(), [{ name: 'z', sql: 'SELECT 1', minVersion: 1000 }])
    await assert.rejects(migrate(open(), []), {
      name: 'DatabaseUnfit',
      message: /belongs to a newer version of Palimpsest: its tables need version 1000, .* Upgrade this node\./,
    })
  })

  it('are refused to a server that may lose acknowledged writes', async () => {
    const refused = (message: RegExp) =>
      assert.rejects(
        open().use(async () => undefined),
        { name: 'DatabaseUnfit', message },
      )
    const switchOff = async (name: string) => {
      await server.query(`ALTER SYSTEM SET ${name} = off`)
      await server.query('SELECT pg_reload_conf()')
      while ((await server.query(`SHOW ${name}`))[0]?.[name] !== 'off');
    }
    await switchOff('full_page_writes')
    await refused(/has full_page_writes off: .* Set "full_page_writes = on"/)
    await switchOff('fsync')
    await refused(/has fsync off: .* Set "fsync = on" in postgresql\.conf and reload it\./)
  })
})
