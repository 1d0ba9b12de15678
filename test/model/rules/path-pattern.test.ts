import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { encodeCaptured, parsePathPattern, rulePathOf } from '../../../src/model/rules/path-pattern.js'
import { anyPath } from '../paths/arbitrary-path.js'

/** Every path of a request: Node refuses characters outside of Latin-1. */
const requested = fc
  .oneof(anyPath, fc.string({ maxLength: 12 }))
  .map((text) => `/${text.toWellFormed().replaceAll(/[^\x21-\xff]/gu, encodeURIComponent)}`)

describe('any path that a client can send', () => {
  const everything = parsePathPattern('/*')

  it('is matched by "/*", which captures all of it in a form that a URL can hold', () => {
    const property = fc.property(requested, (path) => {
      const splat = everything.match(rulePathOf(path))?.get('splat')
      assert.ok(splat !== undefined, path)
      const encoded = encodeCaptured(splat, encodeURI)
      assert.match(encoded, /^(?:%[0-9A-F]{2}|[!#$&-;=?-Z_a-z~])*$/)
      assert.equal(rulePathOf(`/${encoded}`).text, rulePathOf(path).text)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('is matched by a rule for it alone if no percent sign and no backslash stands for itself', () => {
    let matches = 0
    const property = fc.property(requested, requested, (path, other) => {
      if (/%(?![0-9a-f]{2})|[\\*?#]|\/:|\/\//i.test(path)) return
      const pattern = parsePathPattern(path)
      assert.ok(pattern.match(rulePathOf(path)), path)
      assert.equal(pattern.match(rulePathOf(other)) !== undefined, rulePathOf(path).text === rulePathOf(other).text)
      matches += 1
    })
    fc.assert(property, { numRuns: 2000 })
    assert.ok(matches > 100, `only ${matches} paths`)
  })
})
