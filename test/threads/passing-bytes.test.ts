import assert from 'node:assert/strict'
import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { notePassed } from '../../src/threads/passing-bytes.js'

const PART_BYTES = 64 * 1024
const PARTS = 8192
const PARTS_A_TURN = 16

describe('512 MiB that only pass through', () => {
  it('hardly ever have the whole heap looked through', async () => {
    const looks: unknown[] = []
    const observer = new PerformanceObserver((list) => {
      const entries = list.getEntries() as (PerformanceEntry & { detail: NodeGCPerformanceDetail })[]
      const kinds = entries.map(({ detail }) => detail.kind)
      looks.push(...kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MAJOR))
    })
    observer.observe({ entryTypes: ['gc'] })
    for (let part = 1; part <= PARTS; part++) {
      notePassed(Buffer.allocUnsafeSlow(PART_BYTES).length)
      if (part % PARTS_A_TURN === 0) await nextTurn()
    }
    // Entries come a little later.
    await pause(20)
    observer.disconnect()
    assert.ok(looks.length <= 2, `${looks.length} times`)
  })
})
