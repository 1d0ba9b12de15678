import assert from 'node:assert/strict'
import { assertSound, git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Page, put, visit } from '../client.js'

describe('many writers at once', () => {
  let running: TestService
  let service: TestService
  before(async () => {
    running = await startOwnService({ env: { WRITER_THREADS: '2' } })
  })
  after(() => running.stop())
  beforeEach(async () => {
    service = await running.inNewWorkspace()
  })

  it('make 50 pages on one site and 50 on another: 100 commits, 100 pages, two sound repositories', async () => {
    const admin = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(admin.key).post('/sites').send({ slug: 'second' })
    const sites = [service.site.id, (body.data as { id: string }).id]
    const gitdirs = [service.gitdir(), service.gitdir('second')]
    const before = gitdirs.map((gitdir) => git(gitdir, 'rev-list', '--count', 'main'))

    const pages = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const html = `page ${i}`
        const made = await service
          .api()
          .post('/pages')
          .send({ path: `/page-${i}`, html, siteId: sites[i % 2] })
        assert.equal(made.status, 201)
        return { html, page: made.body.data as Page }
      }),
    )

    assert.equal(new Set(pages.map(({ page }) => page.id)).size, 100)
    assert.equal(new Set(pages.map(({ page }) => page.version.id)).size, 100)
    for (const { html, page } of pages) assert.equal((await visit(service.origin, page.url)).bytes.toString(), html)
    for (const [i, gitdir] of gitdirs.entries()) {
      assert.equal(Number(git(gitdir, 'rev-list', '--first-parent', '--count', 'main')) - Number(before[i]), 50)
      assert.equal(git(gitdir, 'ls-tree', '--name-only', 'main').match(/^page-\d+\.html$/gm)?.length, 50)
      assertSound(gitdir)
    }
  })

  it('each get their own version if 40 of them write one page', async () => {
    const page = await put(service.api(), '/hot', 'version 1')
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        service
          .api()
          .put(`/pages/${page.id}/content`)
          .send({ html: `by writer ${i}` }),
      ),
    )
    const versions = answers.map(({ body }) => (body.data as Page).version)
    const numbers = versions.map(({ number }) => number)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 40 }, (_, i) => i + 2),
    )
    for (const [i, { id, number }] of versions.entries()) {
      assert.equal(git(service.gitdir(), 'cat-file', '-p', `${id}:hot.html`), `by writer ${i}`)
      assert.equal(
        git(service.gitdir(), 'rev-list', '--count', '--first-parent', id, '--', 'hot.html').trim(),
        `${number}`,
      )
      const read = await service.api().get(`/pages/${page.id}/versions/${number}`)
      assert.equal((read.body.data as { id: string }).id, id)
    }
  })

  it('get one of two writes with the same entity tag accepted, and the other answer has the current tag', async () => {
    const page = await put(service.api(), '/shared', 'read by both')
    for (let round = 0; round < 5; round++) {
      const { body } = await service.api().get(`/pages/${page.id}`)
      const { etag } = body.data as Page
      const write = (html: string) =>
        service
          .api()
          .put(`/pages/${page.id}/content`)
          .set('If-Match', etag)
          .send({ html: `${html} ${round}` })
      const answers = await Promise.all([write('first'), write('second')])
      const [written, refused] = answers.toSorted((a, b) => a.status - b.status)
      assert.deepEqual([written?.status, refused?.status], [200, 412])
      assert.equal(refused?.body.error.code, 'precondition_failed')
      assert.equal(refused?.get('ETag'), written?.body.data.etag)
    }
    const { body } = await service.api().get(`/pages/${page.id}/versions`)
    assert.equal(body.data.length, 6)
  })
})
