import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { useIndex } from './open-test-index.js'
import { SiteHistory } from './site-history.js'
import { anyText } from '../texts/any-text.js'

const PAGE = '0a000000-0000-4000-8000-000000000001'

describe('a list of pages', () => {
  const openIndex = useIndex()

  function indexOf(...treePaths: string[]) {
    const opened = openIndex()
    const history = new SiteHistory()
    history.commit({ files: Object.fromEntries(treePaths.map((path) => [path, `<title>Title of ${path}</title>`])) })
    opened.catchUp(history)
    return { ...opened, history }
  }

  it('is ordered by path and comes in slices that writes do not shift', () => {
    const { index, catchUp, history } = indexOf('b.html', 'd.html', 'a.html', 'c/index.html')
    const first = index.pages.list({ limit: 2 })
    history.commit({ files: { 'aa.html': 'x', 'bb.html': 'y', 'a.html': null } })
    catchUp(history)
    const second = index.pages.list({ limit: 2, cursor: first.nextCursor ?? '' })
    const third = index.pages.list({ limit: 2, cursor: second.nextCursor ?? '' })
    assert.deepEqual(
      [first, second, third].map(({ rows }) => rows.map(({ path }) => path)),
      [['/a', '/b'], ['/bb', '/c/'], ['/d']],
    )
    assert.equal(third.nextCursor, null)
  })

  it('tells published from unpublished pages', () => {
    const { index, catchUp, history } = indexOf('a.html')
    history.commit({ files: { 'b.html': 'x' }, sidecars: { [PAGE]: { path: '/b' } } })
    history.commit({ files: { 'b.html': null } })
    catchUp(history)
    const paths = (status: 'published' | 'unpublished' | 'all') =>
      index.pages.list({ status, limit: 10 }).rows.map(({ path }) => path)
    assert.deepEqual([paths('published'), paths('unpublished'), paths('all')], [['/a'], ['/b'], ['/a', '/b']])
  })

  it('can be of one path or one prefix, taken literally', () => {
    const { index } = indexOf('docs.html', 'docs/index.html', 'docs/a.html', 'docs%25_.html', 'docsé.html', 'e.html')
    const withPrefix = (prefix: string) => index.pages.list({ prefix, limit: 10 }).rows.map(({ path }) => path)
    assert.deepEqual(withPrefix('/docs/'), ['/docs/', '/docs/a'])
    assert.deepEqual(withPrefix('/docs'), ['/docs', '/docs%25_', '/docs/', '/docs/a', '/docsé'])
    assert.deepEqual(withPrefix('/docs%'), ['/docs%25_'])
    assert.deepEqual(
      index.pages.list({ path: '/docs', limit: 10 }).rows.map(({ path }) => path),
      ['/docs'],
    )
  })

  it('is searched in paths and titles, in any case of any script', () => {
    const { index, catchUp, history } = indexOf('Über-uns.html', 'a.html')
    history.commit({ files: { 'b.html': '<title>ПРИВЕТ 100%</title>' } })
    catchUp(history)
    const found = (q: string) => index.pages.list({ q, limit: 10 }).rows.map(({ path }) => path)
    assert.deepEqual(
      [found('über'), found('U\u0308BER'), found('привет'), found('0%'), found('_')],
      [['/Über-uns'], ['/Über-uns'], ['/b'], ['/b'], []],
    )
  })

  it('accepts any string as a search, a prefix or a path', () => {
    const { index } = indexOf('a.html')
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const query of [{ q: text }, { prefix: text }, { path: text }]) index.pages.list({ ...query, limit: 5 })
      }),
      { numRuns: 300 },
    )
  })

  it('refuses a cursor it did not give', () => {
    const { index } = indexOf('a.html', 'b.html')
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const theirs = index.versions.list(index.pages.findByPath('/a')?.id ?? '', { limit: 1 })
    assert.equal(theirs.nextCursor, null)
    const forged = ['', 'x', '####', encode(null), encode(['pages']), encode(['pages', 1]), encode(['versions', '/a'])]
    for (const cursor of [...forged, encode(['pages', '/a', '/b']), 'A'.repeat(20_000)]) {
      assert.throws(() => index.pages.list({ limit: 1, cursor }), { code: 'invalid_cursor' }, cursor)
    }
    assert.deepEqual(index.pages.list({ limit: 1, cursor: encode(['pages', '/a']) }).rows[0]?.path, '/b')
  })
})
