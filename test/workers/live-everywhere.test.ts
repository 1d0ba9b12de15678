import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import supertest from 'supertest'
import { put } from '../scenarios/client.js'
import { PATIENCE_MS, within } from '../support/within.js'
import { endProcesses, makeKey, runPalimpsest, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { flipByteOf } from '../support/damage.js'
import { git, withClone } from '../support/git.js'
import { visitEverywhere, workersOf } from './fresh-connection.js'

const WRITERS = 4
const WRITES_EACH = 50

describe('a service with two workers', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-workers-'))
    server = await serve({ dataDir, env: { WORKERS: '2' } })
    key = await makeKey(dataDir, 'admin')
  })
  after(async () => {
    await endProcesses()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function createSite(slug: string): Promise<string> {
    const { status, body } = await server.api(key).post('/sites').send({ slug })
    assert.equal(status, 201)
    return (body.data as { id: string }).id
  }

  it('runs them beside the first process', () => {
    assert.equal(workersOf(server.pid).length, 2)
  })

  it('shows every write to each GET begun after its answer, through whichever process', async () => {
    let stale = 0
    let seen = 0
    const writer = async (number: number) => {
      const slug = `site-${number % 2}`
      const path = `/page-${number}`
      for (let i = 0; i < WRITES_EACH; i++) {
        await put(server.api(key), path, `${number}: ${i}`, ids[number % 2])
        const answers = await visitEverywhere(server.port, slug, path)
        const current = answers.filter(({ body }) => body === `${number}: ${i}`).length
        seen += current
        stale += answers.length - current
      }
    }
    const ids = [await createSite('site-0'), await createSite('site-1')]
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)))
    assert.deepEqual({ stale, seen }, { stale: 0, seen: WRITERS * WRITES_EACH * 8 })
  })

  it('shows an unpublished page to nobody once the request is answered', async () => {
    for (let i = 0; i < 10; i++) {
      const { id } = await put(server.api(key), '/passing', String(i))
      for (const { body } of await visitEverywhere(server.port, 'demo', '/passing')) assert.equal(body, String(i))
      assert.equal((await server.api(key).delete(`/pages/${id}`)).status, 200)
      for (const { status } of await visitEverywhere(server.port, 'demo', '/passing')) assert.equal(status, 404)
    }
  })

  it('serves a site from the answer that created it to the answer that deleted it', async () => {
    for (let i = 0; i < 5; i++) {
      const slug = `short-${i}`
      for (const { status } of await visitEverywhere(server.port, slug, '/')) assert.equal(status, 404)
      const id = await createSite(slug)
      await put(server.api(key), '/', slug, id)
      for (const { body } of await visitEverywhere(server.port, slug, '/')) assert.equal(body, slug)
      assert.equal((await server.api(key).delete(`/sites/${id}`)).status, 200)
      for (const { status } of await visitEverywhere(server.port, slug, '/')) assert.equal(status, 404)
    }
  })

  it('shows the past of a site from the answer that makes it public to the answer that hides it', async () => {
    const id = await createSite('open')
    await put(server.api(key), '/', 'kept', id)
    const version = `${git(join(dataDir, 'open.git'), 'rev-parse', 'main').slice(0, 20)}--open`
    for (const publicHistory of [true, false, true, false]) {
      const { status } = await server.api(key).patch(`/sites/${id}`).send({ publicHistory })
      assert.equal(status, 200)
      for (const visited of await visitEverywhere(server.port, version, '/')) {
        assert.equal(visited.status, publicHistory ? 200 : 404)
      }
    }
  })

  it('shows a push of an operator within a second, through every process', async () => {
    await put(server.api(key), '/pushed', 'before')
    await visitEverywhere(server.port, 'demo', '/pushed')
    await withClone(join(dataDir, 'demo.git'), (folder) => {
      git(folder, 'mv', 'pushed.html', 'moved.html')
      git(folder, 'commit', '--quiet', '-m', 'Move')
      git(folder, 'push', '--quiet')
    })
    await pause(1000)
    for (const { status } of await visitEverywhere(server.port, 'demo', '/pushed')) assert.equal(status, 404)
  })

  it('serves no damaged byte through any process, and reports the damage', async () => {
    const [seen, unseen] = [randomBytes(20_000).toString('hex'), randomBytes(20_000).toString('hex')]
    await put(server.api(key), '/seen', seen)
    await put(server.api(key), '/unseen', unseen)
    await visitEverywhere(server.port, 'demo', '/seen')
    const gitdir = join(dataDir, 'demo.git')
    const oidOf = (name: string) => git(gitdir, 'rev-parse', `main:${name}.html`)
    const mendSeen = flipByteOf(gitdir, oidOf('seen'))
    // What a process holds in memory was looked at when it came in.
    for (const { status, body } of await visitEverywhere(server.port, 'demo', '/seen')) {
      assert.ok(status === 503 || body === seen)
    }
    mendSeen()
    const mendUnseen = flipByteOf(gitdir, oidOf('unseen'))
    for (const { status } of await visitEverywhere(server.port, 'demo', '/unseen')) assert.equal(status, 503)
    await within(PATIENCE_MS, async () => {
      const { text } = await supertest(server.origin).get('/healthz?verbose=1')
      assert.match(text, new RegExp(`object ${oidOf('unseen')} is corrupt`))
    })
    mendUnseen()
    for (const { body } of await visitEverywhere(server.port, 'demo', '/unseen')) assert.equal(body, unseen)
  })
})

describe('WORKERS', () => {
  it('are refused where the path of DATA_DIR is too long for a socket', async () => {
    const env = { DATA_DIR: join(tmpdir(), 'x'.repeat(100)), PORT: '0' }
    const { code, stderr } = await runPalimpsest(env, 'serve')
    assert.equal(code, 1)
    assert.match(stderr, /DATA_DIR must be a path of at most 89 bytes unless WORKERS is 0/)
  })
})
