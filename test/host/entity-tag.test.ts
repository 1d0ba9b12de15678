import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { entityTagOf, namesTag } from '../../src/host/entity-tag.js'

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
    it(`${field || 'nothing'} does not`, () => assert.equal(namesTag(field, tag), false))
  }
})
