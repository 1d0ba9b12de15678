import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { sortKeyOf } from '../../src/index/tables/sort-key.js'
import { anyText } from '../texts/any-text.js'

describe('the key by which a text is sorted', () => {
  it('is the same in either case, composed or not, with and without accents', () => {
    assert.equal(sortKeyOf('Äpfel'), 'apfel')
    assert.equal(sortKeyOf('A\u0308PFEL'), 'apfel')
    assert.equal(sortKeyOf('Straße'), 'strasse')
    assert.equal(sortKeyOf('ŻÓŁW'), 'zołw')
    assert.equal(sortKeyOf('Ἀθῆναι'), 'αθηναι')
    assert.equal(sortKeyOf('ﬁn ℡ Ⅳ'), 'fin tel iv')
  })

  it('keeps what are letters in scripts without case', () => {
    assert.equal(sortKeyOf('कि'), 'कि')
    assert.equal(sortKeyOf('กิน'), 'กิน')
    assert.equal(sortKeyOf('がく'), 'かく')
    assert.ok(sortKeyOf('각') > sortKeyOf('가') && sortKeyOf('각') < sortKeyOf('나'))
  })

  it('has at most 256 characters, and cuts none of them', () => {
    assert.equal(sortKeyOf('X'.repeat(300)), 'x'.repeat(256))
    assert.equal(sortKeyOf('😀'.repeat(300)), '😀'.repeat(256))
    assert.equal(Array.from(sortKeyOf('ﷺ'.repeat(300))).length, 256)
  })

  it('can be stored and is the key of itself, for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const key = sortKeyOf(text)
        assert.ok(!/\0|\p{Surrogate}/u.test(key))
        assert.equal(sortKeyOf(key), key)
      }),
    )
  })
})
