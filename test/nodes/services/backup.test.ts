import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { type RunningApi, startApi } from '../../../src/processes/roles/api.js'
import { loadConfig } from '../../../src/processes/config/config.js'
import { findPrograms, PostgresServer } from '../../servers/postgres-server.js'
import { assertSound, git } from '../../support/git.js'
import { mintTestKey } from '../../support/mint-key.js'
import { requestAs } from './request-as.js'

describe('a backup of the nodes: a dump of their database', () => {
  const folders: string[] = []
  const running: RunningApi[] = []
  let database: PostgresServer

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
    folders.push(folder)
    return folder
  }

  async function startNode(url: string, dataDir: string): Promise<RunningApi> {
    const given = { PORT: '0', DISK_RESERVE_BYTES: '0', WRITER_THREADS: '1', SITE_DOMAIN: 'sites.example' }
    const config = loadConfig({ ...given, DATABASE_URL: url, DATA_DIR: dataDir })
    const clock = () => new Date()
    const node = await startApi(config, { logger: pino({ level: 'silent' }), clock, newId: randomUUID })
    running.push(node)
    return node
  }

  before(async function () {
    database = await PostgresServer.start()
  })
  after(async () => {
    for (const node of running) await node.stop()
    await database?.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** A node that lacks what the database has refuses a site, and says when to try again. */
  const clientOf = (key: string) => async (node: RunningApi, method: string, path: string, body?: object) => {
    for (;;) {
      const answer = await requestAs(node.port, { method, path: `/api/v1${path}`, bearer: key, body })
      if (answer.status < 300) return answer.body.data
      assert.equal(answer.body.error.code, 'site_busy', answer.text)
      await pause(50)
    }
  }

  // PostgreSQL of npm has none.
  const itWithDump = existsSync(join(findPrograms() ?? '', 'pg_dump')) ? it : () => undefined
  itWithDump('brings back every site, record and key on nodes with empty folders', async () => {
    const [lostUrl, url] = [await database.createDatabase(), await database.createDatabase()]
    const dataDir = newFolder()
    const lost = await startNode(lostUrl, dataDir)
    const { services } = lost.service
    const [workspace] = await services.catalog.workspaces.list()
    const { key } = await mintTestKey(services, { workspaceId: workspace?.id ?? '', scopes: ['admin'] })
    const ask = clientOf(key)
    const sitesOf = async (node: RunningApi) =>
      (await ask(node, 'GET', '/sites')).map(({ id, slug, createdAt }: Record<string, string>) => [id, slug, createdAt])
    const shop = await ask(lost, 'POST', '/sites', { slug: 'shop' })
    for (const siteId of [shop.id, undefined])
      for (let i = 0; i < 3; i++) await ask(lost, 'POST', '/pages', { siteId, path: `/page-${i}`, html: `<p>${i}` })
    const rows = await ask(lost, 'POST', '/collections', { name: 'rows' })
    const record = await ask(lost, 'POST', `/collections/${rows.id}/records`, { data: { name: 'one' } })
    const sites = await sitesOf(lost)
    const heads = ['demo', 'shop'].map((slug) => git(join(dataDir, `${slug}.git`), 'rev-parse', 'main'))
    await lost.stop()

    // The server that is lost had counted more transactions than the new one has.
    await database.query("UPDATE log.sites SET changed = '99999999999'", lostUrl)
    const dump = join(database.folder, 'dump.sql')
    database.run('pg_dump', '--no-owner', '-f', dump, lostUrl)
    database.run('psql', '-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, url)
    const restored = [newFolder(), newFolder()]
    const nodes = [await startNode(url, restored[0] ?? ''), await startNode(url, restored[1] ?? '')] as const

    for (const [at, node] of nodes.entries()) {
      assert.deepEqual(await sitesOf(node), sites)
      const { data } = await ask(node, 'GET', `/collections/${rows.id}/records/${record.id}`)
      assert.deepEqual(data, { name: 'one' })
      const folder = restored[at] ?? ''
      for (const slug of ['demo', 'shop']) assertSound(join(folder, `${slug}.git`))
      assert.deepEqual(
        ['demo', 'shop'].map((slug) => git(join(folder, `${slug}.git`), 'rev-parse', 'main')),
        heads,
      )
      assert.equal((await requestAs(node.port, { path: '/page-2', host: 'shop.sites.example' })).text, '<p>2')
    }
    const page = await ask(nodes[0], 'POST', '/pages', { path: '/after', html: '<p>after' })
    const versions = await ask(nodes[1], 'GET', `/pages/${page.id}/versions`)
    assert.equal(versions[0].verified, 'service')
    const before = (await ask(nodes[1], 'GET', '/pages')).find(({ path }: { path: string }) => path === '/page-0')
    assert.equal((await ask(nodes[1], 'GET', `/pages/${before.id}/versions`))[0].verified, 'service')
    // A poll asks for the changes since the previous one.
    const later = 'SELECT 1 FROM log.sites WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())'
    assert.deepEqual(await database.query(later, url), [])
  })
})
