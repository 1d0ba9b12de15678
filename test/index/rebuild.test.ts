import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { derivedPageIds, derivePageId, freeDerivedId } from '../../src/model/ids.js'
import { pagePathOf, parsePagePath, treePathOf } from '../../src/model/paths/page-path.js'
import { IndexMoved } from '../../src/index/tables/index-position.js'
import type { CommitFacts } from '../../src/model/commits/facts.js'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'
import { catchUp, dumpIndex, openIndexes, rowsFileOf, useIndex } from './open-test-index.js'
import { type Change, SITE, SiteHistory } from './site-history.js'
import { anyText } from '../texts/any-text.js'

const PATHS = ['/', '/a', '/a/', '/b', `/${'long'.repeat(200)}`]
/** Two ids that no path derives, and four that one does: ids can be taken to where they do not belong. */
const IDS = [
  '00000000-0000-4000-8000-000000000001',
  'ffffffff-0000-4000-8000-000000000002',
  ...Array.from(derivedPageIds(SITE, '/a')).slice(0, 3),
  derivePageId(SITE, '/b'),
]
const COLLECTIONS = ['0c000000-0000-4000-8000-000000000001', '0c000000-0000-4000-8000-000000000002']
const RECORDS = ['0d000000-0000-4000-8000-000000000001', '0d000000-0000-4000-8000-000000000002']

const some = <T>(keys: string[], values: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom(...keys), fc.option(values), { maxKeys: 3, noNullPrototype: true })

const anyChange: fc.Arbitrary<Change> = fc.record(
  {
    subject: fc.constantFrom('Publish', 'Roll back /a to 0123456789', 'Revert "Publish /a"'),
    files: some(
      PATHS.map((path) => treePathOf(parsePagePath(path))),
      fc.constantFrom('<p>', '<title>One</title>', '<title>Two</title><meta name=robots content=noindex>'),
    ),
    sidecars: some(
      IDS,
      fc.record(
        { path: fc.constantFrom(...PATHS), title: fc.constantFrom('T', 'One'), isTitleMarked: fc.boolean() },
        { requiredKeys: ['path'] },
      ),
    ),
    collections: some(COLLECTIONS, fc.record({ name: fc.constantFrom('news', 'people') })),
    records: fc.dictionary(
      fc.constantFrom(...COLLECTIONS),
      some(
        RECORDS,
        fc.record({ text: anyText({ maxLength: 8 }), number: fc.double(), day: fc.constantFrom('2026-01-01', 'x') }),
      ),
      { maxKeys: 2, noNullPrototype: true },
    ),
    maker: fc.constant('Api-Key-Id: one'),
    trailers: fc.constantFrom<Record<string, string>>(
      {},
      { 'Idempotency-Key': `${'a'.repeat(64)} ${'b'.repeat(64)}` },
      { 'Idempotency-Key': `${'a'.repeat(64)} ${'c'.repeat(64)}` },
    ),
  },
  { requiredKeys: [] },
)

/** Changes, each with whether the index is caught up after it. */
const anyChanges = fc.array(fc.tuple(anyChange, fc.boolean()), { minLength: 1, maxLength: 14 })

describe('the index of a history', () => {
  const openIndex = useIndex()
  const followed = { index: openIndex(), again: openIndex() }

  /** Follows a history in the steps given, in an index without other rows. */
  function follow(steps: [Change, boolean][]): SiteHistory {
    const history = new SiteHistory()
    followed.index.index.forget()
    for (const [change, catchesUp] of steps) {
      history.commit(change)
      if (catchesUp) catchUp(followed.index.index, history)
    }
    catchUp(followed.index.index, history)
    return history
  }

  it('is the same for any number of steps, and when it is rebuilt', () => {
    fc.assert(
      fc.property(anyChanges, (steps) => {
        const history = follow(steps)
        followed.again.index.forget()
        catchUp(followed.again.index, history)
        assert.deepEqual(dumpIndex(followed.index.folder), dumpIndex(followed.again.folder))
      }),
      { numRuns: 50 },
    )
  })

  it('is the same if each commit is indexed in portions, with any number of interruptions', () => {
    fc.assert(
      fc.property(anyChanges, fc.array(fc.nat(6)), (steps, ends) => {
        const history = follow(steps)
        const { index } = followed.again
        index.forget()
        for (const fact of history.facts) {
          const take = () => index.take(onePerPortion(fact), history.read)
          while (!goesThrough(take(), ends.pop())) assert.notEqual(index.indexedCommit, fact.oid)
        }
        assert.deepEqual(dumpIndex(followed.again.folder), dumpIndex(followed.index.folder))
      }),
      { numRuns: 20 },
    )
  })

  it('has the pages of its last tree', () => {
    fc.assert(
      fc.property(anyChanges, (steps) => {
        const history = follow(steps)
        const { rows } = followed.index.index.pages.list({ limit: 100 })
        assert.deepEqual(
          rows.map(({ id, path, blob }) => ({ id, path, blob })),
          pagesInTree(steps, history),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('gives each page versions that follow from one another, up to its current state', () => {
    fc.assert(
      fc.property(anyChanges, (steps) => {
        follow(steps)
        const { index } = followed.index
        for (const page of index.pages.list({ status: 'all', limit: 100 }).rows) {
          const versions = index.versions.list(page.id, { limit: 100 }).rows.toReversed()
          assert.deepEqual(
            versions.map(({ number }) => number),
            versions.map((_, at) => at + 1),
          )
          assert.equal(versions.at(-1)?.blob, page.blob)
          assert.deepEqual(page.version, { number: versions.length, commit: versions.at(-1)?.commit })
          assert.equal(page.createdAt, versions[0]?.createdAt)
          versions.reduce((before, version) => {
            assert.notDeepEqual([before.blob, before.path], [version.blob, version.path])
            return version
          })
        }
      }),
      { numRuns: 40 },
    )
  })

  it('refuses commits that do not continue from its own, and does not change', () => {
    const { index } = openIndex()
    const history = new SiteHistory()
    for (const text of ['one', 'two', 'three']) history.commit({ files: { 'a.html': text } })
    index.apply(history.facts.slice(0, 1), history.read)
    assert.throws(() => index.apply(history.facts.slice(2), history.read), IndexMoved)
    assert.throws(() => index.apply(history.facts, history.read), IndexMoved)
    assert.equal(index.indexedCommit, history.facts[0]?.oid)
    catchUp(index, history)
    assert.equal(index.pages.findByPath('/a')?.version.number, 3)
  })

  it('shows no part of a large commit, and lets no other writer in, until all of it is indexed', () => {
    const { index, folder } = openIndex()
    const others = openIndexes(folder)
    const other = others.of(SITE)
    const history = new SiteHistory()
    history.commit({ files: { 'a.html': 'one' } })
    catchUp(index, history)
    const fact = history.commit({ files: { 'a.html': 'two', 'b.html': 'b' } })
    const steps = index.take(onePerPortion(fact), history.read)
    steps.next()
    assert.equal(other.indexedCommit, fact.parent)
    assert.deepEqual(other.pages.list({ limit: 10 }).rows.length, 1)
    assert.throws(() => catchUp(other, history), IndexMoved)
    while (steps.next().done !== true);
    assert.equal(other.indexedCommit, fact.oid)
    assert.equal(other.pages.count(), 2)
    others.close()
  })

  it('reports that it moved while another process holds it', () => {
    const { index, folder } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'a.html': 'one' } })
    catchUp(index, history)
    history.commit({ files: { 'a.html': 'two' } })
    const sqlite = openSqlite(rowsFileOf(folder), { synchronous: 'NORMAL' })
    sqlite.exec('BEGIN IMMEDIATE')
    assert.throws(() => catchUp(index, history), IndexMoved)
    sqlite.exec('ROLLBACK')
    catchUp(index, history)
    assert.equal(index.indexedCommit, history.facts[1]?.oid)
    sqlite.close()
  })

  it('does not change for a history that cannot be read to its end', () => {
    const { index } = openIndex()
    const history = new SiteHistory()
    history.commit({ files: { 'a.html': 'one' } })
    const broken = (function* () {
      yield* history.facts
      throw new Error('an object is missing')
    })()
    assert.throws(() => index.apply(broken, history.read), { message: 'an object is missing' })
    assert.equal(index.indexedCommit, undefined)
    assert.deepEqual(index.pages.list({ limit: 10 }).rows, [])
  })
})

/** The published pages by the rules of identity, straight from the files and sidecars of the last tree. */
function pagesInTree(steps: [Change, boolean][], history: SiteHistory) {
  const sidecars = new Map<string, { path: string } | null>()
  for (const [{ sidecars: changed = {} }] of steps) {
    for (const [id, sidecar] of Object.entries(changed)) sidecars.set(id, sidecar)
  }
  const pages = [...history.files].flatMap(([treePath, blob]) => {
    const claims = [...sidecars].filter(
      ([, sidecar]) => sidecar && treePathOf(parsePagePath(sidecar.path)) === treePath,
    )
    const [claim] = claims.toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (claim !== undefined) return [{ id: claim[0], path: claim[1]?.path ?? '', blob }]
    const path = pagePathOf(treePath)
    const id = path === undefined ? undefined : freeDerivedId(SITE, path, (other) => sidecars.get(other) != null)
    if (path === undefined || id === undefined) return []
    return [{ id, path: String(path), blob }]
  })
  return pages.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Each portion holds one change. */
function onePerPortion(fact: CommitFacts): CommitFacts[] {
  const none = { ...fact, removedFiles: [], pageFiles: [], files: [], sidecars: [], collections: [], records: [] }
  const portions = [
    ...fact.pageFiles.map((change) => ({ ...none, pageFiles: [change] })),
    ...fact.files.map((change) => ({ ...none, files: [change] })),
    ...fact.sidecars.map((change) => ({ ...none, sidecars: [change] })),
    ...fact.collections.map((change) => ({ ...none, collections: [change] })),
    ...fact.records.map((change) => ({ ...none, records: [change] })),
  ]
  return portions.length === 0 ? [none] : portions
}

/** False when it was left after so many steps. */
function goesThrough(steps: Generator<undefined, void>, most = Number.POSITIVE_INFINITY): boolean {
  for (let taken = 0; taken < most; taken += 1) if (steps.next().done === true) return true
  steps.return()
  return false
}
