import assert from 'node:assert/strict'
import { array, assert as check, constantFrom, nat, property } from 'fast-check'
import { cutToBytes, fittingEnd, partOf } from '../../src/model/text-parts.js'
import { anyText } from '../texts/any-text.js'

const POEM = 'one\ntwo\nthree\nfour\n'
const anyLines = array(constantFrom('a', 'é', '漢', '😀', '\r\n', '\n', '\r', 'x'.repeat(9)), { maxLength: 40 }).map(
  (all) => all.join(''),
)

describe('parts of a text', () => {
  it('are lines by their numbers, from 1', () => {
    const lines = (range: string, text = POEM) => {
      const { text: part, lines: told } = partOf(text, { lines: range })
      return [part, told.from, told.to, told.total]
    }
    assert.deepEqual(lines('2-3'), ['two\nthree\n', 2, 3, 4])
    assert.deepEqual(lines('4-'), ['four\n', 4, 4, 4])
    assert.deepEqual(lines('2-9', 'a\nb'), ['b', 2, 2, 2])
    assert.equal(lines('9-12')[0], '')
  })

  it('are characters, with their lines', () => {
    assert.deepEqual(partOf(POEM, { chars: '5-9' }), {
      text: 'two\nt',
      lines: { from: 2, to: 3, total: 4 },
      characters: { from: 5, to: 9, total: 19 },
    })
    assert.equal(partOf(POEM, { chars: '100-' }).text, '')
    assert.equal(partOf('', { chars: '1-' }).text, '')
  })

  it('never begin or end inside a code point or a CRLF', () => {
    check(
      property(anyLines, nat(60), nat(60), (text, from, length) => {
        const { text: part, characters } = partOf(text, { chars: `${from + 1}-${from + 1 + length}` })
        assert.equal(part.isWellFormed(), true)
        assert.equal(part, text.slice(characters.from - 1, characters.to))
        for (const at of [characters.from - 1, characters.to]) assert.notEqual(text.slice(at - 1, at + 1), '\r\n')
      }),
    )
  })

  it('fit into a number of bytes, and can be read on to the end', () => {
    check(
      property(anyLines, nat(20), (text, more) => {
        const bytes = 12 + more
        let read = ''
        while (read.length < text.length) {
          const part = text.slice(read.length, read.length + fittingEnd(text.slice(read.length), bytes))
          assert.ok(part.length > 0 && Buffer.byteLength(part) <= bytes && part.isWellFormed(), JSON.stringify(part))
          if (part.endsWith('\r')) assert.notEqual(text[read.length + part.length], '\n')
          read += part
        }
        assert.equal(read, text)
        assert.ok(Buffer.byteLength(cutToBytes(text, bytes)) <= bytes)
      }),
    )
    check(property(anyText(), nat(), (text, bytes) => Buffer.byteLength(cutToBytes(text, bytes + 3)) <= bytes + 3))
  })
})
