import assert from 'node:assert/strict'
import { parseRedirects } from '../../../src/model/rules/redirects-file.js'

describe('_redirects with a quarter of a million wrong lines', () => {
  it('is read no further than the first thousand, and says so', () => {
    const { rules, wrong } = parseRedirects(Buffer.from(`/a /b\n${'x\n'.repeat(250_000)}/c /d\n`))
    assert.equal(rules.length, 1)
    assert.equal(wrong.length, 1001)
    assert.deepEqual(wrong.at(-1), {
      line: 1002,
      message: 'From here on no line is read: 1000 lines before are wrong.',
    })
  })
})
