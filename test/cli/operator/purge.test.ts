import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { recoverCatalog } from '../../../src/repository/backup/recover.js'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('`sites purge`, while the service runs', () => {
  let dataDir: string
  let service: TestService
  let key: string
  let id: string

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-purge-'))
    service = await startOwnService({ dataDir, keep: true })
    ;({ key } = await service.mint({ scopes: ['admin'] }))
    const { body } = await admin().post('/sites').send({ slug: 'gone' }).expect(201)
    id = (body as { data: { id: string } }).data.id
    const commit = git(service.gitdir('gone'), 'rev-parse', 'main').trim()
    await admin().post(`/sites/${id}/links`).send({ commit }).expect(201)
    await admin().delete(`/sites/${id}`).expect(200)
  })
  afterEach(async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const admin = () => service.api(key)
  const purge = (...args: string[]) => runPalimpsest({ DATA_DIR: dataDir }, 'sites', 'purge', ...args)
  const files = () => readdirSync(join(dataDir, '.retired', `gone-${id}.git`))
  const rows = () => {
    const catalog = openSqlite(join(dataDir, 'catalog.db'), { synchronous: 'NORMAL' })
    const found = catalog.prepare<{ links: number }>('SELECT count(*) AS links FROM links WHERE site_id = ?').all([id])
    catalog.close()
    return found[0]?.links
  }

  it('removes what is left of a deleted site, once, and never its slug', async () => {
    const pictures = join(dataDir, 'pictures', id)
    mkdirSync(pictures, { recursive: true })
    writeFileSync(join(pictures, 'smaller'), 'bytes')
    const { code, stdout, stderr } = await purge('--older-than', '0', '--yes')
    assert.equal(code, 0, stderr)
    assert.equal(existsSync(pictures), false)
    assert.match(stdout, new RegExp(`^gone\t${id}\t\\d{4}-\\d\\d-\\d\\d\t.*B\n$`))
    assert.deepEqual([files(), rows()], [[], 0])
    await admin().post('/sites').send({ slug: 'gone' }).expect(409)
    await service.visit('/').expect(200)
    const again = await purge('--older-than', '0', '--yes')
    assert.deepEqual([again.code, again.stdout], [0, ''])
    assert.match(again.stderr, /No deleted site/)
  })

  it('removes nothing without `--yes` where nobody can be asked, nor before the time', async () => {
    const unasked = await purge('--older-than', '0')
    assert.deepEqual([unasked.code, unasked.stdout.split('\t')[0]], [2, 'gone'])
    assert.match(unasked.stderr, /Nothing was removed.*--yes/)
    assert.equal((await purge('--yes')).stdout, '')
    assert.equal((await purge('--older-than', 'week')).code, 2)
    assert.ok(files().includes('HEAD'))
    assert.equal(rows(), 1)
  })

  it('leaves the slug reserved for a catalog that is made anew', async () => {
    await purge('--older-than', '0', '--yes')
    await service.stop()
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `catalog.db${end}`), { force: true })
    const progress = {
      begin: () => undefined,
      adopted: () => undefined,
      recovered: () => undefined,
      failed: assert.fail,
    }
    await recoverCatalog(dataDir, { clock: () => new Date(), newId: randomUUID, progress })
    service = await startOwnService({ dataDir, keep: true })
    ;({ key } = await service.mint({ scopes: ['admin'] }))
    await admin().post('/sites').send({ slug: 'gone' }).expect(409)
  })
})
