import assert from 'node:assert/strict'
import { isPast } from '../../src/tasks/deadline.js'

describe('the deadline of a task process', () => {
  const cases = [
    { passedMs: 999, usedMs: 999, past: false, what: 'before its limit' },
    { passedMs: 1000, usedMs: 1000, past: true, what: 'at its limit, with all of the processor' },
    { passedMs: 1000, usedMs: 750, past: true, what: 'at its limit, with three quarters of the processor' },
    {
      passedMs: 1000,
      usedMs: 740,
      past: false,
      what: 'at its limit, if others took more than a quarter of the processor',
    },
    { passedMs: 2999, usedMs: 0, past: false, what: 'before three times its limit, without a processor' },
    { passedMs: 2000, usedMs: 760, past: true, what: 'once a slow process has had its share' },
    { passedMs: 3000, usedMs: 0, past: true, what: 'at three times its limit in any case' },
    { passedMs: 1000, usedMs: Infinity, past: true, what: 'at its limit where the system tells no processor time' },
  ]
  for (const { past, what, ...spent } of cases) {
    it(`is ${past ? '' : 'not '}past ${what}`, () => assert.equal(isPast(1000, spent), past))
  }
})
