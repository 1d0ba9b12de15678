import assert from 'node:assert/strict'
import { readTitle } from '../../../src/store/format/html-title.js'
import { processorMs } from '../../analysis/processor-time.js'

describe('the title of a document', () => {
  it('costs little for a large document', () => {
    const html = Buffer.from(`<title>Large</title>${'<p>x'.repeat(2_500_000)}`)
    const took = processorMs(() => assert.equal(readTitle(html), 'Large'))
    assert.ok(took < 200, `${took} ms`)
  })
})
