import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { linksOf } from '../../src/texts/links-of.js'
import { rewriteLinks } from '../../src/texts/rewrite-links.js'

const moved = new Map([
  ['/old', '/new/place'],
  ['/docs', '/guide/'],
  ['/img/a b.png', '/pics/a%20b.png'],
  ["/it's", '/it&that'],
])
const stays = (html: string, at = '/x/page') => rewriteLinks(html, { at, to: at, moved })

describe('rewriting links to what moves', () => {
  it('changes the path of an address, and no other byte', () => {
    for (const [before, after] of [
      ['<a href="/old">', '<a href="/new/place">'],
      ["<A HREF='/old?a=1&amp;b#c' >", "<A HREF='/new/place?a=1&amp;b#c' >"],
      ['<a href=/old>', '<a href=/new/place>'],
      ['<a href=" /old\n">', '<a href=" /new/place\n">'],
      ['<a href="../old.html#x">', '<a href="../new/place.html#x">'],
      ['<a href="/docs/"><a href="/docs/index.html">', '<a href="/guide/"><a href="/guide/index.html">'],
      ['<a href="/&#111;ld?x">', '<a href="/new/place?x">'],
      [
        '<img src="/img/a b.png" srcset="/img/a%20b.png 1x, /z.png 2x">',
        '<img src="/pics/a%20b.png" srcset="/pics/a%20b.png 1x, /z.png 2x">',
      ],
      ['<p style="background:url(\'/img/a%20b.png\')">', '<p style="background:url(\'/pics/a%20b.png\')">'],
      ['<style>a{b:url(/img/a%20b.png)}</style>', '<style>a{b:url(/pics/a%20b.png)}</style>'],
      ['<a href="/it\'s">', '<a href="/it&amp;that">'],
    ] as const)
      assert.equal(stays(before), after, before)
  })

  it('leaves links that lead elsewhere, and text that is no link', () => {
    for (const html of [
      '<a href="/older"> /old <b title="/old">',
      '<a href="//other.example/old">',
      '<a href="https://other.example/old">',
      '<a href="#old"><a href="?old"><a href="">',
      '<!-- <a href="/old"> --><script>"/old"</script>',
    ])
      assert.equal(stays(html), undefined, html)
  })

  it('keeps the relative links of a document that moves leading to the same places', () => {
    const move = {
      at: '/docs/a',
      to: '/guide/deep/a',
      moved: new Map([
        ['/docs/a', '/guide/deep/a'],
        ['/docs/b', '/guide/deep/b'],
      ]),
    }
    const html =
      '<a href="b"><a href="c"><a href="../img/x.png"><a href="/y"><a href="a#top"><a href="#top"><link href="./s.css">'
    assert.equal(
      rewriteLinks(html, move),
      '<a href="b"><a href="../../docs/c"><a href="../../img/x.png"><a href="/y"><a href="a#top"><a href="#top"><link href="../../docs/s.css">',
    )
  })

  it('keeps the base of a document that moves', () => {
    const move = { at: '/docs/a', to: '/guide/deep/a', moved: new Map([['/docs/a', '/guide/deep/a']]) }
    assert.equal(rewriteLinks('<base href="../"><a href="x">', move), '<base href="../../"><a href="x">')
    assert.equal(rewriteLinks('<base href="/docs/"><a href="x">', move), undefined)
  })

  it('leads every link of any document where it led before', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd.png', 'e f')
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`)
    const address = fc.oneof(
      path,
      path.map((text) => text.slice(1)),
      path.map((text) => `..${text}`),
      path.map((text) => `${text}?q#f`),
    )
    const tag = fc.tuple(fc.constantFrom('"', "'"), address).map(([quote, text]) => `<a href=${quote}${text}${quote}>`)
    const places = fc.array(fc.tuple(path, path), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(tag), path, path, places, (tags, at, to, pairs) => {
        const html = tags.join('')
        const encoded = (text: string) => encodeURI(text)
        const map = new Map(pairs.map(([from, now]) => [from, encoded(now)]))
        const after = rewriteLinks(html, { at: encoded(at), to: encoded(to), moved: map }) ?? html
        const aims = Array.from(
          linksOf(Buffer.from(html), encoded(at)).paths.keys(),
          (link) => map.get(decodeURI(link)) ?? link,
        )
        assert.deepEqual(new Set(linksOf(Buffer.from(after), encoded(to)).paths.keys()), new Set(aims))
      }),
    )
  })
})
