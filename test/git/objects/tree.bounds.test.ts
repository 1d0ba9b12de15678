import assert from 'node:assert/strict'
import { findEntry, MODE_BLOB, patchTree } from '../../../src/git/objects/tree.js'
import { processorMs } from '../../tasks/analysis/processor-time.js'

const oid = '7'.repeat(40)
const file = (number: number) => ({ mode: MODE_BLOB, name: `page-${String(number).padStart(6, '0')}.html`, oid })

describe('a tree of 100,000 entries', () => {
  it('is searched and patched in milliseconds', () => {
    const files = Array.from({ length: 100_000 }, (_, number) => file(number))
    const bytes = patchTree(Buffer.alloc(0), files)
    const took = processorMs(() => {
      const patched = patchTree(bytes, [file(50_000), { name: file(99_999).name, remove: true }])
      assert.deepEqual(findEntry(patched, file(50_000).name), file(50_000))
    })
    assert.ok(took < 250, `${took} ms`)
  })
})
