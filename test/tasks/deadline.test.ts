import assert from 'node:assert/strict'
import { whyPast } from '../../src/tasks/deadline.js'

describe('the deadline of a task process', () => {
  const cases = [
    { passedMs: 999, usedMs: 999, why: undefined, what: 'before its limit' },
    { passedMs: 1000, usedMs: 1000, why: 'costly', what: 'at its limit, with all of the processor' },
    { passedMs: 1000, usedMs: 750, why: 'costly', what: 'at its limit, with three quarters of the processor' },
    {
      passedMs: 1000,
      usedMs: 740,
      why: undefined,
      what: 'at its limit, if others took more than a quarter of the processor',
    },
    { passedMs: 2999, usedMs: 0, why: undefined, what: 'before three times its limit, without a processor' },
    { passedMs: 2000, usedMs: 760, why: 'costly', what: 'once a slow process has had its share' },
    { passedMs: 3000, usedMs: 0, why: 'starved', what: 'at three times its limit in any case' },
    { passedMs: 1000, usedMs: Infinity, why: 'costly', what: 'at its limit where the system tells no processor time' },
  ]
  for (const { why, what, ...spent } of cases) {
    it(`is ${why ?? 'not past'} ${what}`, () => assert.equal(whyPast(1000, spent), why))
  }
})
