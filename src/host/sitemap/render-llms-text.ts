// Generates llms.txt (llmstxt.org) for a site whose pages answer as Markdown too: the list of its pages.

import { type PagePath, urlPathOf } from '../../model/paths/page-path.js'
const MAX_PAGES = 1_000

interface TitledPage {
  path: string
  title: string | null
}

export function renderLlmsText(origin: string, pages: readonly PagePath[], known: readonly TitledPage[]): Buffer {
  const titles = new Map(known.map(({ path, title }) => [path, title]))
  const lines = [`# ${new URL(origin).host}`, '', '> The pages of this site, as Markdown.', '', '## Pages', '']
  for (const page of pages.slice(0, MAX_PAGES)) {
    const title = titles.get(page) || page
    lines.push(`- [${title.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]]/g, '\\$&')}](${origin}${markdownPathOf(page)})`)
  }
  if (pages.length > MAX_PAGES) lines.push('', `More pages: ${origin}/sitemap.xml`)
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** `/about` is `/about.md`, `/docs/` is `/docs/index.md`. */
function markdownPathOf(page: PagePath): string {
  const path = urlPathOf(page)
  return path.endsWith('/') ? `${path}index.md` : `${path}.md`
}
