import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeHtmlMarkdown } from 'node-html-markdown'
import { toMarkdown } from '../../../src/texts/documents/convert.js'

/** 206 manual pages, 12 MB: Debian's package git-doc. */
const MANUAL = '/usr/share/doc/git-doc'
const PAGES = 40

describe('a manual page as Markdown', () => {
  it('has the same words and links as by node-html-markdown', () => {
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
