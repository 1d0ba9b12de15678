import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { Store } from '../../../src/repository/store.js'
import { assertSound, git } from '../../support/git.js'
import { isLeftover } from '../../faults/ground/leftovers.js'
import { type Page, put, visit } from '../client.js'
import { endProcesses, makeKey, run, serve, type ServeProcess } from '../serve-process.js'

const PAGES = 50
const REF = fileURLToPath(new URL('../../../src/git/repository/ref.js', import.meta.url))

describe('kill -9', () => {
  let dataDir: string
  let gitdir: string
  let server: ServeProcess

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-kill-'))
    gitdir = join(dataDir, 'demo.git')
    server = await serve({ dataDir })
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  const kill = async () => {
    server.signal('SIGKILL')
    await server.ended
  }

  /** Everything that a crash may leave: locks, `.keep` files, temporary files. */
  function leftovers(): string[] {
    return readdirSync(gitdir, { recursive: true, encoding: 'utf8' }).filter(isLeftover)
  }

  /**
   * Publishes 50 pages at once and kills the service once `enough` of them are acknowledged; answers those that were. The fault
   * program kill-sweep kills it at each step.
   */
  async function publishUntilKilled(key: string, enough: number): Promise<Page[]> {
    const acknowledged: Page[] = []
    const one = async (i: number) => {
      acknowledged.push(await put(server.api(key), `/many/${i}`, `page ${i}`))
      if (acknowledged.length === enough) server.signal('SIGKILL')
    }
    await Promise.allSettled(Array.from({ length: PAGES }, (_, i) => one(i)))
    await server.ended
    return acknowledged
  }

  it('loses no acknowledged write in the middle of 50 publishes, and the repository accepts writes at once', async () => {
    const key = await makeKey(dataDir)
    const enough = 1 + Math.floor(Math.random() * (PAGES - 20))
    const said = `killed after ${enough} acknowledgements`
    const acknowledged = await publishUntilKilled(key, enough)
    assert.ok(acknowledged.length >= enough, said)
    const known = new Map(acknowledged.map(({ path, id }) => [path, id]))
    assertSound(gitdir)

    server = await serve({ dataDir })
    known.set('/after', (await put(server.api(key), '/after', 'first write')).id)
    assert.deepEqual(leftovers(), [], said)

    const { body } = await server.api(key).get('/pages?limit=1000')
    const pages = body.data as Page[]
    const ids = new Map(pages.map(({ path, id }) => [path, id]))
    for (const [path, id] of known) assert.equal(ids.get(path), id, `${path}: ${said}`)
    // Each existing page is complete and has a commit of its own, acknowledged or not.
    for (const { path, url } of pages.filter(({ path: name }) => name.startsWith('/many/'))) {
      const { bytes } = await visit(server.origin, url)
      assert.equal(bytes.toString(), `page ${path.split('/')[2]}`, said)
    }
    assert.equal(Number(git(gitdir, 'rev-list', '--count', 'main')), pages.length + 1, said)
    assertSound(gitdir)
  })

  it("leaves a lock on main that the next start recognises as the service's own", async () => {
    const key = await makeKey(dataDir)
    await kill()
    const lockAndDie = `
      const { lockRef } = await import(${JSON.stringify(REF)})
      lockRef(${JSON.stringify(gitdir)}, 'refs/heads/main')
      process.kill(process.pid, 'SIGKILL')`
    await run(process.execPath, ['--input-type=module', '-e', lockAndDie])
    assert.ok(existsSync(join(gitdir, 'refs/heads/main.lock')))

    server = await serve({ dataDir })
    await put(server.api(key), '/first', 'first write')
    assert.deepEqual(leftovers(), [])
  })

  it("never removes git's own lock: writes wait for it, then are refused with Retry-After", async () => {
    const key = await makeKey(dataDir)
    const lock = join(gitdir, 'refs/heads/main.lock')
    writeFileSync(lock, '')
    const waiting = put(server.api(key), '/waits', 'waited')
    // It waits while other requests are answered.
    for (let n = 0; n < 20; n++) await visit(server.origin, 'http://demo.localhost/')
    rmSync(lock)
    await waiting

    writeFileSync(lock, '')
    const { status, body } = await server.api(key).put('/pages?path=/refused').type('html').send('refused')
    assert.deepEqual([status, body.error?.code], [503, 'site_busy'])
    assert.equal(readFileSync(lock, 'utf8'), '')
    assert.equal((await visit(server.origin, 'http://demo.localhost/waits')).bytes.toString(), 'waited')
  })

  it('leaves each site that was being created either finished or absent', async () => {
    const key = await makeKey(dataDir, 'admin')
    const acknowledged: string[] = []
    const create = async (slug: string) => {
      const { status } = await server.api(key).post('/sites').send({ slug })
      assert.equal(status, 201)
      acknowledged.push(slug)
      if (acknowledged.length === 5) server.signal('SIGKILL')
    }
    const slugs = Array.from({ length: 15 }, (_, i) => `site-${i}`)
    await Promise.allSettled(slugs.map(create))
    await server.ended
    assert.ok(acknowledged.length >= 5)

    server = await serve({ dataDir })
    const { body } = await server.api(key).get('/sites?limit=1000')
    const sites = new Map((body.data as { slug: string; id: string }[]).map(({ slug, id }) => [slug, id]))
    for (const slug of acknowledged) assert.ok(sites.has(slug), slug)
    for (const slug of slugs) {
      if (!sites.has(slug)) assert.equal((await server.api(key).post('/sites').send({ slug })).status, 201, slug)
    }
    for (const [slug, id] of sites) {
      assertSound(join(dataDir, `${slug}.git`))
      const page = await put(server.api(key), '/first', slug, id)
      assert.equal((await visit(server.origin, page.url)).bytes.toString(), slug)
    }
    const folders = readdirSync(dataDir).filter((name) => name.endsWith('.git'))
    assert.deepEqual(folders.toSorted(), ['demo', ...slugs].map((slug) => `${slug}.git`).toSorted())
  })

  it('leaves the name of a half-created site free, or the site finished', async () => {
    const key = await makeKey(dataDir, 'admin')
    await kill()
    // The state between the steps: two rows that say `creating`, and the repository of one of them.
    const catalog = await openCatalog(dataDir, { clock: () => new Date() })
    const store = new Store({
      dataDir,
      limits: { writerThreads: 1, diskReserveBytes: 0 },
    })
    const [workspace] = await catalog.workspaces.list()
    assert.ok(workspace)
    const reserve = (slug: string) => {
      const createdAt = '2026-11-21T10:00:00Z'
      return catalog.sites.reserve({ id: randomUUID(), workspaceId: workspace.id, slug, createdAt })
    }
    await reserve('dropped')
    await store.writers.createRepository(await reserve('finished'), 1_790_000_000)
    await store.close()
    await catalog.close()

    server = await serve({ dataDir })
    const { body } = await server.api(key).get('/sites')
    const sites = body.data as { slug: string; id: string }[]
    assert.deepEqual(
      sites.map(({ slug }) => slug),
      ['demo', 'finished'],
    )
    await put(server.api(key), '/first', 'on the finished site', sites[1]?.id)
    assert.equal((await server.api(key).post('/sites').send({ slug: 'dropped' })).status, 201)
  })
})
