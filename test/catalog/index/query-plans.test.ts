import assert from 'node:assert/strict'
import { openIndex, type SiteIndex } from '../../../src/catalog/index/site-index.js'
import { useTemporaryFolders } from '../temporary-folder.js'
import { join } from 'node:path'
import { PageQueries } from '../../../src/catalog/index/pages/page-queries.js'
import { VersionQueries } from '../../../src/catalog/index/pages/version-queries.js'
import { ChangeQueries } from '../../../src/catalog/index/change-queries.js'
import { CommitQueries } from '../../../src/catalog/index/commit-queries.js'
import { CollectionQueries } from '../../../src/catalog/index/records/collection-queries.js'
import { RecordQueries } from '../../../src/catalog/index/records/record-queries.js'
import type { RowReader, SqlValue } from '../../../src/catalog/index/tables/sql.js'
import type { PagePath } from '../../../src/model/paths/page-path.js'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import { SITE } from './site-history.js'

const ID = '0c000000-0000-4000-8000-000000000001'
const slice = { limit: 10 }

/** Every question that a client's request asks, by what it asks. */
const QUESTIONS: Record<string, (rows: RowReader) => unknown> = {
  'a page by id': (rows) => new PageQueries(rows).find(SITE, ID),
  'the sites with a page': (rows) => new PageQueries(rows).sitesWith(ID, 10),
  'those of some sites with a page': (rows) => new PageQueries(rows).sitesAmong([SITE], ID),
  'a page by path': (rows) => new PageQueries(rows).findByPath(SITE, '/a'),
  'published pages': (rows) => new PageQueries(rows).list(SITE, slice),
  'all pages': (rows) => new PageQueries(rows).list(SITE, { ...slice, status: 'all' }),
  'pages below a prefix': (rows) => new PageQueries(rows).list(SITE, { ...slice, prefix: '/a' }),
  'pages with a word': (rows) => new PageQueries(rows).list(SITE, { ...slice, q: 'x' }),
  'the number of pages': (rows) => new PageQueries(rows).count(SITE),
  'inert sidecars': (rows) => new PageQueries(rows).inertSidecars(SITE),
  'last changes': (rows) => new PageQueries(rows).lastChanges(SITE, ['/a' as PagePath]),
  'pages stored below a folder': (rows) => new PageQueries(rows).listStoredBelow(SITE, '.long/', '', 10),
  'versions of a page': (rows) => new VersionQueries(rows).list(SITE, ID, slice),
  'a version by commit': (rows) => new VersionQueries(rows).find(SITE, ID, 'a'.repeat(40)),
  'changed pages': (rows) => new ChangeQueries(rows).pages(SITE, { changed: 1, page_id: ID }, 9, 10),
  'changed records': (rows) =>
    new ChangeQueries(rows).records(SITE, { changed: 1, collection_id: ID, record_id: ID }, 9, 10),
  'a commit by prefix': (rows) => new CommitQueries(rows).findByPrefix(SITE, 'abc'),
  'a commit by time': (rows) => new CommitQueries(rows).findAsOf(SITE, 1),
  'an idempotency key': (rows) => new CommitQueries(rows).findByIdempotencyKey(SITE, 'x'),
  collections: (rows) => new CollectionQueries(rows).list(SITE, slice),
  records: (rows) => new RecordQueries(rows).list(SITE, ID, { ...slice, schema: null }),
  'small records': (rows) => new RecordQueries(rows).listSmall(SITE, ID, slice),
  'records filtered and sorted': (rows) =>
    new RecordQueries(rows).list(SITE, ID, {
      ...slice,
      schema: null,
      filter: [{ field: 'a', op: 'contains', value: 'x' }],
      sort: [{ field: 'b', descending: true }],
      among: [ID],
    }),
  'a record by id': (rows) => new RecordQueries(rows).find(SITE, ID, ID),
}

describe("a question about a site's rows", () => {
  const makeFolder = useTemporaryFolders()
  let index: SiteIndex
  let handle: SqliteHandle

  before(() => {
    const folder = makeFolder()
    index = openIndex(folder)
    index.position(SITE)
    handle = openSqlite(join(folder, 'index.db'), { synchronous: 'NORMAL' })
  })
  after(() => {
    handle.close()
    index.close()
  })

  for (const [name, ask] of Object.entries(QUESTIONS)) {
    it(`reads no row of another site: ${name}`, () => {
      const plan: string[] = []
      const explain = (text: string, values: readonly SqlValue[]) => {
        const steps = handle.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(values)
        plan.push(...steps.map(({ detail }) => detail))
      }
      ask({
        all: (text, values) => (explain(text, values), []),
        first: (text, values) => (explain(text, values), undefined),
      })
      const steps = plan.filter((step) => /^(?:SCAN|SEARCH)/.test(step))
      assert.notEqual(steps.length, 0)
      const wide = steps.filter(
        (step) =>
          !/^SEARCH .*\((?:site_id=\?|page_id=\?|rowid=\?)/.test(step) && !/^SCAN (?:json_each|element|\()/.test(step),
      )
      assert.deepEqual(wide, [])
    })
  }
})
