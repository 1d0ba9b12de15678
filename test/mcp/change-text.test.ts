import assert from 'node:assert/strict'
import { commitText } from '../../src/mcp/text/change-text.js'

describe('a commit in a list of an agent', () => {
  const commit = { id: 'a'.repeat(40), createdAt: '2026-01-01T00:00:00Z', author: 'Olga', subject: 'x', mine: false }
  const textOf = (more: object) => commitText({ ...commit, ...more })

  it('is said to be pushed where the service did not make it, and not where it made the site', () => {
    assert.match(textOf({ parent: 'b'.repeat(40), verified: 'none' }), /Z pushed "x"/)
    assert.doesNotMatch(textOf({ parent: 'b'.repeat(40), verified: 'service' }), /pushed/)
    assert.doesNotMatch(textOf({ parent: null, verified: 'none' }), /pushed/)
  })
})
