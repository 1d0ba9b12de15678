import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { parseSearch, toMatch, wordsIn } from '../../../src/index/text/words.js'
import { anyText } from '../../texts/any-text.js'

describe('the words of a text', () => {
  it('are runs of letters and digits in lower case, without accents', () => {
    assert.deepEqual(wordsIn('Ünïcode, receive.denyDeletes = 3.5!'), ['unicode', 'receive', 'denydeletes', '3', '5'])
  })

  it('are single characters in scripts without spaces between words', () => {
    assert.deepEqual(wordsIn('東京タワー2024年'), ['東', '京', 'タ', 'ワ', 'ー', '2024', '年'])
    assert.deepEqual(wordsIn('ที่นี่'), ['ที่', 'นี่'])
  })

  it('are never longer than 64 characters', () => {
    assert.deepEqual(wordsIn('x'.repeat(1_000_000)), ['x'.repeat(64)])
  })
})

describe('a search', () => {
  const matchOf = (q: string) => {
    const search = parseSearch(q)
    return search && toMatch(search)
  }

  it('asks for each term as adjacent words, and for the beginning of the last word', () => {
    assert.equal(matchOf('receive.denyDeletes quick'), '"receive denydeletes" "quick" *')
    assert.equal(matchOf('quick 東京'), '"quick" "東 京"')
  })

  it('asks for a single letter as a word', () => {
    assert.equal(matchOf('a'), '"a"')
  })

  it('is empty without a word', () => {
    assert.deepEqual(['', '  ', '*** "" ()', '\0'].map(matchOf), [undefined, undefined, undefined, undefined])
  })

  it('treats query syntax as plain text', () => {
    fc.assert(
      fc.property(anyText(), (q) => {
        const match = matchOf(q)
        if (match !== undefined) assert.match(match, /^(?:"[\p{L}\p{M}\p{N} ]+" ?)+\*?$/u)
      }),
    )
  })
})
