import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { git, withClone } from '../../support/git.js'
import { exceptFromJudgement } from '../../support/second-judge.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { gatherAnswers } from '../answers.js'
import { type ApiClient, put, visit } from '../client.js'
import { liveIn } from '../operators/lived-in-site.js'
import { commitFiles } from '../operators/operator.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { runPalimpsest } from '../serve-process.js'

describe('another workspace of the same service', () => {
  let running: TestService
  let service: TestService
  /** The slug next door. */
  let next: string
  let count = 0
  /** The workspace next door: its default site, and a key of its own. */
  let other: { api: ApiClient; siteId: string; gitdir: string }

  before(async () => {
    running = await startOwnService()
  })
  after(() => running.stop())
  beforeEach(async () => {
    service = await running.inNewWorkspace()
    next = `next-door-${++count}`
    await put(service.api(), '/here', 'here')
    const { stdout } = await runPalimpsest(
      { DATA_DIR: service.dataDir },
      'workspaces',
      'create',
      'Next door',
      '--site',
      next,
    )
    const [workspaceId = '', siteId = ''] = stdout.match(/[0-9a-f-]{36}/g) ?? []
    const { key } = await service.mint({ workspaceId })
    other = { api: service.api(key), siteId, gitdir: service.gitdir(next) }
  })

  it('changes nothing in this one by pushing sidecars, collections and records with its ids', async () => {
    await liveIn(service)
    const before = await gatherAnswers(service.api(), service.site.id)
    const files = git(service.gitdir(), 'ls-tree', '-r', '--name-only', 'main').split('\n')
    const stolen = files.filter((file) => file.startsWith('.pages/') || file.startsWith('collections/'))
    assert.ok(stolen.length > 6)
    const pages = (await service.api().get('/pages')).body.data as { id: string; path: string }[]
    await withClone(other.gitdir, (clone) => {
      const contents = stolen.map((file) => [file, git(service.gitdir(), 'show', `main:${file}`)])
      const htmls = pages.map(({ path }) => [`${path === '/' ? 'index' : path.slice(1, 40)}.html`, 'written next door'])
      commitFiles(clone, 'Take ids from next door', Object.fromEntries([...contents, ...htmls]))
      git(clone, 'push', '--quiet')
    })
    // It is seen next door, and next door alone.
    await within(PATIENCE_MS, async () => assert.equal((await service.visit('/about', next)).text, 'written next door'))
    const about = pages.find(({ path }) => path === '/about')?.id ?? ''
    await within(PATIENCE_MS, async () =>
      assert.equal((await other.api.get(`/pages/${about}`)).body.data?.html, 'written next door'),
    )
    assert.deepEqual(await gatherAnswers(service.api(), service.site.id), before)

    assert.equal((await other.api.put(`/pages/${about}/content`).send({ html: 'again' })).status, 200)
    assert.equal((await other.api.delete(`/pages/${about}`)).status, 200)
    assert.deepEqual(await gatherAnswers(service.api(), service.site.id), before)
    assert.equal((await service.visit('/about')).text, 'edited by hand\n')
  })

  it('learns nothing of this one: its ids are answered like ids that do not exist', async () => {
    const [page] = (await service.api().get('/pages')).body.data as { id: string }[]
    const made = await service.api().post('/collections').send({ name: 'Books' })
    const answer = async (path: string) => {
      const { status, body } = await other.api.get(path)
      delete body.error?.requestId
      return { status, body }
    }
    for (const [known, like] of [
      [page?.id, (id: string) => `/pages/${id}`],
      [page?.id, (id: string) => `/pages/${id}/versions`],
      [made.body.data.id, (id: string) => `/collections/${id}/records`],
      [service.site.id, (id: string) => `/sites/${id}/commits`],
    ] as const) {
      assert.deepEqual(await answer(like(known ?? '')), await answer(like(randomUUID())))
    }
    const aimed = other.api.get('/pages').set('x-service-site-id', service.site.id)
    assert.equal((await aimed).status, 404)
  })

  it("is not harmed by a broken repository of this one, nor are this one's other sites", async () => {
    const admin = await service.mint({ scopes: ['admin'] })
    const made = await service.api(admin.key).post('/sites').send({ slug: 'sister' })
    const sister = await put(service.api(), '/fine', 'fine', (made.body.data as { id: string }).id)
    await put(other.api, '/fine', 'fine')
    exceptFromJudgement(service.gitdir())
    rmSync(join(service.gitdir(), 'objects'), { recursive: true })
    rmSync(join(service.gitdir(), 'refs'), { recursive: true })

    await within(PATIENCE_MS, async () => {
      assert.equal((await service.visit('/here')).status, 503)
      const { status, body, headers } = await service.api().get('/pages')
      assert.deepEqual([status, body.error?.code, headers['retry-after']], [503, 'site_unreadable', '1'])
    })
    const write = await service.api().post('/pages').send({ path: '/new', html: 'x' })
    assert.deepEqual([write.status, write.body.error.code], [503, 'site_unreadable'])

    assert.equal((await visit(service.origin, sister.url)).status, 200)
    assert.equal((await service.visit('/fine', next)).status, 200)
    assert.equal((await service.api().get(`/pages/${sister.id}`)).status, 200)
    assert.equal((await service.api().put(`/pages/${sister.id}/content`).send({ html: 'better' })).status, 200)
    await put(other.api, '/fine', 'better')
    assert.equal((await supertest(service.origin).get('/healthz')).status, 200)
    const { code, stdout } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'fsck')
    assert.equal(code, 1)
    assert.match(stdout, new RegExp(`^${service.site.slug}: cannot be read`, 'm'))
    assert.doesNotMatch(stdout, new RegExp(`^(?:sister|${next}):`, 'm'))
  })

  it('is served while a ref of this workspace holds no oid, and so is this one once it is repaired', async () => {
    const main = join(service.gitdir(), 'refs/heads/main')
    const head = git(service.gitdir(), 'rev-parse', 'main')
    writeFileSync(main, '')
    await within(PATIENCE_MS, async () => assert.equal((await service.visit('/here')).status, 503))
    assert.equal((await service.visit('/', next)).status, 404)
    await put(other.api, '/fine', 'fine')
    writeFileSync(main, `${head}\n`)
    await within(PATIENCE_MS, async () => assert.equal((await service.visit('/here')).status, 200))
    await put(service.api(), '/here', 'repaired')
    assert.equal((await service.visit('/here')).text, 'repaired')
  })
})
