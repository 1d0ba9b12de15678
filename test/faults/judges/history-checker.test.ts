import assert from 'node:assert/strict'
import { findViolations, type ReadOperation, type WriteOperation } from './history-checker.js'

const write = (id: string, invoked: number, returned?: number, more: Partial<WriteOperation> = {}): WriteOperation => ({
  kind: 'write',
  id,
  page: '/hot',
  invoked,
  returned,
  outcome: returned === undefined ? 'unknown' : 'acknowledged',
  ...more,
})
const read = (saw: string, invoked: number, returned: number, page = '/hot'): ReadOperation => ({
  kind: 'read',
  page,
  saw,
  invoked,
  returned,
})

describe('the checker of histories', () => {
  it('accepts writes and reads that overlap in a valid order', () => {
    const operations = [
      write('a', 0, 10),
      write('b', 5, 20),
      write('c', 6, 19),
      read('a', 8, 25),
      read('c', 8, 25),
      read('b', 21, 22),
      write('lost', 30),
      write('late', 31),
      read('late', 40, 41),
      write('no', 50, 51, { outcome: 'refused' }),
      write('other', 60, 61, { page: '/other' }),
      read('late', 62, 63),
    ]
    assert.deepEqual(findViolations(operations, ['a', 'c', 'b', 'late', 'other']), [])
  })

  const violated: [what: string, operations: (WriteOperation | ReadOperation)[], log: string[], said: RegExp][] = [
    ['an acknowledged write that is gone', [write('a', 0, 1)], [], /acknowledged and is not in the log/],
    ['a write that happened twice', [write('a', 0, 1)], ['a', 'a'], /twice/],
    ['an unanswered write that happened twice', [write('a', 0)], ['a', 'a'], /twice/],
    ['a refused write that happened', [write('a', 0, 1, { outcome: 'refused' })], ['a'], /refused and is in/],
    ['a write of nobody', [], ['a'], /nobody wrote/],
    ['a write before one that was answered earlier', [write('a', 0, 1), write('b', 2, 3)], ['b', 'a'], /stands before/],
    [
      'an unanswered write before one that was answered earlier',
      [write('a', 0, 1), write('b', 2)],
      ['b', 'a'],
      /stands before/,
    ],
    ['a stale read', [write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)], ['a', 'b'], /was known/],
    [
      'a read older than what another reader saw, although the write was never answered',
      [write('a', 0, 1), write('b', 2), read('b', 3, 4), read('a', 5, 6)],
      ['a', 'b'],
      /was known/,
    ],
    [
      'a read of one page older than what another page showed',
      [
        write('a', 0, 1),
        write('b', 2),
        write('c', 2, 9, { page: '/other' }),
        read('c', 3, 4, '/other'),
        read('a', 5, 6),
      ],
      ['a', 'b', 'c'],
      /was known/,
    ],
    ['a read from the future', [write('a', 5, 6), read('a', 1, 2)], ['a'], /before it/],
    [
      'a read of what stands behind a write from the future',
      [write('a', 5), write('b', 0, 9), read('b', 1, 2)],
      ['a', 'b'],
      /before it/,
    ],
    ['a read of a write that never was', [write('a', 0), read('a', 1, 2)], [], /does not have there/],
    ['a read of another page', [write('a', 0, 1), read('a', 2, 3, '/other')], ['a'], /does not have there/],
  ]
  for (const [what, operations, log, said] of violated) {
    it(`finds ${what}`, () => {
      const violations = findViolations(operations, log)
      assert.equal(violations.length, 1, violations.join('\n'))
      assert.match(violations[0] ?? '', said)
    })
  }
})
