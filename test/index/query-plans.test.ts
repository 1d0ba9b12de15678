import assert from 'node:assert/strict'
import { useTemporaryFolders } from '../catalog/temporary-folder.js'
import { PageQueries } from '../../src/index/pages/page-queries.js'
import { VersionQueries } from '../../src/index/pages/version-queries.js'
import { ChangeQueries } from '../../src/index/change-queries.js'
import { CommitQueries } from '../../src/index/commit-queries.js'
import { CollectionQueries } from '../../src/index/records/collection-queries.js'
import { RecordQueries } from '../../src/index/records/record-queries.js'
import type { RowReader, SqlValue } from '../../src/index/tables/sql.js'
import type { PagePath } from '../../src/model/paths/page-path.js'
import { openSqlite, type SqliteHandle } from '../../src/catalog/sqlite/sqlite.js'
import { openIndexes, rowsFileOf } from './open-test-index.js'
import { SITE, SiteHistory } from './site-history.js'

const ID = '0c000000-0000-4000-8000-000000000001'
const slice = { limit: 10 }

/** Every question that a client's request asks, by what it asks. */
const QUESTIONS: Record<string, (rows: RowReader) => unknown> = {
  'a page by id': (rows) => new PageQueries(rows, SITE).find(ID),
  'pages since a commit': (rows) => new PageQueries(rows, SITE).idsSince(1),
  'a page by path': (rows) => new PageQueries(rows, SITE).findByPath('/a'),
  'published pages': (rows) => new PageQueries(rows, SITE).list(slice),
  'all pages': (rows) => new PageQueries(rows, SITE).list({ ...slice, status: 'all' }),
  'pages below a prefix': (rows) => new PageQueries(rows, SITE).list({ ...slice, prefix: '/a' }),
  'pages with a word': (rows) => new PageQueries(rows, SITE).list({ ...slice, q: 'x' }),
  'the number of pages': (rows) => new PageQueries(rows, SITE).count(),
  'unpublished pages at paths': (rows) => new PageQueries(rows, SITE).findUnpublished(['/a' as PagePath]),
  'last changes': (rows) => new PageQueries(rows, SITE).lastChanges(['/a' as PagePath]),
  'pages stored below a folder': (rows) => new PageQueries(rows, SITE).listStoredBelow('.long/', '', 10),
  'versions of a page': (rows) => new VersionQueries(rows).list(ID, slice),
  'a version by commit': (rows) => new VersionQueries(rows).find(ID, 'a'.repeat(40)),
  'changed pages': (rows) => new ChangeQueries(rows).pages({ changed: 1, page_id: ID }, 9, 10),
  'changed records': (rows) => new ChangeQueries(rows).records({ changed: 1, collection_id: ID, record_id: ID }, 9, 10),
  'a commit by prefix': (rows) => new CommitQueries(rows).findByPrefix('abc'),
  'a commit by time': (rows) => new CommitQueries(rows).findAsOf(1),
  'an idempotency key': (rows) => new CommitQueries(rows).findByIdempotencyKey('x'),
  collections: (rows) => new CollectionQueries(rows, SITE).list(slice),
  records: (rows) => new RecordQueries(rows, SITE).list(ID, { ...slice, schema: null }),
  'small records': (rows) => new RecordQueries(rows, SITE).listSmall(ID, slice),
  'records filtered and sorted': (rows) =>
    new RecordQueries(rows, SITE).list(ID, {
      ...slice,
      schema: null,
      filter: [{ field: 'a', op: 'contains', value: 'x' }],
      sort: [{ field: 'b', descending: true }],
      among: [ID],
    }),
  'a record by id': (rows) => new RecordQueries(rows, SITE).find(ID, ID),
}

/** A step that reads along an index and compares each row with the question. */
const IN_ORDER = /^SCAN (?:pages|commits|sidecars|other|collections|files)(?: AS \w+)? USING (?:COVERING )?INDEX/

describe("a question about a site's rows", () => {
  const makeFolder = useTemporaryFolders()
  let handle: SqliteHandle

  before(() => {
    const folder = makeFolder()
    const indexes = openIndexes(folder)
    const history = new SiteHistory()
    history.commit({})
    indexes.of(SITE).apply(history.facts, history.read)
    indexes.close()
    handle = openSqlite(rowsFileOf(folder), { synchronous: 'NORMAL' })
  })
  after(() => handle.close())

  for (const [name, ask] of Object.entries(QUESTIONS)) {
    it(`is answered along an index: ${name}`, () => {
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
          !step.startsWith('SEARCH') &&
          !IN_ORDER.test(step) &&
          !/^SCAN (?:json_each|element|asked|wanted|\()/.test(step),
      )
      assert.deepEqual(wide, [])
    })
  }
})
