import assert from 'node:assert/strict'
import { assertSound, git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { put } from '../client.js'

interface Item {
  op: string
  id: string
  path?: string
  created: boolean
  changed: boolean
}

describe('a batch', () => {
  let service: TestService
  let collection: string

  before(async () => {
    service = await startTestService()
    const schema = { type: 'object', required: ['title'] }
    const { body } = await service.api().post('/collections').send({ name: 'books', schema })
    collection = body.data.id
  })
  after(() => service.stop())

  const batch = (operations: object[], key?: string) => {
    const request = service.api().post('/batch')
    return (key === undefined ? request : request.set('Idempotency-Key', key)).send({ operations })
  }
  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const text = async (path: string) => (await service.visit(path)).text

  it('gives the path of a deleted file to a page', async () => {
    await service.api().put('/files?path=/a-file').send('the file').expect(201)
    const { status, body } = await batch([
      { op: 'deleteFile', path: '/a-file' },
      { op: 'putPage', path: '/a-file', html: '<p>the page' },
    ])
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await text('/a-file'), '<p>the page')
  })

  it('makes many changes in one commit, which a revert undoes as one', async () => {
    const kept = await put(service.api(), '/kept', 'one two')
    const gone = await put(service.api(), '/gone', 'old')
    const before = head()
    const { status, body } = await batch([
      { op: 'createPage', path: '/new', html: 'new' },
      { op: 'putPage', path: '/gone/too', html: 'too', title: 'Too' },
      { op: 'editContent', id: kept.id, edits: [{ find: 'two', replace: 'zwei' }], ifMatch: kept.etag },
      { op: 'unpublishPage', id: gone.id },
      { op: 'createRecord', collectionId: collection, data: { title: 'A' } },
      { op: 'createRecord', collectionId: collection, data: { title: 'B' } },
    ])
    assert.equal(status, 200, JSON.stringify(body))
    const items = body.data.items as Item[]
    assert.deepEqual(
      items.map(({ created, changed }) => [created, changed]),
      [
        [true, true],
        [true, true],
        [false, true],
        [false, true],
        [true, true],
        [true, true],
      ],
    )
    assert.deepEqual([items[2]?.id, items[3]?.id], [kept.id, gone.id])
    assert.equal(git(service.gitdir(), 'rev-parse', 'main^'), before)
    assert.equal(git(service.gitdir(), 'log', '-1', '--format=%s'), 'Change 4 pages and 2 records')
    assertSound(service.gitdir())
    assert.deepEqual(await Promise.all(['/new', '/gone/too', '/kept'].map(text)), ['new', 'too', 'one zwei'])
    assert.equal((await service.visit('/gone')).status, 404)
    const record = await service.api().get(`/collections/${collection}/records/${items[5]?.id}`)
    assert.deepEqual(record.body.data.data, { title: 'B' })
    assert.equal(record.body.data.etag, `"${body.data.commit}"`)

    const undo = await service.api().post(`/sites/${service.site.id}/revert`).send({ commit: body.data.commit })
    assert.equal(undo.status, 201)
    assert.equal(await text('/gone'), 'old')
    assert.equal((await service.visit('/new')).status, 404)
    const records = await service.api().get(`/collections/${collection}/records`)
    assert.deepEqual(records.body.data, [])
  })

  it('changes nothing if an operation cannot be done, and names each such operation', async () => {
    const page = await put(service.api(), '/taken', 'taken')
    const before = head()
    const looked = await batch([
      { op: 'putPage', path: '/fine', html: 'fine' },
      { op: 'createRecord', collectionId: collection, data: {} },
      { op: 'replacePage', id: '00000000-0000-4000-8000-000000000000', html: 'x' },
      { op: 'putPage', path: '/fine', html: 'again' },
    ])
    const written = await batch([
      { op: 'putPage', path: '/fine', html: 'fine' },
      { op: 'createPage', path: '/taken', html: 'x' },
      { op: 'putPage', path: '/FINE', html: 'x' },
      { op: 'putPage', path: '/Deep/a', html: 'x' },
      { op: 'putPage', path: '/deep/b', html: 'x' },
    ])
    const stale = await batch([{ op: 'replacePage', id: page.id, html: 'x', ifMatch: `"${'0'.repeat(40)}"` }])
    const faults = ({ body }: { body: { error: { details: { errors: { index: number; code: string }[] } } } }) =>
      body.error.details.errors.map(({ index, code }) => [index, code])
    assert.deepEqual(
      [looked, written, stale].map(({ status }) => status),
      [409, 409, 409],
    )
    assert.deepEqual(faults(looked), [
      [1, 'invalid_record'],
      [2, 'page_not_found'],
      [3, 'conflict'],
    ])
    assert.deepEqual(faults(written), [
      [1, 'page_exists'],
      [2, 'path_conflict'],
      [4, 'path_conflict'],
    ])
    assert.deepEqual(faults(stale), [[0, 'precondition_failed']])
    assert.equal(head(), before)
  })

  it('answers a repeated request as before, only from the commit', async () => {
    const operations = [
      { op: 'createRecord', collectionId: collection, data: { title: '1' } },
      { op: 'putPage', path: '/repeated', html: 'once' },
      { op: 'createRecord', collectionId: collection, data: { title: '2' } },
      { op: 'putPage', path: '/taken', html: 'taken' },
    ]
    const first = await batch(operations, 'again')
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const before = head()
    const second = await batch(operations, 'again')
    assert.deepEqual(second.body, first.body)
    assert.equal(head(), before)
    assert.equal((await batch(operations.slice(1), 'again')).status, 422)
    const unchanged = await batch(operations.slice(1, 2))
    assert.deepEqual([unchanged.body.data.commit, unchanged.body.data.changed], [null, false])
  })

  it('accepts 500 operations and refuses 501, and names the operation with a fault', async () => {
    const many = Array.from({ length: 501 }, (_, n) => ({ op: 'putPage', path: `/many/${n}`, html: `page ${n}` }))
    assert.equal((await batch(many)).status, 400)
    const { status, body } = await batch(many.slice(1))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await text('/many/500'), 'page 500')
    const wrong = await batch([{ op: 'putPage', path: '/x', html: 'x', color: 'red' }])
    assert.deepEqual(wrong.body.error.details, [
      { field: '/operations/0/color', message: 'is not known here; known are: asPage, html, ifMatch, op, path, title' },
    ])
    const unknown = await batch([{ op: 'paintPage' }])
    assert.deepEqual([unknown.status, unknown.body.error.details[0].field], [400, '/operations/0/op'])
  })
})
