import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { pageTextOf } from '../../src/texts/page-text.js'

/** The text, one item for each line, white space collapsed. */
function linesOf(html: string): string[] {
  return pageTextOf(html)
    .text.split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

describe('the text of a page', () => {
  it('is on the same lines as in the document', () => {
    const html = '<!doctype html>\n<title>A</title>\n<p\n  class="x">One\ntwo</p>\n<!-- not\nthis -->\n<p>three'
    assert.deepEqual(linesOf(html), ['', 'A', '', 'One', 'two', '', '', 'three'])
  })

  it('has no scripts and styles, and keeps the lines that they take', () => {
    assert.deepEqual(linesOf('<script>\nlet a = "<p>"\n</script>x<style>\np {}\n</style>y'), ['', '', 'x', '', 'y'])
  })

  it('is joined across inline elements, and separated by others', () => {
    assert.deepEqual(linesOf('un<b>believ</b>able<td>a</td><td>b</td>c<br>d'), ['unbelievable a b c d'])
  })

  it('has entities decoded to characters, none of which ends a line', () => {
    assert.deepEqual(linesOf('a &amp; b&#10;c &eacute;\nd'), ['a & b c é', 'd'])
  })

  it('also has the headings separately', () => {
    const { headings } = pageTextOf('<h1>First <em>one</em></h1>text<h2>Second</h2><h7>no</h7>')
    assert.equal(headings.replaceAll(/\s+/g, ' ').trim(), 'First one Second')
  })

  it('has as many lines as the document, for any document', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '\n',
      '&#10;',
      '<script>',
      '</script>',
      '<!--',
      '-->',
      'x',
      '"',
      '<a b="',
      '&',
      '\r',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const html = pieces.join('')
        const { text } = pageTextOf(`${html}\n<p>end`)
        const end = text.split('\n').findIndex((line) => line.includes('end'))
        if (end !== -1) assert.equal(end, html.split('\n').length)
      }),
    )
  })

  it('is read in linear time, for any depth of elements', () => {
    const started = process.cpuUsage()
    assert.equal(pageTextOf('<div>'.repeat(500_000)).text.trim(), '')
    const { user, system } = process.cpuUsage(started)
    assert.ok(user + system < 5e6, `${(user + system) / 1e3} ms`)
  })

  it('takes one search for line feeds in a document without any, for any number of elements', () => {
    const paragraphs = '<p>x'.repeat(10_000)
    /* oxlint-disable no-extend-native, typescript/unbound-method -- counts what is searched, and is put back */
    const { indexOf } = String.prototype
    let searched = 0
    String.prototype.indexOf = function (this: string, text, from = 0) {
      searched += this.length - from
      return indexOf.call(this, text, from)
    }
    try {
      pageTextOf(paragraphs)
    } finally {
      String.prototype.indexOf = indexOf
    }
    /* oxlint-enable no-extend-native, typescript/unbound-method */
    assert.ok(searched <= 2 * paragraphs.length, `${searched} characters were searched`)
  })
})
