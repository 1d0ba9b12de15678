// Generates llms.txt (llmstxt.org), the list of a site's pages, if the pages are also served as Markdown.

import { type PagePath, urlPathOf } from '../../../model/paths/page-path.js'
import type { ListedPage } from './listed-pages.js'

/** Any further pages are only in the sitemap. */
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

/** Returns the URL path of the Markdown: `/about` gives `/about.md`, `/docs/` gives `/docs/index.md`. */
function markdownPathOf(page: PagePath): string {
  const path = urlPathOf(page)
  return path.endsWith('/') ? `${path}index.md` : `${path}.md`
}
