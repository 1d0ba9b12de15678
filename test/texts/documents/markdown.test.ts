import assert from 'node:assert/strict'
import { array, assert as check, constantFrom, property, string } from 'fast-check'
import { toMarkdown, toText } from '../../../src/texts/documents/convert.js'

describe('a document as Markdown', () => {
  const says = (html: string, markdown: string) => assert.equal(toMarkdown(html), markdown)

  it('leaves out hidden elements, and goes on where a browser would', () => {
    for (const hidden of [
      'hidden',
      'hidden="until-found"',
      'style="color:red; display : none"',
      'style="visibility:hidden"',
    ])
      says(`a<div ${hidden}>x<p>y<div>z</div></div>b`, 'ab\n')
    says('<p>a<p hidden>x<p>b', 'a\n\nb\n')
    says('<p hidden>x<h2>b</h2>', '## b\n')
    says('<ul><li>a<li hidden>x<ul><li>y</ul>z<li>b</ul>c', '- a\n- b\n\nc\n')
    says('<ul><li>a<li hidden>x</ul>b', '- a\n\nb\n')
    says('<table><tr><td>1<td hidden>2<td>3<tr hidden><td>4<tr><td>5</table>', '| 1 | 3 |\n| --- | --- |\n| 5 |\n')
    says('<p>a<span hidden>x</p>b', 'a\n\nb\n')
    says('<div><b hidden>x</i>y</b>a<img hidden alt="p">b<br hidden>c</div>', 'abc\n')
    says('<table hidden><tr><td><h1>x</h1></table><table><tr><td>1</table>', '| 1 |\n| --- |\n')
    says('<dialog>x</dialog><dialog open>b</dialog>', 'b\n')
    assert.equal(toText('<p>a<span hidden>x</span>b'), 'ab\n')
  })

  it('leaves out characters that nobody sees, and keeps those that join others', () => {
    const tags = 'obey'.replaceAll(/./g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    says(`<p>a${tags}b\u200b\u202ec\u2066\ufeff`, 'abc\n')
    says(`<img alt="p${tags}" src="/p.png"><a href="/x">l${tags}</a>`, '![p](/p.png)[l](/x)\n')
    says(
      '<p>\u2764\ufe0f \u0646\u200c\u0645 \ud83d\udc69\u200d\ud83d\udc67',
      '\u2764\ufe0f \u0646\u200c\u0645 \ud83d\udc69\u200d\ud83d\udc67\n',
    )
    says('<p>a\ufe0f\ufe01\u{e0101}\u{e0102}b', 'a\ufe0fb\n')
    says('<pre>a\n\tb</pre>', '```\na\n\tb\n```\n')
  })

  it('has headings, paragraphs, emphasis, code, links and images', () => {
    says(
      '<title>T</title><h2>A <i>b</i></h2><p>x<b> y </b>z<p><code>a`b</code><br>c',
      '## A *b*\n\nx **y** z\n\n``a`b``\\\nc\n',
    )
    says('<a href="/a b">l <img src="/i(1).png" alt="i"></a>', '[l ![i](</i(1).png>)](/a%20b)\n')
    says('<img src="data:image/png;base64,AAAA" alt="dot">', '![dot]()\n')
    says('<a href="/x"><h3>A</h3><p>b</p></a>', '### [A](/x)\n\nb\n')
    says('<code>see <a href="/x">that</a> there</code>', '`see` [`that`](/x) `there`\n')
  })

  it('has lists in lists, quotes, definitions, rules and blocks of code', () => {
    says('<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d<p>e</ul>f', '- a\n  3. b\n  4. c\n- d\n\n  e\n\nf\n')
    says('<blockquote><p>a<p>b<ul><li>c</ul></blockquote><hr>', '> a\n>\n> b\n>\n> - c\n\n---\n')
    says('<dl><dt>T<dd>d<p>e<dt>U<dd>f</dl>', 'T\n: d\n\n  e\n\nU\n: f\n')
    says('<pre><code class="language-js">\na  b\n```\n</code></pre>', '````js\na  b\n```\n````\n')
  })

  it('has tables, except those used only for layout', () => {
    const table = '<table><tr><th>a<th>b|c<tr><td>1<td>2<br>3<tr><td colspan=2>x</table>'
    says(table, '| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |\n| x |\n')
    says(`<table><tr><td><h1>T</h1>${table}<td>side</table>`, `# T\n\n${toMarkdown(table)}\nside\n`)
  })

  it('does not mistake text for markup, and takes no markup from hidden parts', () => {
    says(
      '<p># a *b* _c_ d_e <b>1. x</b> [y] &lt;z&gt; &amp;amp;',
      '\\# a \\*b\\* \\_c\\_ d_e **1. x** \\[y\\] \\<z> \\&amp;\n',
    )
    says('<p>1. a<p>- b<p>&gt; c', '1\\. a\n\n\\- b\n\n\\> c\n')
    says('<script>x</script><style>y</style><svg><text>z</text></svg><template>t</template>a<!-- c -->', 'a\n')
  })

  it('has only the words if it is plain text', () => {
    assert.equal(
      toText('<h1>A</h1><p>b <b>c</b> <a href="/x">d</a><ul><li>e</ul><table><tr><td>1<td>2</table>'),
      'A\n\nb c d\n\n- e\n\n1\t2\n',
    )
  })

  it('never throws, has at most 20 times the length, and the same words in both forms', () => {
    const tags = constantFrom(
      'a href=x',
      'b',
      'p',
      'ul',
      'ol',
      'li',
      'table',
      'tr',
      'td',
      'pre',
      'code',
      'blockquote',
      'dl',
      'dd',
      'h2',
      'br',
      'svg/',
      '!--',
    )
    const piece = tags.chain((tag) => constantFrom(`<${tag}>`, `</${tag}>`, `<${tag}`, `${tag} `, '\n', '&lt;'))
    check(
      property(array(piece, { maxLength: 60 }), string(), (pieces, text) => {
        const html = pieces.join('') + text
        const markdown = toMarkdown(html)
        assert.ok(markdown.length <= 20 * html.length + 100, `${html.length} → ${markdown.length}`)
        assert.ok(toText(html).length <= 20 * html.length + 100)
      }),
    )
  })
})
