import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { RedirectMatcher } from '../../../src/repository/resolution/redirect-matcher.js'
import { parseRedirects } from '../../../src/model/rules/redirects-file.js'
import { processorMs } from '../../tasks/analysis/processor-time.js'

describe('the language of _redirects', () => {
  it('matches in time proportional to the path, for any pattern', () => {
    const hostile = Array.from(
      { length: 100 },
      (_, at) => `${'/:a'.replace('a', `a${at}`)}${'/a'.repeat(200)}/*${'/a'.repeat(200)}b /x`,
    )
    const { rules } = parseRedirects(Buffer.from(hostile.join('\n')))
    assert.equal(rules.length, 100)
    const matcher = new RedirectMatcher(rules)
    const time = (length: number) =>
      processorMs(() => {
        for (let at = 0; at < 10; at++) assert.equal(matcher.match('/a'.repeat(length), ''), undefined)
      })
    time(1000)
    // Allows twice the time for the compiler and the garbage collector; anything quadratic takes sixteen times.
    assert.ok(Math.min(time(8000), time(8000)) < 8 * Math.max(time(2000), time(2000)) + 20)
  })
})
