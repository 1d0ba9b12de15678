import assert from 'node:assert/strict'
import { derivePageId, mayDerive } from '../../src/model/ids.js'
import { parsePagePath, treePathOf } from '../../src/model/paths/page-path.js'
import { dumpIndex, openIndexes, useIndex } from './open-test-index.js'
import { type Change, SITE, SiteHistory } from './site-history.js'

const PAGE = '0a000000-0000-4000-8000-000000000001'
const OTHER = '0b000000-0000-4000-8000-000000000002'

describe("a page's identity", () => {
  const openIndex = useIndex()

  it("is its sidecar's for a file whose path a sidecar names", () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const { oid } = history.commit({
      files: { 'about.html': '<p>hi' },
      sidecars: { [PAGE]: { path: '/about', title: 'About us', templateId: 'blank' } },
    })
    catchUp(history)
    assert.deepEqual(index.pages.find(PAGE), {
      siteId: SITE,
      id: PAGE,
      path: '/about',
      treePath: 'about.html',
      title: 'About us',
      titleIsSet: true,
      templateId: 'blank',
      status: 'published',
      blob: history.files.get('about.html'),
      size: 5,
      version: { commit: oid, number: 1 },
      etag: oid,
      createdAt: '1970-01-01T00:01:40Z',
      updatedAt: '1970-01-01T00:01:40Z',
    })
  })

  it('is derived from the path, and its title from the document, for a file without a sidecar', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'docs/index.html': '<title>Old</title>' } })
    history.commit({ files: { 'docs/index.html': '<title>The docs</title>' } })
    catchUp(history)
    const page = index.pages.findByPath('/docs/')
    assert.equal(page?.id, derivePageId(SITE, '/docs/'))
    assert.equal(page.title, 'The docs')
    assert.equal(page.version.number, 2)
  })

  it('stays when a sidecar with the derived id is added', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const id = derivePageId(SITE, '/about')
    history.commit({ files: { 'about.html': 'one' } })
    const retitled = history.commit({ sidecars: { [id]: { path: '/about', title: 'Named' } } })
    catchUp(history)
    const page = index.pages.find(id)
    assert.deepEqual([page?.title, page?.version.number, page?.etag], ['Named', 1, retitled.oid])
  })

  it('has what its newest document says to search engines, also with a title of its own, also once it is unpublished without a sidecar', () => {
    const { index, folder, catchUp } = openIndex()
    const history = new SiteHistory()
    const rowAfter = (change: Change) => {
      history.commit(change)
      catchUp(history)
      const [{ title, title_key, robots, canonical }] = dumpIndex(folder)['pages'] as [Record<string, unknown>]
      return { title, title_key, robots, canonical }
    }
    const html = '<title>Überblick</title><meta name=robots content=none><link rel=canonical href=/b>'
    const set = { [PAGE]: { path: '/about', title: 'Äpfel' } }
    const said = { robots: 'noindex nofollow', canonical: '/b' }
    const named = { title: 'Äpfel', title_key: 'apfel', ...said }
    assert.deepEqual(rowAfter({ files: { 'about.html': html }, sidecars: set }), named)
    assert.deepEqual(rowAfter({ sidecars: { [PAGE]: { path: '/about' } } }), {
      title: 'Überblick',
      title_key: 'uberblick',
      ...said,
    })
    assert.deepEqual(rowAfter({ files: { 'about.html': null }, sidecars: set }), named)
    const silent = { ...named, robots: null, canonical: null }
    assert.deepEqual(rowAfter({ files: { 'about.html': '<title>x</title>' } }), silent)
    assert.deepEqual(rowAfter({ files: { 'about.html': html } }), named)
    const own = { title: 'Überblick', title_key: 'uberblick', ...said }
    assert.deepEqual(rowAfter({ files: { 'about.html': null }, sidecars: { [PAGE]: null } }), own)
    assert.equal(index.pages.find(PAGE)?.status, 'unpublished')
  })

  it('keeps a title that equals the document in a marked sidecar, and follows the document after an unmarked one', () => {
    for (const [isTitleMarked, title] of [
      [true, 'One'],
      [false, 'Two'],
    ] as const) {
      const { index, catchUp } = openIndex()
      const history = new SiteHistory()
      const sidecars = { [PAGE]: { path: '/about', title: 'One', isTitleMarked } }
      history.commit({ files: { 'about.html': '<title>One</title>' }, sidecars })
      history.commit({ files: { 'about.html': '<title>Two</title>' } })
      catchUp(history)
      assert.deepEqual([index.pages.find(PAGE)?.title, index.pages.find(PAGE)?.titleIsSet], [title, isTitleMarked])
    }
  })

  it('goes to a new page when a sidecar with another id is added, and the derived one is gone', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'about.html': 'one' } })
    const named = history.commit({ sidecars: { [PAGE]: { path: '/about' } } })
    catchUp(history)
    assert.equal(index.pages.find(derivePageId(SITE, '/about')), undefined)
    assert.deepEqual(index.pages.find(PAGE)?.version, { commit: named.oid, number: 1 })
    assert.equal(index.pages.list({ status: 'all', limit: 10 }).rows.length, 1)
  })

  it('is derived again when the sidecar goes and the file stays', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({
      files: { 'about.html': '<title>Own</title>' },
      sidecars: { [PAGE]: { path: '/about', title: 'Set' } },
    })
    history.commit({ sidecars: { [PAGE]: null } })
    catchUp(history)
    assert.equal(index.pages.find(PAGE), undefined)
    const page = index.pages.find(derivePageId(SITE, '/about'))
    assert.deepEqual([page?.path, page?.title], ['/about', 'Own'])
  })

  it('survives an unpublish, since the sidecar stays, and returns with the file', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'about.html': 'one' }, sidecars: { [PAGE]: { path: '/about', title: 'Set' } } })
    const gone = history.commit({ files: { 'about.html': null } })
    catchUp(history)
    const unpublished = index.pages.find(PAGE)
    assert.deepEqual([unpublished?.status, unpublished?.blob, unpublished?.size], ['unpublished', null, 0])
    assert.deepEqual([unpublished?.version, unpublished?.title], [{ commit: gone.oid, number: 2 }, 'Set'])
    assert.equal(index.pages.findByPath('/about')?.id, PAGE)
    history.commit({ files: { 'about.html': 'two' } })
    catchUp(history)
    assert.deepEqual(
      [index.pages.find(PAGE)?.status, index.pages.find(PAGE)?.version.number, index.pages.find(PAGE)?.createdAt],
      ['published', 3, '1970-01-01T00:01:40Z'],
    )
  })

  it('does not exist for a sidecar whose html never existed', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ sidecars: { [PAGE]: { path: '/about' } } })
    catchUp(history)
    assert.equal(index.pages.find(PAGE), undefined)
    assert.deepEqual(index.pages.list({ status: 'all', limit: 10 }).rows, [])
    const published = history.commit({ files: { 'about.html': 'one' } })
    catchUp(history)
    assert.deepEqual(index.pages.find(PAGE)?.version, { commit: published.oid, number: 1 })
  })

  it('stays with its path without html and sidecar, and continues when both return (a publish reverted, and that reverted)', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const both = { files: { 'about.html': 'one' }, sidecars: { [PAGE]: { path: '/about' } } }
    history.commit(both)
    history.commit({ subject: 'Revert "Publish /about"', files: { 'about.html': null }, sidecars: { [PAGE]: null } })
    catchUp(history)
    assert.equal(index.pages.find(PAGE)?.status, 'unpublished')
    assert.equal(index.pages.findByPath('/about')?.id, PAGE)
    history.commit({ ...both, subject: 'Reapply "Publish /about"' })
    catchUp(history)
    assert.equal(index.pages.find(PAGE)?.status, 'published')
    assert.deepEqual(
      index.versions.list(PAGE, { limit: 10 }).rows.map(({ action }) => action),
      ['revert', 'revert', 'publish'],
    )
  })

  it('is hidden once a file or a sidecar has come to its path, and stays hidden when they go', () => {
    for (const change of [{ files: { 'about.html': 'two' } }, { sidecars: { [OTHER]: { path: '/about' } } }]) {
      const { index, catchUp } = openIndex()
      const history = new SiteHistory()
      history.commit({ files: { 'about.html': 'one' }, sidecars: { [PAGE]: { path: '/about' } } })
      history.commit({ files: { 'about.html': null }, sidecars: { [PAGE]: null } })
      history.commit(change)
      catchUp(history)
      assert.equal(index.pages.find(PAGE), undefined)
      history.commit({ files: { 'about.html': null }, sidecars: { [OTHER]: null } })
      catchUp(history)
      assert.equal(index.pages.find(PAGE), undefined)
    }
  })

  it('is hidden while its own sidecar names a path that another sidecar has', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'about.html': 'one' }, sidecars: { [OTHER]: { path: '/about' } } })
    history.commit({ files: { 'us.html': 'two' }, sidecars: { [PAGE]: { path: '/us' } } })
    history.commit({ files: { 'about.html': null }, sidecars: { [OTHER]: { path: '/us' } } })
    catchUp(history)
    assert.deepEqual(
      index.pages.list({ status: 'all', limit: 10 }).rows.map(({ id }) => id),
      [PAGE],
    )
  })

  it('moves with its sidecar, and stays behind without it', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'about.html': 'one' }, sidecars: { [PAGE]: { path: '/about' } } })
    const moved = history.commit({
      files: { 'about.html': null, 'us.html': 'one' },
      sidecars: { [PAGE]: { path: '/us' } },
    })
    catchUp(history)
    assert.deepEqual([index.pages.find(PAGE)?.path, index.pages.find(PAGE)?.etag], ['/us', moved.oid])
    assert.equal(index.versions.find(PAGE, 2)?.action, 'move')
    assert.equal(index.pages.findByPath('/about'), undefined)
    history.commit({ files: { 'us.html': null, 'them.html': 'one' } })
    catchUp(history)
    assert.equal(index.pages.find(PAGE)?.status, 'unpublished')
    assert.equal(index.pages.findByPath('/them')?.id, derivePageId(SITE, '/them'))
  })

  it('has the lower id if two sidecars name one path; the other is reported', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'about.html': 'one' }, sidecars: { [OTHER]: { path: '/about' } } })
    history.commit({ sidecars: { [PAGE]: { path: '/about' } } })
    catchUp(history)
    assert.equal(index.pages.findByPath('/about')?.id, PAGE)
    assert.equal(index.pages.find(OTHER), undefined)
    assert.deepEqual(index.pages.inertSidecars(), [{ pageId: OTHER, path: '/about', winnerId: PAGE }])
    history.commit({ sidecars: { [PAGE]: null } })
    catchUp(history)
    assert.deepEqual([index.pages.find(OTHER)?.status, index.pages.find(PAGE)], ['published', undefined])
    assert.deepEqual(index.pages.inertSidecars(), [])
  })

  it('is never shared: while sidecars use derived ids elsewhere, the file at their old path has another', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const id = derivePageId(SITE, '/about')
    history.commit({ files: { 'us.html': 'one' }, sidecars: { [id]: { path: '/us' } } })
    history.commit({ files: { 'about.html': 'two' } })
    catchUp(history)
    assert.equal(index.pages.find(id)?.path, '/us')
    const second = index.pages.findByPath('/about')?.id ?? ''
    assert.ok(second !== id && mayDerive(SITE, '/about', second))
    history.commit({ files: { 'they.html': 'three' }, sidecars: { [second]: { path: '/they' } } })
    catchUp(history)
    const third = index.pages.findByPath('/about')?.id ?? ''
    assert.ok(![id, second].includes(third) && mayDerive(SITE, '/about', third))
    assert.equal(index.pages.find(second)?.path, '/they')
    history.commit({ files: { 'they.html': null }, sidecars: { [second]: null } })
    catchUp(history)
    assert.equal(index.pages.find(second)?.path, '/about')
    history.commit({ files: { 'us.html': null }, sidecars: { [id]: null } })
    catchUp(history)
    assert.equal(index.pages.find(id)?.path, '/about')
  })

  it("is its sidecar's for a long path, and the file is not a page without one", () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const path = parsePagePath(`/${'long'.repeat(200)}`)
    history.commit({ files: { [treePathOf(path)]: 'one' } })
    catchUp(history)
    assert.deepEqual(index.pages.list({ status: 'all', limit: 10 }).rows, [])
    history.commit({ sidecars: { [PAGE]: { path } } })
    catchUp(history)
    assert.deepEqual([index.pages.find(PAGE)?.path, index.pages.find(PAGE)?.status], [path, 'published'])
  })

  it('is never shared with another site', () => {
    const { index, folder, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'about.html': 'one' }, sidecars: { [PAGE]: { path: '/about' } } })
    catchUp(history)
    const others = openIndexes(folder)
    const other = others.of(OTHER)
    other.apply(history.facts, history.read)
    other.forget()
    assert.equal(other.pages.find(PAGE), undefined)
    assert.equal(index.pages.find(PAGE)?.path, '/about')
    assert.equal(other.indexedCommit, undefined)
    assert.equal(index.indexedCommit, history.facts.at(-1)?.oid)
    others.close()
  })
})
