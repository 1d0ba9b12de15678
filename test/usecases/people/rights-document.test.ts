import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { withRights } from './rights-document.js'

describe('the table of rights', () => {
  it('is in docs/people.md as it is in the route table', () => {
    const document = readFileSync('docs/people.md', 'utf8')
    assert.equal(withRights(document), document, 'run `npm run draw-rights`')
  })
})
