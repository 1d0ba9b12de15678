import assert from 'node:assert/strict'
import { array, assert as check, integer, property, string } from 'fast-check'
import { findAll } from '../../src/texts/find-all.js'

describe('a search for many texts', () => {
  it('finds the same places as a search for each, overlapping ones too, up to the bound', () => {
    const letters = { unit: 'grapheme-ascii' as const }
    const few = string({ unit: integer({ min: 0, max: 2 }).map((n) => 'abc'[n] ?? 'a'), maxLength: 60 })
    const finds = array(string({ unit: integer({ min: 0, max: 2 }).map((n) => 'abc'[n] ?? 'a'), maxLength: 5 }))
    check(
      property(few, finds, integer({ min: 1, max: 4 }), (text, texts, max) => {
        assert.deepEqual(
          findAll(text, texts, max),
          texts.map((find) => oneByOne(text, find, max)),
        )
      }),
      { numRuns: 2_000 },
    )
    check(
      property(string(letters), array(string(letters)), (text, texts) => {
        assert.deepEqual(
          findAll(text, texts, 3),
          texts.map((find) => oneByOne(text, find, 3)),
        )
      }),
    )
  })
})

function oneByOne(text: string, find: string, max: number): number[] {
  const starts: number[] = []
  if (find === '') return starts
  for (let at = text.indexOf(find); at >= 0 && starts.length < max; at = text.indexOf(find, at + 1)) starts.push(at)
  return starts
}
