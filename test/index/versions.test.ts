import assert from 'node:assert/strict'
import { useIndex } from './open-test-index.js'
import { oidOf, SiteHistory } from './site-history.js'

const PAGE = '0a000000-0000-4000-8000-000000000001'
const SIDECAR = { sidecars: { [PAGE]: { path: '/about' } } }

describe('the versions of a page', () => {
  const openIndex = useIndex()

  it('are the commits that changed its bytes, named by their action', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    history.commit({ subject: 'Publish /about', files: { 'about.html': 'one' }, ...SIDECAR })
    history.commit({ subject: 'Replace /about', files: { 'about.html': 'two' } })
    history.commit({ subject: 'Retitle /about', sidecars: { [PAGE]: { path: '/about', title: 'New' } } })
    history.commit({ subject: 'Roll back /about to 0123456789', files: { 'about.html': 'one' } })
    history.commit({ subject: 'Unpublish /about', files: { 'about.html': null } })
    history.commit({ subject: 'Revert "Unpublish /about"', files: { 'about.html': 'one' } })
    catchUp(history)
    const { rows, nextCursor } = index.versions.list(PAGE, { limit: 100 })
    assert.deepEqual(
      rows.map(({ number, action, blob }) => [number, action, blob]),
      [
        [5, 'revert', oidOf('one')],
        [4, 'unpublish', null],
        [3, 'rollback', oidOf('one')],
        [2, 'replace', oidOf('two')],
        [1, 'publish', oidOf('one')],
      ],
    )
    assert.equal(nextCursor, null)
    assert.equal(index.pages.find(PAGE)?.etag, history.facts[5]?.oid)
  })

  it('are found by number and by commit, with author, message, size and time', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const { oid } = history.commit({
      author: 'Ada',
      subject: 'Publish /about',
      files: { 'about.html': 'ünï' },
      ...SIDECAR,
    })
    catchUp(history)
    const version = {
      pageId: PAGE,
      number: 1,
      commit: oid,
      action: 'publish',
      author: 'Ada',
      message: 'Publish /about',
      verified: 'none',
      path: '/about',
      blob: oidOf('ünï'),
      size: 5,
      createdAt: '1970-01-01T00:01:40Z',
    }
    assert.deepEqual(index.versions.find(PAGE, 1), version)
    assert.deepEqual(index.versions.find(PAGE, oid), version)
    assert.equal(index.versions.find(PAGE, 2), undefined)
    assert.equal(index.versions.find(PAGE, oidOf('another')), undefined)
  })

  it('are listed newest first, in slices that newer versions do not shift', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    for (const text of ['1', '2', '3', '4']) history.commit({ files: { 'about.html': text }, ...SIDECAR })
    catchUp(history)
    const first = index.versions.list(PAGE, { limit: 2 })
    history.commit({ files: { 'about.html': '5' } })
    catchUp(history)
    const second = index.versions.list(PAGE, { limit: 2, cursor: first.nextCursor ?? '' })
    assert.deepEqual(
      [...first.rows, ...second.rows].map(({ number }) => number),
      [4, 3, 2, 1],
    )
    assert.equal(second.nextCursor, null)
  })

  it('do not come from commits that touched other pages', () => {
    const { index, catchUp } = openIndex()
    const history = new SiteHistory()
    const published = history.commit({ files: { 'about.html': 'one' }, ...SIDECAR })
    history.commit({ files: { 'other.html': 'two', 'about.html': 'one' } })
    catchUp(history)
    assert.equal(index.pages.find(PAGE)?.etag, published.oid)
    assert.equal(index.versions.list(PAGE, { limit: 10 }).rows.length, 1)
  })
})
