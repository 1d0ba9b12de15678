import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { type Span, selectSpan } from '../../../src/protocols/http/byte-range.js'

describe('a Range field', () => {
  const span = (start: number, end: number): Span => ({ start, end })
  const fields: [field: string, selected: Span | string][] = [
    ['bytes=0-0', span(0, 1)],
    ['bytes=0-', span(0, 100)],
    ['bytes=99-', span(99, 100)],
    ['bytes=10-1000000000000000000000000', span(10, 100)],
    ['bytes=-1', span(99, 100)],
    ['bytes=-1000', span(0, 100)],
    ['BYTES=0-9', span(0, 10)],
    ['bytes= 0-9 ,, ', span(0, 10)],
    ['bytes=0-9,10-19', span(0, 20)],
    ['bytes=50-,0-9,5-60', span(0, 100)],
    ['bytes=0-9,200-', span(0, 10)],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=100-,200-300', 'unsatisfiable'],
    ['bytes=9007199254740993-9007199254740992', 'whole'],
    ['bytes=0-9,20-29', 'whole'],
    ['bytes=9-0', 'whole'],
    ['bytes=0-9,9-0', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0 - 9', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['bytes=+1-2', 'whole'],
    ['bytes 0-9', 'whole'],
    ['lines=0-9', 'whole'],
    ['0-9', 'whole'],
    [`bytes=${'0-99,'.repeat(16)}`, span(0, 100)],
    [`bytes=${'0-99,'.repeat(17)}`, 'whole'],
  ]
  for (const [field, selected] of fields) {
    it(`${field.slice(0, 50)} of 100 bytes selects ${JSON.stringify(selected)}`, () => {
      assert.deepEqual(selectSpan(field, 100), selected)
    })
  }

  it('selects the whole, or nothing, of an empty file', () => {
    assert.equal(selectSpan('bytes=0-', 0), 'unsatisfiable')
    assert.equal(selectSpan('bytes=-5', 0), 'whole')
  })

  it('selects exactly the named bytes if they form one span', () => {
    const ranges = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 25 }), (given, size) => {
        const field = `bytes=${given.map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`).join(',')}`
        const isNamed = (at: number) => given.some(([a, b]) => at >= Math.min(a, b) && at <= Math.max(a, b))
        const named = Array.from({ length: size }, (_, at) => at).filter(isNamed)
        const [first = 0, last = 0] = [named[0], named.at(-1)]
        const isOnePiece = named.length === last - first + 1
        const expected = named.length === 0 ? 'unsatisfiable' : isOnePiece ? span(first, last + 1) : 'whole'
        assert.deepEqual(selectSpan(field, size), expected)
      }),
    )
  })

  it('never selects more bytes than the file has, for any field', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(bytes=)?[-0-9, ]*$/), fc.nat(1000), (field, size) => {
        const selected = selectSpan(field, size)
        if (typeof selected === 'string') return
        assert.ok(selected.start >= 0 && selected.start < selected.end && selected.end <= size)
      }),
    )
  })
})
