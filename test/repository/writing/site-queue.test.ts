import assert from 'node:assert/strict'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { foldersOf, sizeOf } from '../../../src/repository/protocol/cost.js'
import type { Operation } from '../../../src/repository/protocol/write.js'
import { SiteQueue } from '../../../src/repository/writing/site-queue.js'

const publish = (path: string, html = 'x'): Extract<Operation, { kind: 'publish-page' }> => ({
  kind: 'publish-page',
  newId: 'id',
  path: parsePagePath(path),
  html: Buffer.from(html),
  title: undefined,
  templateId: null,
  replace: true,
})
const writeOf = (operation: Operation) => ({ operation, author: 'Ada', time: 0, trailers: [] })
const SITE = { id: 'site', slug: 'site' }

describe('the queue of a site', () => {
  it('makes batches up to the limit of folders, and a batch of its own for a write above it', () => {
    const queue = new SiteQueue(SITE)
    for (let i = 0; i < 20; i++) queue.addWrite(i, writeOf(publish(`/${i}${'/a'.repeat(300)}`)))
    const sizes: number[] = []
    while (!queue.isIdle) sizes.push(queue.takeBatch().length)
    assert.deepEqual(sizes, [3, 3, 3, 3, 3, 3, 2])
    const changes = Array.from({ length: 5 }, (_, i) => publish(`/${i}${'/a'.repeat(300)}`))
    queue.addWrite(0, writeOf({ kind: 'change-set', changes }))
    queue.addWrite(1, writeOf(publish('/a')))
    assert.deepEqual([queue.takeBatch().length, queue.takeBatch().length], [1, 1])
  })

  it('serves dry runs and other requests in turn with its writes, and alone while the writes pause', () => {
    const queue = new SiteQueue(SITE)
    queue.addWrite(0, writeOf(publish('/a')))
    for (const ticket of [1, 2, 3]) queue.addOther(ticket, { type: 'open', site: SITE })
    assert.equal(queue.takeOther()?.ticket, 1)
    assert.equal(queue.takeOther(), undefined)
    assert.equal(queue.takeOther()?.ticket, 2)
    queue.isResting = true
    assert.equal(queue.isReady, true)
    assert.equal(queue.takeOther()?.ticket, 3)
    assert.equal(queue.isReady, false)
    assert.deepEqual(queue.clear(), [0])
  })
})

describe('the cost of a write', () => {
  it('counts all bytes that it holds', () => {
    const about = { collectionId: 'c', recordId: 'r', definition: '', create: true }
    const record: Operation = { kind: 'put-record', json: JSON.stringify({ text: 'x'.repeat(1_000_000) }), ...about }
    assert.ok(sizeOf(record) > 1_000_000)
    const schema = { enum: Array.from({ length: 1000 }, (_, i) => `value ${i}`) }
    assert.ok(
      sizeOf({ kind: 'put-collection', collectionId: 'c', name: 'n', schema, create: true }) > 1000 * 'value 1'.length,
    )
    const edits = [{ path: 'a', after: { mode: 0o100644, oid: '' }, content: Buffer.alloc(5000) }]
    const judged = Array.from({ length: 1000 }, (_, i) => ({ path: `folder/file-${i}`, before: null }))
    const revert: Operation = {
      kind: 'revert-commits',
      commits: [],
      withheld: [],
      prepared: { subject: '', edits, judged },
    }
    assert.ok(sizeOf(revert) > 5000 + 1000 * 'folder/file-1'.length)
    assert.ok(sizeOf({ kind: 'change-set', changes: [record, publish('/a', 'y'.repeat(500))] }) > 1_000_500)
  })

  it('counts each folder that a write makes once, and stops at the limit', () => {
    const changes = ['/a/b/c', '/a/b/d', '/a/e/f', '/g'].map((path) => publish(path))
    assert.equal(foldersOf({ kind: 'change-set', changes }, 100), 3)
    assert.equal(foldersOf({ kind: 'change-set', changes }, 2), 2)
  })
})
