import assert from 'node:assert/strict'
import { type DocumentWishes, readDocument } from '../../../src/texts/documents/read-document.js'
import { ServiceError } from '../../../src/model/errors.js'

const PAGE = `<!doctype html>
<h1>Manual</h1>
<p>Intro <a href="/x">x</a></p>
<h2 id="use">How to <i>use</i> it</h2>
<p class="n">First</p>
<h3><a name="deep"></a>Deep</h3>
<div class="n"><p class="n">Second</p></div>
<h2>Notes</h2>
<p>End</p>
`

describe('reading a document', () => {
  const read = (wishes: DocumentWishes) => readDocument(PAGE, wishes)
  const refused = (wishes: DocumentWishes) => {
    try {
      return read(wishes)
    } catch (error) {
      return error instanceof ServiceError ? error.code : error
    }
  }

  it('gives headings with line, level and id as an outline', () => {
    const { content } = read({ as: 'outline' })
    assert.equal(content, '2 # Manual\n4 ## How to use it #use\n6 ### Deep #deep\n8 ## Notes\n')
  })

  it('gives the section of a heading up to the next of its level, by text, part of it, or id', () => {
    for (const heading of ['How to use it', 'how TO  use', '#use', 'use']) {
      const { content, found } = read({ as: 'html', heading })
      assert.equal(content, PAGE.slice(PAGE.indexOf('<h2 id'), PAGE.indexOf('<h2>Notes')))
      assert.deepEqual(found, [{ from: 4, to: 7 }])
    }
    assert.equal(read({ as: 'markdown', heading: 'Deep' }).content, '### Deep\n\nSecond\n')
    assert.equal(refused({ as: 'html', heading: 'Nothing' }), 'part_not_found')
  })

  it('gives each element of a CSS selector once, with its lines', () => {
    const { content, found } = read({ as: 'html', selector: '.n' })
    assert.equal(content, '<p class="n">First</p>\n<div class="n"><p class="n">Second</p></div>\n')
    assert.deepEqual(found, [
      { from: 5, to: 5 },
      { from: 7, to: 7 },
    ])
    assert.equal(read({ as: 'text', selector: 'h2 + p, h1' }).content, 'Manual\n\nFirst\n\nEnd\n')
    assert.equal(refused({ as: 'html', selector: 'video' }), 'part_not_found')
    for (const selector of ['a[', ':nonsense', '>>', ','])
      assert.equal(refused({ as: 'html', selector }), 'invalid_query', selector)
  })
})
