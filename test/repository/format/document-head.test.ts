import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readHead } from '../../../src/repository/format/document-head.js'
import { anyText } from '../../texts/any-text.js'

function titleOf(html: string): string | null {
  return readHead(Buffer.from(html)).title
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

  it('is what was read of a title that does not end', () => {
    assert.equal(titleOf('<title>About <b>us'), 'About <b>us')
  })
})

describe('what a document says to search engines', () => {
  const robotsOf = (html: string) => readHead(Buffer.from(html)).robots
  const canonicalOf = (html: string) => readHead(Buffer.from(html)).canonical

  it('is what its robots elements forbid, in any case, with any separator, all of them together', () => {
    assert.equal(robotsOf('<title>S</title><META Content="NoSnippet , NOINDEX" NAME=Robots>'), 'noindex nosnippet')
    assert.equal(robotsOf('<meta name="robots" content="none">'), 'noindex nofollow')
    assert.equal(
      robotsOf('<meta name=robots content="index noarchive"><meta name=googlebot content=noindex>'),
      'noindex noarchive',
    )
    assert.equal(robotsOf('<meta name="&#114;obots" content="no&#105;ndex"><!-- robots -->'), 'noindex')
  })

  it('is nothing for elements that forbid nothing, and for other names', () => {
    assert.equal(robotsOf('<meta name="robots" content="index, follow, max-snippet:-1">'), null)
    assert.equal(robotsOf('<meta name="robots"><meta name="bingbot" content="noindex"><meta content="noindex">'), null)
    assert.equal(robotsOf('<meta name="my-robots" content="noindex"><meta property="robots" content="noindex">'), null)
  })

  it('is its canonical URL as it is written, beside other relations', () => {
    assert.equal(canonicalOf('<link href=" /a?b=1&amp;c " rel="Canonical">'), '/a?b=1&c')
    assert.equal(
      canonicalOf('<link rel="next canonical" href="https://a.example/"><link rel=next href=b>'),
      'https://a.example/',
    )
    assert.equal(canonicalOf('<link rel=canonical href=/a href=/b><link rel=canonical href=/a>'), '/a')
  })

  it('has no canonical URL without an address, with several, or with one that is too long to be kept', () => {
    assert.equal(canonicalOf('<link rel=canonical><link rel=not-canonical href=/a>'), null)
    assert.equal(canonicalOf('<link rel=canonical href=/a><link rel=canonical href=/b>'), null)
    assert.equal(canonicalOf(`<link rel=canonical href=/${'a'.repeat(2_047)}>`), `/${'a'.repeat(2_047)}`)
    assert.equal(canonicalOf(`<link rel=canonical href=/${'a'.repeat(2_048)}>`), null)
  })

  it('has no relative canonical URL beside a base, which it would be relative to', () => {
    assert.equal(canonicalOf('<base href="/docs/"><link rel=canonical href="a">'), null)
    assert.equal(
      canonicalOf('<link rel=canonical href="https://a.example/"><base href="/docs/">'),
      'https://a.example/',
    )
    assert.equal(canonicalOf('<base target=_top><link rel=canonical href="a">'), 'a')
  })

  it('counts up to the body alone, with or without tags of a head, and after the title', () => {
    const rules = '<meta name=robots content=noindex><link rel=canonical href=/a>'
    const none = { title: 'T', robots: null, canonical: null }
    const all = { title: 'T', robots: 'noindex', canonical: '/a' }
    const style = '<style>p{}</style><script>"<p>"</script> \n<noscript><img src=x></noscript><template><p>t</template>'
    for (const before of ['', '<!doctype html><html><head>\n', style, '<head></head>\n']) {
      assert.deepEqual(readHead(Buffer.from(`${before}<title>T</title>${rules}<body>`)), all, before)
    }
    for (const before of ['<body>', '<p>', 'text', '&amp;', '<h1></h1>', '<svg/>']) {
      assert.deepEqual(readHead(Buffer.from(`<head><title>T</title></head>${before}${rules}`)), none, before)
    }
  })

  it('is not found in comments, scripts, templates and content for browsers without scripts', () => {
    const rule = '<meta name=robots content=noindex>'
    for (const name of ['script', 'style', 'template', 'noscript', 'title']) {
      assert.equal(robotsOf(`<${name}>${rule}</${name}>`), null, name)
      assert.equal(robotsOf(`<${name}></${name}>${rule}`), 'noindex', name)
    }
    assert.equal(robotsOf(`<!-- ${rule} -->`), null)
  })
})

describe('the head of a document', () => {
  it('can be read from any bytes', () => {
    const parts = fc.constantFrom(
      '<meta',
      ' name',
      '<constructor a=b',
      '=',
      '"',
      'robots',
      ' content=noindex',
      '>',
      '</',
      '<svg>',
      '<title>',
      '&#1',
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), anyText(), fc.array(parts), (bytes, text, pieces) => {
        readHead(bytes)
        readHead(Buffer.from(`<title>${text}`))
        readHead(Buffer.from(pieces.join('')))
      }),
    )
  })
})
