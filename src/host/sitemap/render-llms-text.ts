// Generates llms.txt (llmstxt.org) for a site whose pages answer as Markdown too: the list of its pages.

import { type PagePath, urlPathOf } from '../../model/paths/page-path.js'
import type { ListedPage } from './listed-pages.js'

/** Further pages are in the sitemap alone. */
export const MAX_LLMS_PAGES = 1_000

/** `first`: the first MAX_LLMS_PAGES of `count` pages. */
export function renderLlmsText(
  origin: string,
  { first, count }: { first: readonly Pick<ListedPage, 'path' | 'title'>[]; count: number },
): Buffer {
  const lines = [`# ${new URL(origin).host}`, '', '> The pages of this site, as Markdown.', '', '## Pages', '']
  for (const { path, title } of first) {
    const name = (title || path).replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]]/g, '\\$&')
    lines.push(`- [${name}](${origin}${markdownPathOf(path)})`)
  }
  if (count > first.length) lines.push('', `More pages: ${origin}/sitemap.xml`)
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** `/about` is `/about.md`, `/docs/` is `/docs/index.md`. */
function markdownPathOf(page: PagePath): string {
  const path = urlPathOf(page)
  return path.endsWith('/') ? `${path}index.md` : `${path}.md`
}
