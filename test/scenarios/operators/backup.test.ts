import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { exceptFromJudgement } from '../../support/second-judge.js'
import { type Page, put, visit } from '../client.js'
import { endProcesses, makeKey, runPalimpsest, serve, type ServeProcess } from '../serve-process.js'

describe('a backup', function () {
  this.timeout(60_000)
  let root: string
  let dataDir: string
  let dir: string
  let server: ServeProcess
  let key: string

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-backup-'))
    dataDir = join(root, 'data')
    dir = join(root, 'backup')
    server = await serve({ dataDir })
    key = await makeKey(dataDir, 'admin')
  })
  afterEach(async () => {
    await endProcesses()
    rmSync(root, { recursive: true, force: true })
  })

  async function stop(): Promise<void> {
    server.signal('SIGTERM')
    await server.ended
  }

  async function restoreAndServe(): Promise<string> {
    const restored = join(root, 'restored')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: restored }, 'restore', dir)
    assert.equal(code, 0, stderr)
    await stop()
    server = await serve({ dataDir: restored })
    return restored
  }

  it('holds every write answered before it began, with the same ids, commits and keys, although others write meanwhile', async () => {
    await server.api(key).post('/sites').send({ slug: 'second' })
    const pages: Page[] = []
    const stopped = new AbortController()
    const writer = async (slug: string) => {
      for (let i = 0; !stopped.signal.aborted; i++)
        pages.push(await put(server.api(key), `/${slug}-${i}`, `${slug} ${i}`))
    }
    const writers = ['a', 'b', 'c'].map(writer)
    while (pages.length < 50) await new Promise((resolve) => setTimeout(resolve, 5))
    const before = [...pages]
    const backup = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    stopped.abort()
    await Promise.all(writers)
    assert.equal(backup.code, 0, backup.stderr)

    const restored = await restoreAndServe()
    for (const { id, version, path } of before) {
      const { body } = await server.api(key).get(`/pages/${id}`)
      assert.deepEqual((body.data as Page).version, version)
      assert.match((await visit(server.origin, `http://demo.localhost${path}`)).bytes.toString(), /^[abc] \d+$/)
      assert.equal(git(join(restored, 'demo.git'), 'merge-base', '--is-ancestor', version.id, 'main'), '')
    }
    assert.equal((await server.api(key).get('/sites')).body.data.length, 2)
    for (const slug of ['demo', 'second']) assertSound(join(restored, `${slug}.git`))
  })

  it('copies only what is new when it is taken again, and can be cloned like the site', async () => {
    await put(server.api(key), '/large', Array.from({ length: 20_000 }, () => Math.random().toString(36)).join(' '))
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const first = bytesIn(join(dir, 'sites'))
    await put(server.api(key), '/small', 'a few bytes')
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 0, again.stderr)
    const added = bytesIn(join(dir, 'sites')) - first
    assert.ok(first > 100_000 && added > 0 && added < 10_000, `${added} bytes after ${first}`)
    git(root, 'clone', '--quiet', join(dir, 'sites', 'demo.git'), 'clone')
    assert.equal(git(join(root, 'clone'), 'show', 'HEAD:small.html'), 'a few bytes')
  })

  it('leaves the backup before it intact when it is cut short, and the next run finishes it', async () => {
    const page = await put(server.api(key), '/page', 'first')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    await put(server.api(key), '/later', 'second')
    // The files that a kill in the middle of a backup leaves.
    writeFileSync(join(dir, 'catalog.db.new'), 'half a cat')
    const restored = join(root, 'from-the-first')
    assert.equal((await runPalimpsest({ DATA_DIR: restored }, 'restore', dir)).code, 0)
    assert.equal(git(join(restored, 'demo.git'), 'rev-parse', 'main'), page.version.id)
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 0, again.stderr)
    await restoreAndServe()
    assert.equal((await visit(server.origin, 'http://demo.localhost/later')).bytes.toString(), 'second')
  })

  it('names a site that cannot be read, keeps its older copy, and holds all others', async () => {
    await server.api(key).post('/sites').send({ slug: 'second' })
    await put(server.api(key), '/page', 'good')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    await stop()
    exceptFromJudgement(join(dataDir, 'demo.git'))
    renameSync(join(dataDir, 'demo.git', 'objects'), join(root, 'lost-objects'))
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /demo failed: .*\n/)
    assert.match(again.stderr, /second copied/)
    assert.equal(git(join(dir, 'sites', 'demo.git'), 'show', 'main:page.html'), 'good')
    server = await serve({ dataDir })
  })

  it('is restored only into an empty directory, and only when it is complete', async () => {
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const full = await runPalimpsest({ DATA_DIR: dataDir }, 'restore', dir)
    assert.equal(full.code, 1)
    assert.match(full.stderr, /is not empty/)
    rmSync(join(dir, 'manifest.json'))
    const broken = await runPalimpsest({ DATA_DIR: join(root, 'new') }, 'restore', dir)
    assert.equal(broken.code, 1)
    assert.match(broken.stderr, /holds no whole backup/)
    const within = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', join(dataDir, 'backup'))
    assert.equal(within.code, 1)
    assert.match(within.stderr, /choose a folder elsewhere/)
  })
})

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
  return files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0)
}
