import assert from 'node:assert/strict'
import { toMarkdown } from '../../../src/texts/documents/convert.js'

describe('a document as Markdown', () => {
  it('takes linear time for any nesting and any unclosed elements', () => {
    for (const unit of [
      '<ul><li>',
      '<blockquote>',
      '<b>',
      '<a href=x>y',
      '<table><tr><td>',
      '<div>',
      '</p>',
      '<x1></x2>',
      '<pre>',
      '<!--',
      '<dl><dd>',
      '&lt;',
      '<',
      '`',
      '<code>`',
      '<svg>',
      '<a b=',
    ]) {
      const [short, long] = [10_000, 80_000].map((count) => {
        const html = unit.repeat(count)
        const before = process.cpuUsage()
        toMarkdown(html)
        return process.cpuUsage(before).user / 1000
      })
      assert.ok((long ?? 0) < 40 * Math.max(short ?? 0, 10), `${unit}: ${short} ms, then ${long} ms`)
    }
  })
})
