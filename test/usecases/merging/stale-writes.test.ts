import assert from 'node:assert/strict'
import type { BatchOperation } from '../../../schemas/batch.js'
import { hashObject } from '../../../src/git/objects/object.js'
import { editContent, putPage, replaceContent, retitle } from '../../../src/usecases/merging/change-page.js'
import { runBatch } from '../../../src/usecases/batch/batch.js'
import { editFile } from '../../../src/usecases/files/edit-file.js'
import { putFile } from '../../../src/usecases/files/put-file.js'
import { writeFile } from '../../../src/usecases/files/write-file.js'
import { createPage, getPage } from '../../../src/usecases/pages/pages.js'
import { createCollection, getCollection, putCollection } from '../../../src/usecases/records/collections.js'
import { createRecord, getRecord, putRecord } from '../../../src/usecases/records/records.js'
import { ServiceError } from '../../../src/model/errors.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const LINES = '<p>one</p>\n<p>two</p>\n<p>three</p>\n'
const MERGE = { onConflict: 'merge' } as const

interface Details {
  etag: string
  conflicts: { path: string; hunks: string | null }[]
  since: { author: string }[]
}

describe('a stale write with onConflict=merge', () => {
  let shared: ServiceParts
  let parts: ServiceParts

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
  })
  after(() => shared.stop())

  const conflictOf = async (work: Promise<unknown>): Promise<Details> => {
    const error: unknown = await work.catch((reason: unknown) => reason)
    assert.ok(error instanceof ServiceError && error.code === 'merge_conflict', String(error))
    return error.details as Details
  }
  const untag = (etag: string | undefined) => (etag ?? '').slice(1, -1)

  describe('of a page', () => {
    let id: string
    let base: string
    const live = async () => (await getPage(parts.call(), { id })).data
    const put = async (html: string) => (await replaceContent(parts.call(), { id, html })).data

    beforeEach(async () => {
      const { data } = await createPage(parts.call(), { path: '/fair', html: LINES })
      id = data.id
      base = data.version.id
    })

    it('makes edits in the version that the client read, and merges them', async () => {
      await put(LINES.replace('one', 'new one'))
      const edits = [{ find: 'three', replace: 'new three' }]
      const { data } = await editContent(parts.call(), { id, edits, ifMatch: [base], ...MERGE })
      assert.equal(data.mergedWith?.length, 1)
      assert.equal((await live()).html, LINES.replace('one', 'new one').replace('three', 'new three'))
      const clash = editContent(parts.call(), { id, edits: [{ find: 'one', replace: '1' }], ifMatch: [base], ...MERGE })
      assert.match((await conflictOf(clash)).conflicts[0]?.hunks ?? '', /new one[^]*1/)
      const lost = [{ find: 'new one', replace: 'x' }]
      const refused = editContent(parts.call(), { id, edits: lost, ifMatch: [base], ...MERGE })
      await assert.rejects(refused, refusal('edit_not_applicable'))
    })

    it('sets a title unless somebody set another one since', async () => {
      await put(LINES.replace('one', 'new one'))
      const { data } = await retitle(parts.call(), { id, title: 'Mine', ifMatch: [base], ...MERGE })
      assert.deepEqual([data.title, data.mergedWith?.length], ['Mine', 1])
      const same = await retitle(parts.call(), { id, title: 'Mine', ifMatch: [base], ...MERGE })
      assert.equal(same.data.changed, false)
      const details = await conflictOf(retitle(parts.call(), { id, title: 'Other', ifMatch: [base], ...MERGE }))
      assert.equal(details.conflicts[0]?.hunks, 'The title was set to "Mine" since.')
      await assert.rejects(
        retitle(parts.call(), { id, title: 'x', ifMatch: '*', ...MERGE }),
        refusal('precondition_required'),
      )
    })

    it('is merged at its path too', async () => {
      await put(LINES.replace('one', 'new one'))
      const input = { path: '/fair', html: LINES.replace('three', 'new three'), ifMatch: [base], ...MERGE }
      const { data, created } = await putPage(parts.call(), input)
      assert.deepEqual([data.mergedWith?.length, created], [1, undefined])
      assert.equal((await live()).html, LINES.replace('one', 'new one').replace('three', 'new three'))
      const nowhere = putPage(parts.call(), { ...input, path: '/other' })
      await assert.rejects(nowhere, refusal('precondition_failed'))
    })
  })

  describe('of a file', () => {
    const path = '/style.css'
    const text = 'a {}\nb {}\nc {}\n'
    const base = oidOf(text)
    const write = async (bytes: string, more: object = {}) =>
      (await writeFile(parts.call(), { path, text: bytes, ...more })).data
    const put = async (bytes: Buffer, more: object = {}) => {
      const chunks = (async function* () {
        yield await Promise.resolve(bytes)
      })()
      return (await putFile(parts.call(), { path, bytes: { size: bytes.length, chunks }, ...more })).data
    }

    beforeEach(() => write(text))

    it('merges bytes, JSON and edits, and names the versions since', async () => {
      await write(text.replace('a', 'ours'))
      const merged = await put(Buffer.from(text.replace('c', 'theirs')), { ifMatch: [base], ...MERGE })
      const both = text.replace('a', 'ours').replace('c', 'theirs')
      assert.equal(merged.oid, oidOf(both))
      assert.deepEqual(
        merged.mergedWith?.map(({ number, author }) => [number, author]),
        [[2, 'Ada']],
      )
      const written = await write(text.replace('c', 'theirs'), { ifMatch: [base], ...MERGE })
      assert.deepEqual([written.oid, written.changed], [oidOf(both), false])
      const edits = [{ find: 'c {}', replace: 'theirs {}\nd {}' }]
      await conflictOf(editFile(parts.call(), { path, edits, ifMatch: [base], ...MERGE, dryRun: true }))
      const fine = [{ find: 'a {}', replace: 'ours {}' }]
      const edited = (await editFile(parts.call(), { path, edits: fine, ifMatch: [base], ...MERGE })).data
      assert.equal(edited.oid, oidOf(both))
      const newest = [{ find: 'd', replace: 'd' }]
      await assert.rejects(
        editFile(parts.call(), { path, edits: newest, ifMatch: [oidOf(both)], ...MERGE }),
        refusal('edit_not_applicable'),
      )
    })

    it('is refused where both changed the same lines, for bytes of no text, and for a tag that names nothing', async () => {
      await write(text.replace('b', 'ours'))
      const { conflicts, since, etag } = await conflictOf(
        write(text.replace('b', 'theirs'), { ifMatch: [base], ...MERGE }),
      )
      assert.match(conflicts[0]?.hunks ?? '', /<<<<<<< ours\nours {}\n=======\ntheirs {}\n>>>>>>> theirs/)
      assert.deepEqual([conflicts[0]?.path, since.length, etag], [path, 1, `"${oidOf(text.replace('b', 'ours'))}"`])
      const binary = await conflictOf(put(Buffer.from('\0'), { ifMatch: [base], ...MERGE }))
      assert.equal(binary.conflicts[0]?.hunks, null)
      const large = await conflictOf(put(Buffer.alloc(2 * 1024 * 1024, 'x'), { ifMatch: [base], ...MERGE }))
      assert.equal(large.conflicts[0]?.hunks, null)
      await assert.rejects(write('x', { ifMatch: ['f'.repeat(40)], ...MERGE }), refusal('precondition_failed'))
      await assert.rejects(put(Buffer.from('x'), MERGE), refusal('precondition_required'))
    })

    it('makes no rules with wrong lines', async () => {
      const rules = '/a /b\n\n/c /d\n'
      const at = { path: '/_redirects' }
      await writeFile(parts.call(), { ...at, text: rules })
      await writeFile(parts.call(), { ...at, text: rules.replace('/b', '/new 999'), force: true })
      const merge = writeFile(parts.call(), {
        ...at,
        text: rules.replace('/d', '/e'),
        ifMatch: [oidOf(rules)],
        ...MERGE,
      })
      await assert.rejects(merge, refusal('invalid_rules'))
    })
  })

  describe('of a record or collection', () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } }, not: { required: ['from', 'to'] } }
    let id: string

    beforeEach(async () => {
      id = (await createCollection(parts.call(), { name: 'books', schema })).data.id
    })

    it('merges fields, and checks the result against the schema', async () => {
      const made = await createRecord(parts.call(), { id, data: { sum: 1, tags: ['x'] } })
      const recordId = made.data.id
      const at = { id, recordId, ifMatch: [untag(made.etag)], ...MERGE }
      await putRecord(parts.call(), { id, recordId, data: { sum: 2, tags: ['x'], from: 1 } })
      const { data } = await putRecord(parts.call(), { ...at, data: { sum: 1, tags: ['y'] } })
      assert.deepEqual(data.data, { from: 1, sum: 2, tags: ['y'] })
      assert.deepEqual(
        data.mergedWith?.map(({ author }) => author),
        ['Ada'],
      )
      assert.deepEqual((await getRecord(parts.call(), { id, recordId })).data.data, data.data)
      const { conflicts } = await conflictOf(putRecord(parts.call(), { ...at, data: { sum: 3, tags: ['z'] } }))
      assert.equal(conflicts[0]?.hunks, 'Both sides changed /sum, /tags differently.')
      await assert.rejects(
        putRecord(parts.call(), { ...at, data: { sum: 1, tags: ['x'], to: 1 } }),
        refusal('invalid_record'),
      )
      const unknown = { ...at, ifMatch: ['f'.repeat(40)], data: {} }
      await assert.rejects(putRecord(parts.call(), unknown), refusal('precondition_failed'))
    })

    it('merges many that write at once', async () => {
      const made = await createRecord(parts.call(), { id, data: {} })
      const at = { id, recordId: made.data.id, ifMatch: [untag(made.etag)], ...MERGE }
      const names = ['a', 'b', 'c', 'd']
      await Promise.all(names.map((name) => putRecord(parts.call(), { ...at, data: { [name]: 1 } })))
      assert.deepEqual((await getRecord(parts.call(), at)).data.data, { a: 1, b: 1, c: 1, d: 1 })
    })

    it('merges the name and the schema of a collection', async () => {
      const { etag } = await getCollection(parts.call(), { id })
      await putCollection(parts.call(), { id, name: 'works', schema })
      const more = { ...schema, properties: { ...schema.properties, year: { type: 'integer' } } }
      const input = { id, name: 'books', schema: more, ifMatch: [untag(etag)], ...MERGE }
      const { data } = await putCollection(parts.call(), input)
      assert.deepEqual([data.name, data.schema, data.mergedWith?.length], ['works', more, 1])
    })
  })

  it('merges each stale operation of a batch, or refuses all of it', async () => {
    const page = (await createPage(parts.call(), { path: '/a', html: LINES })).data
    const file = (await writeFile(parts.call(), { path: '/a.css', text: 'a\n\n\nb\n' })).data
    const { id } = (await createCollection(parts.call(), { name: 'books' })).data
    const record = await createRecord(parts.call(), { id, data: { a: 1, b: 1 } })
    const recordId = record.data.id
    await replaceContent(parts.call(), { id: page.id, html: LINES.replace('one', 'ours') })
    await writeFile(parts.call(), { path: '/a.css', text: 'ours\n\n\nb\n' })
    await putRecord(parts.call(), { id, recordId, data: { a: 2, b: 1 } })
    const [etag, oid] = [page.etag, `"${file.oid}"`]
    const operations: BatchOperation[] = [
      { op: 'editContent', id: page.id, edits: [{ find: 'three', replace: 'theirs' }], ifMatch: etag },
      { op: 'putFile', path: '/a.css', text: 'a\n\n\ntheirs\n', ifMatch: oid },
      { op: 'putRecord', collectionId: id, recordId, data: { a: 1, b: 2 }, ifMatch: record.etag ?? '' },
    ]
    await assert.rejects(runBatch(parts.call(), { operations }), refusal('batch_refused'))
    const { data } = await runBatch(parts.call(), { operations, ...MERGE })
    assert.deepEqual(
      data.items.map(({ mergedWith, changed }) => [mergedWith?.length, changed]),
      operations.map(() => [1, true]),
    )
    const html = LINES.replace('one', 'ours').replace('three', 'theirs')
    assert.equal((await getPage(parts.call(), { id: page.id })).data.html, html)
    assert.deepEqual((await getRecord(parts.call(), { id, recordId })).data.data, { a: 2, b: 2 })
    const titled: BatchOperation = { op: 'retitlePage', id: '/a', title: 'Mine', ifMatch: etag }
    const merged = await runBatch(parts.call(), { operations: [titled], ...MERGE })
    assert.equal(merged.data.items[0]?.mergedWith?.length, 2)
    const clash: BatchOperation = { op: 'replacePage', id: page.id, html: LINES.replace('one', 'x'), ifMatch: etag }
    const error: unknown = await runBatch(parts.call(), { operations: [operations[2]!, clash], ...MERGE }).catch(
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ServiceError && error.code === 'batch_refused')
    const { errors } = error.details as { errors: { index: number; code: string }[] }
    assert.deepEqual(
      errors.map(({ index, code }) => [index, code]),
      [[1, 'merge_conflict']],
    )
  })
})

function oidOf(text: string): string {
  return hashObject('blob', Buffer.from(text))
}
