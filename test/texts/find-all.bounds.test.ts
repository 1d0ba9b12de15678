import assert from 'node:assert/strict'
import { findAll } from '../../src/texts/find-all.js'
import { processorMs } from '../tasks/analysis/processor-time.js'

describe('a search for many texts', () => {
  it('takes linear time if text and searched texts repeat themselves', () => {
    const texts = Array.from({ length: 100 }, (_, n) => `${'a'.repeat(10_000 + n)}b`)
    const ends = Array.from({ length: 100 }, (_, n) => 'a'.repeat(n + 1))
    const took = processorMs(() => {
      const places = findAll('a'.repeat(1_000_000), [...texts, ...ends], 1_000)
      assert.deepEqual([places[0]?.length, places[100]?.length], [0, 1_000])
    })
    // One search for each takes minutes.
    assert.ok(took < 5_000, `${took} ms`)
  })
})
