import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { entityTagOf, namesTag, namesTagStrongly } from '../../../src/protocols/http/entity-tag.js'

describe('If-None-Match', () => {
  const tag = entityTagOf('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', 'identity')

  for (const field of [
    tag,
    `W/${tag}`,
    `"x", ${tag}`,
    `"x",W/${tag},"y"`,
    `"a,b" , ${tag}`,
    '*',
    ' * ',
    `,, ${tag} ,`,
  ]) {
    it(`${field} names the tag`, () => assert.equal(namesTag(field, tag), true))
  }

  for (const field of ['', '"x"', tag.slice(1, -1), `w/${tag}`, tag.toUpperCase(), `"${tag}"`, '"*"', `${tag}x`]) {
    it(`${field || 'an empty list'} does not name the tag`, () => assert.equal(namesTag(field, tag), false))
  }
})

describe('a list of entity tags', () => {
  /** Characters allowed between the quotes (RFC 9110 §8.8.3), with those that write a list, a weak tag and any tag. */
  const opaque = fc.string({ unit: fc.constantFrom('a', 'b', 'W', '/', ',', '*', '!', '\u00e9'), maxLength: 4 })
  const item = fc.record({ tag: opaque.map((text) => `"${text}"`), isWeak: fc.boolean() })
  const comma = fc.constantFrom(',', ', ', ' ,\t', ',,', ', ,')

  it('names each tag in it by weak comparison, and each strong tag by strong comparison', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), comma, opaque, (items, between, other) => {
        const list = items.map(({ tag, isWeak }) => (isWeak ? `W/${tag}` : tag)).join(between)
        for (const asked of [`"${other}"`, ...items.map(({ tag }) => tag)]) {
          const named = items.filter(({ tag }) => tag === asked)
          assert.equal(namesTag(list, asked), named.length > 0, `${asked} in ${list}`)
          assert.equal(
            namesTagStrongly(list, asked),
            named.some(({ isWeak }) => !isWeak),
            `${asked} in ${list}`,
          )
        }
      }),
    )
  })

  it('names no tag that it does not contain, for any text, and every strong match is a weak match', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '"a"', 'W/', ',', ' ', '\t', 'a', '*', '\u0000', '\\') })
    fc.assert(
      fc.property(text, (list) => {
        const [weakly, strongly] = [namesTag(list, '"a"'), namesTagStrongly(list, '"a"')]
        assert.ok(!weakly || list.includes('"a"') || list.trim() === '*')
        assert.ok(!strongly || weakly)
      }),
    )
  })
})
