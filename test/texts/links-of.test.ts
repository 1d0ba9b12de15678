import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { linksOf, linksOfCss } from '../../src/texts/links-of.js'
import { anyText } from './any-text.js'

describe('the links of a page', () => {
  const links = (html: string, path = '/docs/a') => [...linksOf(Buffer.from(html), path).paths.keys()]

  it('are the addresses on the same site, relative to the page, each once', () => {
    const html = `<a href=b>b</a> <A HREF='/c?q#f'>c</A> <img src="../d.png"> <a href="/c">again</a>
      <a href="https://elsewhere.example/x">away</a> <a href="mailto:a@b.example">mail</a> <link rel=x href=//other.example/y>`
    assert.deepEqual(links(html), ['/docs/b', '/c', '/d.png'])
  })

  it('are read as a browser reads attributes: entities decoded, the first of two counts, any case', () => {
    assert.deepEqual(links('<a href="/a&amp;b&#47;c">'), ['/a&b/c'])
    assert.deepEqual(links('<a title="href=/no" HREF=/yes href=/no>'), ['/yes'])
    assert.deepEqual(links('<a href>self</a><a href="http://[">broken</a>'), [])
  })

  it('are not found in comments, scripts, texts and closing tags', () => {
    assert.deepEqual(links('<!-- <a href=/no> --><script>"<a href=/no>"</script>&lt;a href=/no&gt;</a href=/no>'), [])
    assert.deepEqual(links('<script src=/yes>"<a href=/no>"</script>'), ['/yes'])
  })

  it('are incomplete past a megabyte, and past 5,000 addresses', () => {
    const whole = linksOf(Buffer.from(`<a href=/a>${' '.repeat(1024)}`), '/')
    assert.equal(whole.isComplete, true)
    const long = linksOf(Buffer.from(`${' '.repeat(1024 * 1024)}<a href=/a>`), '/')
    assert.deepEqual([long.paths.size, long.isComplete], [0, false])
    const many = linksOf(Buffer.from(Array.from({ length: 6_000 }, (_, n) => `<a href=/${n}>`).join('')), '/')
    assert.deepEqual([many.paths.size, many.isComplete], [5_000, false])
  })

  it('are relative to the first base that has an address, in any of its forms, wherever it stands', () => {
    const link = '<a href="about">x</a><a href="#x">y</a>'
    assert.deepEqual(links(`<base href="/">${link}`), ['/about', '/'])
    assert.deepEqual(links(`<base target=_top><BASE HREF=../x/y><base href=/no/>${link}`), ['/x/about', '/x/y'])
    assert.deepEqual(links(`${link}<base href="http://site.invalid/late/">`), ['/late/about', '/late/'])
    assert.deepEqual(links(`<base href="//cdn.example/">${link}<a href=//site.invalid/own>`), ['/own'])
    for (const none of ['', 'http://[', 'data:text/html,x', 'javascript:x'])
      assert.deepEqual(links(`<base href="${none}">${link}`), ['/docs/about', '/docs/a'], none)
  })

  it('are all that a browser loads or follows', () => {
    for (const [html, ...expected] of [
      ['<img src=/a srcset="/b.png 1x,/c.png 2x , /d,e.png">', '/a', '/b.png', '/c.png', '/d,e.png'],
      [
        '<img srcset=" ,/a,, /b 100w 50h,/c\n2x,"><source srcset="data:image/png;base64,x 1x, d 2x">',
        '/a',
        '/b',
        '/c',
        '/docs/d',
      ],
      ['<link rel=preload as=image imagesrcset="/a 1x, /b 2x">', '/a', '/b'],
      ['<video src=/a poster=/b><track src=/c></video><audio src=/d>', '/a', '/b', '/c', '/d'],
      ['<object data=/a><embed src=/b><iframe src=/c></iframe><input type=image src=/d>', '/a', '/b', '/c', '/d'],
      ['<svg><image href=/a /><use xlink:href="/b.svg#x"/><use href="#y"/><a xlink:href=/c></a>', '/a', '/b.svg', '/c'],
      [
        '<svg><feImage href=/a /><script href=/b></script><linearGradient href="#z"/><rect fill="url(#g)"/>',
        '/a',
        '/b',
      ],
      ['<body background=/a><td background=/b>', '/a', '/b'],
      ['<p style="background: url(/a), url(&quot;b&quot;)">', '/a', '/docs/b'],
      ["<style>@import '/a'; @import url(/b); c{src:url( '/c' )}</style><p>url(/no)", '/a', '/b', '/c'],
      ['<svg><style><![CDATA[a{fill:url(/a)}]]></style></svg><style>b{mask:url(/b)}', '/a', '/b'],
      ['<p data=/no poster=/no src=/no srcset=/no href=/no><img href=/no><img src="#no">'],
    ] as const)
      assert.deepEqual(links(html), expected, html)
  })

  it('are named with their places, also in a style sheet and in an attribute with several', () => {
    const html = '<img srcset="/a, /b">\n<style>\nx{a:url(/c)}</style>'
    const places = [...linksOf(Buffer.from(html), '/').paths.values()]
    assert.deepEqual(places, [html.indexOf('srcset'), html.indexOf('srcset'), html.indexOf('url(')])
  })

  it('never fail, and are paths of the site', () => {
    const piece = fc.constantFrom(
      '<base href="',
      '<img srcset="',
      '<style>',
      'url(',
      '/*',
      '@import "',
      '"',
      "'",
      ',',
      '\\',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, anyText())), (parts) => {
        const bytes = Buffer.from(parts.join(''))
        for (const { paths } of [linksOf(bytes, '/a/b'), linksOfCss(bytes, '/a/b')])
          for (const path of paths.keys()) assert.ok(path.startsWith('/'), path)
      }),
    )
  })
})

describe('the links of a style sheet', () => {
  const links = (css: string) => [...linksOfCss(Buffer.from(css), '/css/site.css').paths.keys()]

  it('are its imports and its addresses, relative to itself', () => {
    assert.deepEqual(
      links(`@import "reset.css"; @IMPORT url('../base.css') print;
        a { background: URL( /img/a.png ) no-repeat, url("b\\20 c.png"), url(\\64.png); } @font-face { src: url(f.woff2?v=1#iefix) }`),
      ['/css/reset.css', '/base.css', '/img/a.png', '/css/b%20c.png', '/css/d.png', '/css/f.woff2'],
    )
  })

  it('are not in comments and strings, and parts of the document are none', () => {
    assert.deepEqual(links('/* url(/no) */ a::before { content: "url(/no)"; fill: url(#no) } b { src: url("") }'), [])
    assert.deepEqual(links('a { src: url(https://other.example/x), url(data:image/png;base64,x) } /* url(/no)'), [])
  })
})
