import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { endProcesses, runPalimpsest, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { serveSites } from './beside.js'
import { visitAnew } from './visits.js'

describe('a start with --role sites', () => {
  let folder: string
  let dataDir: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-starts-'))
    dataDir = join(folder, 'data')
  })
  after(async () => {
    await endProcesses(folder)
  })

  const start = (env: Record<string, string> = {}, role = 'sites') =>
    runPalimpsest({ DATA_DIR: dataDir, PORT: '0', ...env }, 'serve', '--role', role)

  async function stop(process: ServeProcess): Promise<void> {
    process.signal('SIGTERM')
    assert.equal((await process.ended).code, 0)
  }

  it('is refused before api has created a catalog, and creates nothing', async () => {
    const { code, stderr } = await start()
    assert.deepEqual([code, stderr], [1, `palimpsest: DATA_DIR (${dataDir}) is not there: start the role api first.\n`])
    mkdirSync(dataDir)
    assert.match((await start()).stderr, /has no catalog yet: start the role api first\.\n$/)
  })

  it('is refused on a node, and for an unknown role', async () => {
    const node = await start({ DATABASE_URL: 'postgres://ada:secret@localhost/palimpsest' })
    assert.equal(node.code, 1)
    assert.match(node.stderr, /leave out --role sites, and add nodes for more load/)
    assert.equal((await start({}, 'web')).code, 2)
  })

  it('serves with and without api, and both refuse programs that need the folder exclusively', async () => {
    const api = await serve({ dataDir, args: ['--role', 'api'] })
    const sites = await serveSites(dataDir)
    assert.match((await start({}, 'api')).stderr, /Another process serves .*: stop it first/)
    await stop(api)
    assert.equal((await visitAnew(sites.port, 'demo', '/')).status, 200)
    const { code, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'recover')
    assert.equal(code, 1)
    assert.match(stderr, /stop all its processes first, those with the role sites too/)
    const late = await serveSites(dataDir)
    assert.equal((await visitAnew(late.port, 'demo', '/')).status, 200)
    await stop(sites)
    await stop(late)
  })

  it('is refused if the catalog has another schema, and says which it needs', async () => {
    const change = (sql: string) => {
      const catalog = openSqlite(join(dataDir, 'catalog.db'), { synchronous: 'FULL' })
      catalog.exec(sql)
      catalog.close()
    }
    change("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2026')")
    const { code, stderr } = await start()
    change("DELETE FROM kysely_migration WHERE name = '9999-later'")
    assert.equal(code, 1)
    assert.match(
      stderr,
      /has the schema 9999-later, and this process needs 00\d\d-\S+: start the role api of the same version first\.\n$/,
    )
  })
})
