import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPage, getPage, listPages, putPage, replacePage, retitlePage } from '../../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('pages', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  const create = (path: string, more: object = {}) =>
    createPage(parts.call(), { path, html: `<title>${path}</title>`, ...more })
  const get = (id: string) => getPage(parts.call(), { id })

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
  })
  after(() => shared.stop())

  it('answers a new page with all its fields, and serves it at its URL', async () => {
    const { services, site } = parts
    const result = await create('/docs/', { html: '<h1>Docs</h1>', title: 'The docs' })
    const head = git(parts.gitdir(), 'rev-parse', 'main')
    const { id } = result.data
    assert.deepEqual(result, {
      created: true,
      location: `/pages/${id}`,
      etag: `"${head}"`,
      data: {
        id,
        siteId: site.id,
        path: '/docs/',
        url: `http://${site.slug}.localhost:8080/docs/`,
        title: 'The docs',
        titleIsSet: true,
        templateId: null,
        status: 'published',
        version: { id: head, number: 1 },
        etag: `"${head}"`,
        size: 13,
        createdAt: '2026-11-21T10:00:00Z',
        updatedAt: '2026-11-21T10:00:00Z',
      },
    })
    assert.equal(services.store.reader.snapshot(site).entry('docs/index.html') !== undefined, true)
    assert.deepEqual((await get(id)).data, { ...result.data, html: '<h1>Docs</h1>' })
    assertSound(parts.gitdir())
  })

  it("names the key's label, the key and the request in the commit", async () => {
    const context = parts.context()
    const { data } = await createPage({ ...parts.services, ...context }, { path: '/a', html: 'a' })
    const [author, subject, ...trailers] = git(parts.gitdir(), 'log', '-1', '--format=%an%n%s%n%(trailers)').split('\n')
    assert.equal(author, 'Ada')
    assert.equal(subject, 'Publish /a')
    assert.deepEqual(trailers.filter(Boolean).toSorted(), [
      `Api-Key-Id: ${context.principal.id}`,
      `Page-Id: ${data.id}`,
      `Request-Id: ${context.requestId}`,
    ])
  })

  it('takes the title from the document if the client gives none', async () => {
    assert.equal((await create('/a', { html: '<title>Own &amp; good</title>' })).data.title, 'Own & good')
    assert.equal((await create('/b', { html: 'no title' })).data.title, null)
  })

  it('keeps the bytes of html that is sent as bytes', async () => {
    const html = Buffer.from('\uFEFFgrüße\r\n')
    const { data } = await create('/raw', { html })
    const entry = parts.services.store.reader.snapshot(parts.site).entry('raw.html')
    assert.deepEqual(parts.services.store.reader.snapshot(parts.site).blob(entry?.oid ?? ''), html)
    assert.equal(data.size, html.length)
  })

  it('refuses html that is too long, empty, or not UTF-8', async () => {
    await assert.rejects(create('/a', { html: 'x'.repeat(1024 * 1024 + 1) }), refusal('payload_too_large'))
    await assert.rejects(create('/a', { html: Buffer.from([0x3c, 0xff]) }), refusal('invalid_body'))
    await assert.rejects(create('/a', { html: 'half \ud83d' }), refusal('invalid_body'))
    await assert.rejects(create('/a', { html: '' }), refusal('invalid_body'))
    assert.equal(git(parts.gitdir(), 'rev-list', '--count', 'main'), '1')
  })

  it('refuses a taken path and names the id of its page', async () => {
    const { data } = await create('/a')
    await assert.rejects(create('/a.html'), (error: { code?: string; details?: unknown }) => {
      assert.equal(error.code, 'page_exists')
      assert.deepEqual(error.details, { id: data.id, path: '/a' })
      return true
    })
    await assert.rejects(create('/a', { ifNoneMatch: '*' }), (error: { code?: string; details?: unknown }) => {
      assert.equal(error.code, 'precondition_failed')
      assert.deepEqual(error.details, { id: data.id, etag: data.etag })
      return true
    })
  })

  it('replaces html as a new version that keeps the title', async () => {
    const { data } = await create('/a', { title: 'Mine' })
    parts.pass(60)
    const replaced = await replacePage(parts.call(), { id: data.id, html: '<title>Other</title>' })
    assert.equal(replaced.data.title, 'Mine')
    assert.equal(replaced.data.version.number, 2)
    assert.equal(replaced.data.createdAt, '2026-11-21T10:00:00Z')
    assert.equal(replaced.data.updatedAt, '2026-11-21T10:01:00Z')
    assert.notEqual(replaced.etag, data.etag)
    assert.equal('html' in replaced.data, false)
  })

  it('makes no commit for identical html', async () => {
    const { data } = await create('/a', { html: 'same' })
    const again = await replacePage(parts.call(), { id: data.id, html: 'same' })
    assert.deepEqual(again.data, { ...data, changed: false })
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main'), data.version.id)
  })

  it('accepts one of two writes with the same entity tag', async () => {
    const { data } = await create('/a')
    const ifMatch = [data.version.id]
    const write = (html: string) => replacePage(parts.call(), { id: data.id, html, ifMatch })
    const outcomes = await Promise.allSettled([write('one'), write('two')])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      ['precondition_failed'],
    )
    const now = await get(data.id)
    const { diff, ...current } = (refused[0]?.reason.details ?? {}) as Record<string, unknown>
    assert.deepEqual(current, { etag: now.etag, version: now.data.version })
    assert.match(String(diff), /^\+(one|two)$/m)
  })

  it('retitles without a new version, under a new entity tag', async () => {
    const { data } = await create('/a', { title: 'Old' })
    const { data: renamed } = await retitlePage(parts.call(), { id: data.id, title: 'New' })
    assert.equal(renamed.title, 'New')
    assert.deepEqual(renamed.version, data.version)
    assert.notEqual(renamed.etag, data.etag)
    const stale = retitlePage(parts.call(), { id: data.id, title: 'X', ifMatch: [data.version.id] })
    await assert.rejects(stale, refusal('precondition_failed'))
  })

  it('unpublishes a page, lists it as unpublished, and publishes it again under its id', async () => {
    const { services } = parts
    const { data } = await create('/a')
    const gone = await unpublishPage({ ...services, ...parts.context() }, { id: data.id })
    assert.equal(gone.data.status, 'unpublished')
    assert.equal(gone.data.size, 0)
    await assert.rejects(get(data.id), refusal('page_not_found'))
    const put = replacePage({ ...services, ...parts.context() }, { id: data.id, html: 'x' })
    await assert.rejects(put, refusal('page_unpublished'))
    assert.deepEqual((await listPages({ ...services, ...parts.context() }, {})).data, [])
    const listed = await listPages({ ...services, ...parts.context() }, { status: 'unpublished' })
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [data.id],
    )
    const revived = await create('/a')
    assert.equal(revived.created, true)
    assert.equal(revived.data.id, data.id)
    assert.equal(revived.data.version.number, 3)
  })

  it('creates and replaces by path', async () => {
    const put = (html: string, more: object = {}) => putPage(parts.call(), { path: '/about', html, ...more })
    const first = await put('one')
    assert.equal(first.created, true)
    const second = await put('two')
    assert.equal(second.created, undefined)
    assert.equal(second.data.id, first.data.id)
    assert.equal(second.data.version.number, 2)
    await assert.rejects(put('three', { ifNoneMatch: '*' }), refusal('precondition_failed'))
    await assert.rejects(put('three', { ifMatch: [first.data.version.id] }), refusal('precondition_failed'))
    const missing = putPage(parts.call(), { path: '/none', html: 'x', ifMatch: '*' })
    await assert.rejects(missing, refusal('precondition_failed'))
  })

  it('uses the template blank for a page that is created with its path alone', async () => {
    const { data } = await createPage(parts.call(), { path: '/new' })
    assert.equal(data.templateId, 'blank')
    assert.match((await get(data.id)).data.html ?? '', /^<!doctype html>/)
  })

  it('fills the named template with html, and refuses unknown ones with the valid names', async () => {
    const { data } = await create('/t', { html: '<b>bold</b>', templateId: 'article', title: '<Tom & Ann>' })
    const { html = '' } = (await get(data.id)).data
    assert.match(html, /<b>bold<\/b>/)
    assert.match(html, /<title>&lt;Tom &amp; Ann&gt;<\/title>/)
    await assert.rejects(create('/u', { templateId: '../x' }), (error: { code?: string; details?: unknown }) => {
      assert.equal(error.code, 'unknown_template')
      assert.deepEqual(error.details, { valid: ['article', 'blank', 'landing'] })
      return true
    })
  })

  it('lists pages by path, in parts, while others write', async () => {
    for (const path of ['/c', '/a', '/e']) await create(path)
    const list = (more: object) => listPages(parts.call(), { limit: 2, ...more })
    const first = await list({})
    await create('/b')
    const second = await list({ cursor: first.nextCursor })
    assert.deepEqual(
      [...first.data, ...second.data].map(({ path }) => path),
      ['/a', '/c', '/e'],
    )
    assert.equal(second.nextCursor, null)
    assert.deepEqual(
      (await list({ path: 'e.html' })).data.map(({ path }) => path),
      ['/e'],
    )
    assert.deepEqual(
      (await list({ prefix: 'b' })).data.map(({ path }) => path),
      ['/b'],
    )
    await assert.rejects(list({ cursor: 'x' }), refusal('invalid_cursor'))
  })

  it('keeps fifty pages that are created at once, each in a commit of its own', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `/p${i}`)
    const results = await Promise.all(paths.map((path) => create(path)))
    assert.equal(git(parts.gitdir(), 'rev-list', '--count', 'main'), '51')
    assert.equal(new Set(results.map(({ data }) => data.version.id)).size, 50)
    assert.deepEqual(
      results.map(({ data }) => [data.path, data.version.number]),
      paths.map((path) => [path, 1]),
    )
  })

  it("answers with the operator's page if a client publishes html that an operator has just committed", async () => {
    await create('/a', { html: 'ours' })
    const gitdir = parts.gitdir()
    git(gitdir, 'read-tree', 'main')
    writeFileSync(join(gitdir, 'theirs'), 'theirs')
    const blob = git(gitdir, 'hash-object', '-w', 'theirs')
    git(gitdir, 'update-index', '--add', '--cacheinfo', `100644,${blob},new.html`)
    const commit = git(gitdir, 'commit-tree', git(gitdir, 'write-tree'), '-p', 'main', '-m', 'By hand')
    // The index was compared with the repository a moment ago, and is believed for 200 ms.
    await listPages(parts.call(), {})
    git(gitdir, 'update-ref', 'refs/heads/main', commit)
    const { data } = await putPage(parts.call(), { path: '/new', html: Buffer.from('theirs') })
    assert.deepEqual([data.path, data.changed, data.version.id], ['/new', false, commit])
  })

  it("shows an operator's commit and builds on it", async () => {
    const { data } = await create('/a', { html: 'ours' })
    await withClone(parts.gitdir(), (folder) => {
      writeFileSync(join(folder, 'a.html'), 'theirs')
      writeFileSync(join(folder, 'new.html'), '<title>Pushed</title>')
      git(folder, 'add', '.')
      git(folder, 'commit', '-q', '-m', 'By hand')
      git(folder, 'push', '-q')
    })
    await parts.untilSeen()
    const seen = await get(data.id)
    assert.equal(seen.data.html, 'theirs')
    assert.equal(seen.data.version.number, 2)
    const stale = replacePage(parts.call(), { id: data.id, html: 'x', ifMatch: [data.version.id] })
    await assert.rejects(stale, refusal('precondition_failed'))
    const { data: pushed } = await listPages(parts.call(), { path: '/new' })
    assert.equal(pushed[0]?.title, 'Pushed')
    const { data: kept } = await replacePage(parts.call(), { id: pushed[0]?.id ?? '', html: 'now' })
    assert.deepEqual([kept.id, kept.title, kept.version.number], [pushed[0]?.id, null, 2])
  })
})
