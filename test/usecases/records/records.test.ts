import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  putCollection,
} from '../../../src/usecases/records/collections.js'
import { createRecord, deleteRecord, getRecord, listRecords, putRecord } from '../../../src/usecases/records/records.js'
import { MAX_CHANGES_AT_ONCE } from '../../../src/model/commits/facts.js'
import { runBatch } from '../../../src/usecases/batch/batch.js'
import { createPage } from '../../../src/usecases/pages/pages.js'
import { assertSound, git } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const BOOK = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, year: { type: 'integer' } },
  additionalProperties: false,
}

describe('collections and records', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  let id: string
  const add = (data: Record<string, unknown>) => createRecord(parts.call(), { id, data })
  const list = (more: object = {}) => listRecords(parts.call(), { id, ...more })

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
    const created = await createCollection(parts.call(), { name: 'Books', schema: BOOK })
    id = created.data.id
    assert.equal(created.created, true)
    assert.equal(created.location, `/collections/${id}`)
    assert.deepEqual(created.data, {
      id,
      name: 'Books',
      schema: BOOK,
      createdAt: '2026-11-21T10:00:00Z',
      updatedAt: '2026-11-21T10:00:00Z',
    })
  })
  after(() => shared.stop())

  it('are stored in the repository as files that git shows', async () => {
    const { data, etag } = await add({ year: 1965, title: 'Dune' })
    assert.equal(git(parts.gitdir(), 'show', `main:collections/${id}/${data.id}.json`), '{"title":"Dune","year":1965}')
    assert.equal(etag, `"${git(parts.gitdir(), 'rev-parse', 'main')}"`)
    assert.deepEqual((await getRecord(parts.call(), { id, recordId: data.id })).data, data)
    assertSound(parts.gitdir())
  })

  it('have names of their own in a site, also if several are made or renamed at once', async () => {
    const make = (name: string, context = parts.context()) =>
      createCollection({ ...parts.services, ...context }, { name })
    const taken = (error: { code?: string; details?: unknown }) => {
      assert.deepEqual([error.code, error.details], ['name_taken', { id }])
      return true
    }
    await assert.rejects(make('Books'), taken)
    const { data: films } = await make('Films')
    await assert.rejects(putCollection(parts.call(), { id: films.id, name: 'Books' }), taken)
    await putCollection(parts.call(), { id: films.id, name: 'Films', schema: {} })
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => make('Songs')))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), ['fulfilled', ...Array(4).fill('rejected')])
    await putCollection(parts.call(), { id, name: 'Old books', schema: BOOK })
    const { data: books } = await make('Books')
    await deleteCollection(parts.call(), { id: books.id })
    await make('Books')
    await make('books')
    const other = await shared.inNewWorkspace()
    await createCollection(other.call(), { name: 'Books' })
  })

  it('are sorted by fields, not by words', async () => {
    for (const sort of ['year desc', 'title,year ASC'])
      await assert.rejects(list({ sort }), {
        code: 'invalid_query',
        message: /write "year", or "-year" for descending/,
      })
    await assert.rejects(list({ sort: 'yaer' }), { code: 'invalid_query', message: /no field "yaer"/ })
  })

  it('are stored and answered alike at any length, with their fields in any order', async () => {
    const { data: free } = await createCollection(parts.call(), { name: 'Free' })
    const many = (extra: object) => ({ list: Array.from({ length: 8000 }, (_, n) => ({ b: n, a: 'x' })), ...extra })
    const about = { id: free.id, data: many({}) }
    const { data: made } = await createRecord(parts.call(), about)
    const find = async () => (await getRecord(parts.call(), { id: free.id, recordId: made.id })).data
    assert.deepEqual(await find(), made)
    const replacing = { id: free.id, recordId: made.id, data: many({ a: 1 }) }
    const { data: replaced, etag } = await putRecord(parts.call(), replacing)
    assert.deepEqual(replaced.data, replacing.data)
    assert.deepEqual(await find(), replaced)
    assert.equal(etag, `"${git(parts.gitdir(), 'rev-parse', 'main')}"`)
    const stored = git(parts.gitdir(), 'show', `main:collections/${free.id}/${made.id}.json`)
    const sorted = Array.from({ length: 8000 }, (_, n) => ({ a: 'x', b: n }))
    assert.equal(stored, JSON.stringify({ a: 1, list: sorted }))
    const again = await putRecord(parts.call(), { ...replacing, data: { a: 1, list: sorted } })
    assert.equal(again.etag, etag, 'the same data in another order make no commit')
  })

  it('are refused if they do not fit the schema, with the fields at fault', async () => {
    await assert.rejects(add({ year: 'soon' }), (error: { code?: string; details?: { field: string }[] }) => {
      assert.equal(error.code, 'invalid_record')
      assert.deepEqual(error.details?.map(({ field }) => field).toSorted(), ['/data/title', '/data/year'])
      return true
    })
    assert.equal(git(parts.gitdir(), 'rev-list', '--count', 'main'), '2')
  })

  it('may be any object if there is no schema, up to the limit in bytes', async () => {
    const put = { id, name: 'Things' }
    const { data } = await putCollection(parts.call(), put)
    assert.equal(data.schema, null)
    await add({ any: [1, { deep: true }] })
    await assert.rejects(add({ text: 'x'.repeat(1024 * 1024) }), refusal('payload_too_large'))
  })

  it('are replaced and deleted under preconditions', async () => {
    const { services } = parts
    const { data } = await add({ title: 'Dune' })
    const recordId = data.id
    parts.pass(60)
    const put = (title: string, more: object = {}) =>
      putRecord({ ...services, ...parts.context() }, { id, recordId, data: { title }, ...more })
    const replaced = await put('Emma')
    assert.deepEqual(
      [replaced.data.data, replaced.data.createdAt, replaced.data.updatedAt],
      [{ title: 'Emma' }, '2026-11-21T10:00:00Z', '2026-11-21T10:01:00Z'],
    )
    assert.deepEqual((await getRecord({ ...services, ...parts.context() }, { id, recordId })).data, replaced.data)
    assert.deepEqual((await put('Emma')).data, replaced.data)
    const stale = [data.etag.slice(1, -1)]
    await assert.rejects(put('Other', { ifMatch: stale }), refusal('precondition_failed'))
    const remove = (more: object = {}) => deleteRecord({ ...services, ...parts.context() }, { id, recordId, ...more })
    await assert.rejects(remove({ ifMatch: stale }), refusal('precondition_failed'))
    assert.deepEqual((await remove()).data, { id: recordId })
    await assert.rejects(remove(), refusal('record_not_found'))
    await assert.rejects(put('Late'), refusal('record_not_found'))
  })

  it('are searched, filtered and sorted, part by part', async () => {
    for (const [title, year] of [
      ['Dune', 1965],
      ['Emma', 1815],
      ['Ubik', 1969],
    ]) {
      await add({ title, year })
    }
    const titles = async (more: object) => (await list(more)).data.map(({ data }) => data['title'])
    assert.deepEqual(await titles({}), ['Dune', 'Emma', 'Ubik'])
    assert.deepEqual(await titles({ sort: '-year' }), ['Ubik', 'Dune', 'Emma'])
    assert.deepEqual(await titles({ filter: [{ field: 'year', op: 'gt', value: '1900' }] }), ['Dune', 'Ubik'])
    assert.deepEqual(await titles({ q: 'ubi' }), ['Ubik'])
    assert.deepEqual(await titles({ q: '") OR *' }), [])
    const first = await list({ limit: 2, sort: 'title' })
    assert.deepEqual(await titles({ limit: 2, sort: 'title', cursor: first.nextCursor ?? '' }), ['Ubik'])
    await assert.rejects(list({ sort: 'color' }), refusal('invalid_query'))
  })

  it('answer collection_not_found if the collection does not exist', async () => {
    const unknown = { id: randomUUID() }
    await assert.rejects(listRecords(parts.call(), unknown), refusal('collection_not_found'))
    const create = createRecord(parts.call(), { ...unknown, data: {} })
    await assert.rejects(create, refusal('collection_not_found'))
    const read = getRecord(parts.call(), { id, recordId: randomUUID() })
    await assert.rejects(read, refusal('record_not_found'))
  })

  it('are deleted with their collection in one commit', async () => {
    await add({ title: 'Dune' })
    const before = git(parts.gitdir(), 'rev-parse', 'main')
    const { data } = await deleteCollection(parts.call(), { id })
    assert.deepEqual(data, { id })
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main~1'), before)
    assert.equal(git(parts.gitdir(), 'ls-tree', '-r', '--name-only', 'main'), '.site.json')
    await assert.rejects(getCollection(parts.call(), { id }), refusal('collection_not_found'))
    assert.deepEqual((await listCollections(parts.call(), {})).data, [])
  })

  it('leave a page in the folder of a deleted collection', async () => {
    await add({ title: 'Dune' })
    const page = { path: `/collections/${id}/page`, html: '<title>page</title>' }
    await createPage(parts.call(), page)
    await deleteCollection(parts.call(), { id })
    const left = git(parts.gitdir(), 'ls-tree', '-r', '--name-only', 'main').split('\n')
    assert.deepEqual(
      left.filter((path) => !path.startsWith('.')),
      [`collections/${id}/page.html`],
    )
  })

  it('are deleted with their collection, also if they exceed one transaction, and their folder as one entry', async () => {
    const many = MAX_CHANGES_AT_ONCE + 1
    for (let added = 0; added < many; added += 500) {
      const operations = Array.from({ length: Math.min(500, many - added) }, (_, number) => {
        return { op: 'createRecord' as const, collectionId: id, data: { title: `Book ${added + number}` } }
      })
      await runBatch(parts.call(), { operations })
    }
    await deleteCollection(parts.call(), { id })
    assert.equal(git(parts.gitdir(), 'ls-tree', '-r', '--name-only', 'main'), '.site.json')
    assertSound(parts.gitdir())
    const again = await createCollection(parts.call(), { name: 'Books' })
    assert.deepEqual((await listCollections(parts.call(), {})).data, [again.data])
    await assert.rejects(list(), refusal('collection_not_found'))
  })

  it('are checked by the schema at the moment of the write, even if it changes meanwhile', async () => {
    const stricter = { ...BOOK, required: ['title', 'year'] }
    const [outcome] = await Promise.allSettled([
      add({ title: 'Dune' }),
      putCollection(parts.call(), { id, name: 'Books', schema: stricter }),
    ])
    const { data } = await list()
    const fits = outcome.status === 'fulfilled' ? [{ title: 'Dune' }] : []
    assert.deepEqual(
      data.map((record) => record.data),
      fits,
    )
    if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'invalid_record')
    await assert.rejects(add({ title: 'Emma' }), refusal('invalid_record'))
  })

  it('refuse a schema that cannot be used to check records', async () => {
    const make = (schema: object) => createCollection(parts.call(), { name: 'X', schema })
    await assert.rejects(make({ type: 'nothing' }), refusal('invalid_schema'))
    await assert.rejects(make({ $ref: 'https://example.org/x.json' }), refusal('invalid_schema'))
    assert.equal((await listCollections(parts.call(), {})).data.length, 1)
  })
})
