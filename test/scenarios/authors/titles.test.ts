import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git, withClone } from '../../support/git.js'
import { startOwnService, startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'
import { commitFiles, runGit } from '../operators/operator.js'
import { PATIENCE_MS, within } from '../../support/within.js'

const titled = (title: string) => `<title>${title}</title><p>${title}</p>`
const sidecarOf = ({ id }: Page) => `.pages/${id.slice(0, 2)}/${id}.json`

describe("a page's title", () => {
  let running: TestService
  let service: TestService
  before(async () => {
    running = await startTestService()
  })
  beforeEach(async () => {
    service = await running.inNewWorkspace()
  })
  afterEach(() => service.stop())

  const create = async (body: object) => {
    const answer = await service.api().post('/pages').send(body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data as Page
  }
  const replace = async ({ id }: Page, html: string) => {
    const answer = await service.api().put(`/pages/${id}/content`).send({ html })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data as Page
  }
  const retitle = async ({ id }: Page, title: string | null) => {
    const answer = await service.api().patch(`/pages/${id}`).send({ title })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data as Page
  }
  const unpublish = async ({ id }: Page) => (await service.api().delete(`/pages/${id}`)).body.data as Page
  const list = async (query: object = { status: 'all' }) =>
    (await service.api().get('/pages').query(query)).body.data as Page[]
  const titleAt = async (path: string) => {
    const [page] = await list({ path, status: 'all' })
    return [page?.title, page?.titleIsSet]
  }
  /** Commits files as an operator, and waits until they are listed. */
  const push = async (files: Readonly<Record<string, string | null>>) => {
    await withClone(service.gitdir(), async (clone) => {
      const commit = commitFiles(clone, 'By hand', files)
      assert.equal((await runGit(clone, 'push', '--quiet')).code, 0)
      await within(PATIENCE_MS, async () => {
        const { body } = await service.api().get(`/sites/${service.site.id}/commits?limit=1`)
        assert.equal(body.data[0].id, commit)
      })
    })
  }
  /** A page as earlier versions stored it: its sidecar holds a title without a mark. */
  const pushOld = async (page: Page, title: string, html: string) =>
    push({
      [sidecarOf(page)]: `${JSON.stringify({ path: page.path, template: null, title })}\n`,
      [`${page.path.slice(1)}.html`]: html,
    })

  it('follows the document until a client sets it, and again once a client removes it', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    assert.equal(page.title, 'Alpha')
    assert.equal((await replace(page, titled('Beta'))).title, 'Beta')
    assert.deepEqual(
      (await list({ q: 'beta' })).map(({ id }) => id),
      [page.id],
    )
    assert.deepEqual(await list({ q: 'alpha' }), [])
    assert.equal((await retitle(page, 'Mine')).title, 'Mine')
    assert.equal((await replace(page, titled('Gamma'))).title, 'Mine')
    assert.equal((await retitle(page, null)).title, 'Gamma')
    assert.equal((await put(service.api(), '/a', titled('Delta'))).title, 'Delta')
    assert.equal((await replace(page, '<p>no title')).title, null)
  })

  it("is the document's if a client sends a blank one, by every way", async () => {
    const html = titled('Alpha')
    const page = await create({ path: '/a', html, title: '' })
    assert.deepEqual(await titleAt('/a'), ['Alpha', false])
    await retitle(page, 'Mine')
    const query = `path=/a&title=${encodeURIComponent(' ')}`
    await service.api().put(`/pages?${query}`).set('Content-Type', 'text/html').send(titled('Beta')).expect(200)
    assert.deepEqual(await titleAt('/a'), ['Mine', true])
    assert.equal((await retitle(page, '')).title, 'Beta')
    await retitle(page, 'Mine')
    const operations = [{ op: 'retitlePage', id: page.id, title: ' \t' }]
    await service.api().post('/batch').send({ operations }).expect(200)
    assert.deepEqual(await titleAt('/a'), ['Beta', false])
  })

  it("stays if a client set it to the document's own title", async () => {
    const made = await create({ path: '/made', html: titled('Same'), title: 'Same' })
    assert.equal((await replace(made, titled('Other'))).title, 'Same')
    const page = await create({ path: '/pinned', html: titled('Pinned') })
    assert.notEqual((await retitle(page, 'Pinned')).etag, page.etag)
    assert.equal((await retitle(page, 'Pinned')).changed, false)
    assert.equal((await replace(page, titled('Other'))).title, 'Pinned')
    const rendered = await create({ path: '/rendered', templateId: 'article', title: 'Rendered', html: 'x' })
    assert.equal((await replace(rendered, titled('Other'))).title, 'Rendered')
  })

  it('is removed once: a second null changes nothing', async () => {
    const page = await create({ path: '/a', html: titled('Alpha'), title: 'Mine' })
    const { etag } = await retitle(page, null)
    const again = await retitle(page, null)
    assert.deepEqual([again.changed, again.etag, again.title], [false, etag, 'Alpha'])
  })

  it('is written to the sidecar only if a client set it', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    const sidecar = () => JSON.parse(git(service.gitdir(), 'show', `main:${sidecarOf(page)}`)) as unknown
    assert.deepEqual(sidecar(), { path: '/a', template: null })
    await retitle(page, 'Mine')
    assert.deepEqual(sidecar(), { path: '/a', template: null, title: 'Mine', titleIsSet: true })
    await retitle(page, null)
    assert.deepEqual(sidecar(), { path: '/a', template: null })
    assertSound(service.gitdir())
  })

  it('follows a rollback and a revert, but does not change if a client set it', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    await replace(page, titled('Beta'))
    const rollback = () => service.api().post(`/pages/${page.id}/rollback`).send({ version: 1 })
    assert.equal((await rollback()).body.data.title, 'Alpha')
    await replace(page, titled('Beta'))
    const set = await retitle(page, 'Mine')
    assert.equal((await rollback()).body.data.title, 'Mine')
    const revert = (commit: string) => service.api().post(`/sites/${service.site.id}/revert`).send({ commit })
    await revert(set.etag.slice(1, -1)).expect(201)
    assert.deepEqual(await titleAt('/a'), ['Alpha', false])
    await replace(page, titled('Beta'))
    const last = await replace(page, titled('Gamma'))
    await revert(last.version.id).expect(201)
    assert.deepEqual(await titleAt('/a'), ['Beta', false])
  })

  it('is that of the last document for an unpublished page, and follows the new one when it returns', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    await replace(page, titled('Beta'))
    assert.equal((await unpublish(page)).title, 'Beta')
    assert.deepEqual(await titleAt('/a'), ['Beta', false])
    const again = await create({ path: '/a', html: titled('Gamma') })
    assert.deepEqual([again.id, again.title], [page.id, 'Gamma'])
    await retitle(page, 'Mine')
    await unpublish(page)
    assert.equal((await create({ path: '/a', html: titled('Delta') })).title, 'Mine')
  })

  it('is the one that a dry run predicts', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    const tried = async (title: string | null) =>
      (await service.api().patch(`/pages/${page.id}?dryRun=true`).send({ title })).body.data.title
    const content = { html: titled('Beta') }
    const { body } = await service.api().put(`/pages/${page.id}/content?dryRun=true`).send(content)
    assert.equal(body.data.title, 'Beta')
    assert.equal((await service.api().delete(`/pages/${page.id}?dryRun=true`)).body.data.title, 'Alpha')
    assert.equal(await tried('Mine'), 'Mine')
    await retitle(page, 'Mine')
    assert.equal(await tried(null), 'Alpha')
    await push({ 'pushed.html': titled('One') })
    await push({ 'pushed.html': titled('Two') })
    const [pushed] = await list({ path: '/pushed' })
    const back = await service.api().post(`/pages/${pushed?.id}/rollback?dryRun=true`).send({ version: 1 })
    assert.equal(back.body.data.title, 'One')
  })

  it('is set and removed by a batch', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    const batch = async (...operations: object[]) => {
      const { status, text } = await service.api().post('/batch').send({ operations })
      assert.equal(status, 200, text)
    }
    await batch(
      { op: 'retitlePage', id: page.id, title: 'Mine' },
      { op: 'createPage', path: '/b', html: titled('B') },
      { op: 'createPage', path: '/c', html: titled('C'), title: 'Set' },
    )
    await batch(
      { op: 'retitlePage', id: page.id, title: null },
      { op: 'putPage', path: '/b', html: titled('B2') },
      { op: 'putPage', path: '/c', html: titled('C2') },
    )
    assert.deepEqual(await Promise.all(['/a', '/b', '/c'].map(titleAt)), [
      ['Alpha', false],
      ['B2', false],
      ['Set', true],
    ])
  })

  it('follows a push of html alone, and obeys a pushed sidecar', async () => {
    const page = await create({ path: '/a', html: titled('Alpha') })
    await push({ 'a.html': titled('By hand') })
    assert.deepEqual(await titleAt('/a'), ['By hand', false])
    await push({ [sidecarOf(page)]: '{"path":"/a","title":"Operator"}\n' })
    assert.deepEqual(await titleAt('/a'), ['Operator', true])
    assert.equal((await replace(page, titled('Beta'))).title, 'Operator')
    await push({ [sidecarOf(page)]: '{"path":"/a"}\n' })
    assert.deepEqual(await titleAt('/a'), ['Beta', false])
  })

  it('follows the document if an old sidecar had the same title, and stays if it had another', async () => {
    const [frozen, set] = [await create({ path: '/a', html: 'a' }), await create({ path: '/b', html: 'b' })]
    await pushOld(frozen, 'Alpha', titled('Alpha'))
    await pushOld(set, 'Mine', titled('Alpha'))
    assert.deepEqual(
      [await titleAt('/a'), await titleAt('/b')],
      [
        ['Alpha', false],
        ['Mine', true],
      ],
    )
    assert.equal((await replace(frozen, titled('Beta'))).title, 'Beta')
    assert.equal((await replace(set, titled('Beta'))).title, 'Mine')
    await replace(set, titled('Mine'))
    assert.equal((await replace(set, titled('Gamma'))).title, 'Mine')
  })

  it('is not frozen in an old sidecar by publishing again with another template', async () => {
    const [frozen, set] = [await create({ path: '/a', html: 'a' }), await create({ path: '/b', html: 'b' })]
    await pushOld(frozen, 'Alpha', titled('Alpha'))
    await pushOld(set, 'Mine', titled('Alpha'))
    for (const page of [frozen, set]) {
      await replace(page, titled('Beta'))
      await unpublish(page)
      await create({ path: page.path, templateId: 'blank', html: titled('Gamma') })
    }
    assert.equal((await replace(frozen, titled('Delta'))).title, 'Delta')
    assert.equal((await replace(set, titled('Delta'))).title, 'Mine')
  })

  it('follows the next document if an old sidecar was written when the page was unpublished', async () => {
    await push({ 'a.html': titled('Alpha') })
    const [page] = await list({ path: '/a' })
    assert.ok(page)
    await push({ [sidecarOf(page)]: '{"path":"/a","template":null,"title":"Alpha"}\n', 'a.html': null })
    assert.deepEqual(await titleAt('/a'), ['Alpha', false])
    assert.equal((await create({ path: '/a', html: titled('Beta') })).title, 'Beta')
  })

  it('is answered again as it was if a request is repeated after the page changed', async () => {
    const key = { 'Idempotency-Key': 'titles' }
    const publish = () =>
      service
        .api()
        .post('/pages')
        .set(key)
        .send({ path: '/a', html: titled('Alpha') })
    const { body: first } = await publish()
    const page = first.data as Page
    await replace(page, titled('Beta'))
    assert.deepEqual((await publish()).body.data, first.data)
    await retitle(page, 'Mine')
    await unpublish(page)
    assert.deepEqual((await publish()).body.data, first.data)
  })

  it('is the same after a restart with a rebuilt index', async () => {
    service = await startOwnService({ keep: true })
    const page = await create({ path: '/a', html: titled('Alpha') })
    await pushOld(page, 'Alpha', titled('Alpha'))
    await replace(page, titled('Beta'))
    await retitle(await create({ path: '/set', html: titled('Set') }), 'Mine')
    const gone = await create({ path: '/gone', html: titled('Gone') })
    await replace(gone, titled('Long gone'))
    await unpublish(gone)
    const before = await list()
    const { dataDir, key } = service
    await service.stop()
    rmSync(join(dataDir, 'index'), { recursive: true })
    service = await startOwnService({ dataDir })
    const { body } = await service.api(key).get('/pages?status=all')
    assert.deepEqual(
      body.data.map((row: Page) => ({ ...row, url: '' })),
      before.map((row) => ({ ...row, url: '' })),
    )
    assert.deepEqual(
      before.map(({ path, title, titleIsSet }) => [path, title, titleIsSet]),
      [
        ['/', 'It works: this page is a commit', false],
        ['/a', 'Beta', false],
        ['/gone', 'Long gone', false],
        ['/set', 'Mine', true],
      ],
    )
  })
})
