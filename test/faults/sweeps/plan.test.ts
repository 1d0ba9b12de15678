import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { SeenCall } from '../ground/strace.js'
import { chooseCalls } from './plan.js'

const anyCalls: fc.Arbitrary<SeenCall[]> = fc.array(
  fc.record({
    thread: fc.integer({ min: 1, max: 4 }),
    call: fc.constant('fsync'),
    file: fc.constantFrom('pack', 'refs/heads/main', 'threads', 'catalog.db-wal'),
  }),
  { maxLength: 40 },
)

describe('the plan of a sweep', () => {
  it('has the first and the last call on each kind of file, in some thread that makes it', () => {
    fc.assert(
      fc.property(anyCalls, (seen) => {
        const chosen = new Set(chooseCalls(seen))
        for (const which of [0, -1]) {
          for (const file of new Set(seen.map((one) => one.file))) {
            const numbers = [1, 2, 3, 4].flatMap((thread) => {
              const calls = seen.filter((one) => one.thread === thread)
              const made = calls.flatMap((one, at) => (one.file === file ? [at + 1] : []))
              return made.at(which) ?? []
            })
            assert.ok(
              numbers.some((number) => chosen.has(number)),
              `${file}: ${numbers.join()} of ${[...chosen].join()}`,
            )
          }
        }
      }),
    )
  })

  it('has few calls where most are alike', () => {
    const seen = Array.from({ length: 200 }, () => ({ thread: 1, call: 'write', file: 'threads' }))
    assert.deepEqual(chooseCalls(seen), [1, 200])
  })
})
