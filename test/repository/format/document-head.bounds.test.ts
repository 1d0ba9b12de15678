import assert from 'node:assert/strict'
import { readHead } from '../../../src/repository/format/document-head.js'
import { processorMs } from '../../tasks/analysis/processor-time.js'

describe('the head of a document', () => {
  const rules = '<title>Large</title><link rel=canonical href=/a><meta name=robots content=noindex>'
  const head = { title: 'Large', robots: 'noindex', canonical: '/a' }
  // Each has nine megabytes. Those that do not end the head are read to the end of what is looked at.
  const hostile = {
    'unclosed paragraphs': '<p>x'.repeat(2_250_000),
    'unclosed templates': '<template>'.repeat(900_000),
    'unclosed drawings': '<svg>'.repeat(1_800_000),
    'one tag with many attributes': `<meta${' name=robots content=x'.repeat(409_000)}`,
    'many canonical links': '<link rel=canonical href=/a>'.repeat(321_000),
    'many character references': `<link rel=canonical href="${'&amp;'.repeat(1_800_000)}`,
    'white space': ' '.repeat(9_000_000),
  }

  for (const [name, rest] of Object.entries(hostile)) {
    it(`costs little for a large document: ${name}`, () => {
      const html = Buffer.from(rules + rest)
      const took = processorMs(() => assert.deepEqual(readHead(html), head))
      assert.ok(took < 200, `${took} ms`)
    })
  }
})
