import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readTitle } from '../../../src/store/format/html-title.js'
import { anyText } from '../../texts/any-text.js'

function titleOf(html: string): string | null {
  return readTitle(Buffer.from(html))
}

describe('the title of a document', () => {
  it('is the text of its first title element, white space collapsed', () => {
    assert.equal(titleOf('<!doctype html><head><TITLE lang=en>\n  About \t us </title><title>No</title>'), 'About us')
  })

  it('has its character references decoded and keeps what looks like a tag', () => {
    assert.equal(titleOf('<title>Q&amp;A &#x1F600; &lt;b&gt; <b>bold</b></title>'), 'Q&A 😀 <b> <b>bold</b>')
  })

  it('is null without a title, and for a blank one', () => {
    assert.equal(titleOf(''), null)
    assert.equal(titleOf('<h1>About</h1>'), null)
    assert.equal(titleOf('<title> \n </title>'), null)
  })

  it('is not found in comments, scripts or drawings', () => {
    const hidden = '<!-- <title>a</title> --><script>"<title>b</title>"</script><svg><title>c</title></svg>'
    assert.equal(titleOf(hidden), null)
    assert.equal(titleOf(`${hidden}<title>d</title>`), 'd')
  })

  it('has at most 255 characters, and cuts none of them', () => {
    assert.equal(titleOf(`<title>${'😀'.repeat(300)}</title>`), '😀'.repeat(255))
  })

  it('is looked for in the first 64 KiB', () => {
    const filled = (length: number) => `${'x'.repeat(length)}<title>Late</title>`
    assert.equal(titleOf(filled(65_000)), 'Late')
    assert.equal(titleOf(filled(65_536)), null)
  })

  it('can be read from any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), anyText(), (bytes, text) => {
        readTitle(bytes)
        readTitle(Buffer.from(`<title>${text}`))
      }),
    )
  })
})
