import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { array, assert as check, constantFrom, property, string } from 'fast-check'
import { NodeHtmlMarkdown } from 'node-html-markdown'
import { toMarkdown, toText } from '../../src/documents/convert.js'

/** 206 manual pages, 12 MB; a Debian package that not every machine has. */
const MANUAL = '/usr/share/doc/git-doc'
const PAGES = 40

describe('a document as Markdown', () => {
  const says = (html: string, markdown: string) => assert.equal(toMarkdown(html), markdown)

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

  it('has tables, but for those that only set the layout', () => {
    const table = '<table><tr><th>a<th>b|c<tr><td>1<td>2<br>3<tr><td colspan=2>x</table>'
    says(table, '| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |\n| x |\n')
    says(`<table><tr><td><h1>T</h1>${table}<td>side</table>`, `# T\n\n${toMarkdown(table)}\nside\n`)
  })

  it('takes no text for markup, and no markup from what is not shown', () => {
    says(
      '<p># a *b* _c_ d_e <b>1. x</b> [y] &lt;z&gt; &amp;amp;',
      '\\# a \\*b\\* \\_c\\_ d_e **1. x** \\[y\\] \\<z> \\&amp;\n',
    )
    says('<p>1. a<p>- b<p>&gt; c', '1\\. a\n\n\\- b\n\n\\> c\n')
    says('<script>x</script><style>y</style><svg><text>z</text></svg><template>t</template>a<!-- c -->', 'a\n')
  })

  it('as plain text has the words alone', () => {
    assert.equal(
      toText('<h1>A</h1><p>b <b>c</b> <a href="/x">d</a><ul><li>e</ul><table><tr><td>1<td>2</table>'),
      'A\n\nb c d\n\n- e\n\n1\t2\n',
    )
  })

  it('has the words and the links that node-html-markdown finds in real pages', function () {
    if (!existsSync(MANUAL)) return this.skip()
    const names = readdirSync(MANUAL).filter((name) => name.endsWith('.html'))
    const step = Math.ceil(names.length / PAGES)
    for (const name of names.filter((_, i) => i % step === 0)) {
      const html = readFileSync(join(MANUAL, name), 'utf8')
      const ours = toMarkdown(html)
      // It shows the title, which is no text of the page, and escapes characters of URLs.
      const other = NodeHtmlMarkdown.translate(
        html.replace(/<title>[^]*?<\/title>|<\?xml[^]*?\?>|<!DOCTYPE[^>]*>/gi, ''),
      ).replaceAll('%5F', '_')
      assert.equal(wordsOf(ours), wordsOf(other), name)
      assert.deepEqual(linksOf(ours), linksOf(other), name)
    }
    return undefined
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

  it('takes linear time however deep things nest, and whatever is left open', () => {
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

/** Letters and digits, without targets of links and languages of code. */
function wordsOf(markdown: string): string {
  return markdown
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/\]\((?:<[^>]*>|[^)]*)\)/g, ']')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function linksOf(markdown: string): string[] {
  const found = markdown.replaceAll(/\\(.)/g, '').matchAll(/\]\((<[^>]*>|[^)\s]*)|<((?:https?|mailto):[^>\s]*)>/g)
  return [...found].map(([, inline, bare]) => (inline ?? bare ?? '').replaceAll(/[<>]/g, '').replaceAll('%2A', '*'))
}
