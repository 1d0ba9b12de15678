// Writes sitemap.xml (sitemaps.org): one map, or an index of several.

import { toTimestamp } from '../../model/clock.js'
import { type PagePath, urlPathOf } from '../../model/paths/page-path.js'

/** Limits of one sitemap (sitemaps.org); a larger site has an index of several. */
const MAX_SITEMAP_URLS = 50_000
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

/** The files by name. `times`: the time of each page's last change, in seconds, where it is known. */
export function renderSitemap(
  origin: string,
  pages: readonly PagePath[],
  times: ReadonlyMap<string, number>,
): Map<string, Buffer> {
  const entries = pages.map((page) => renderPage(origin, page, times.get(page)))
  const maps = [...chunksOf(entries)].map((chunk) => renderXml('urlset', chunk.join('')))
  if (maps.length <= 1) return new Map([['sitemap.xml', maps[0] ?? renderXml('urlset', '')]])
  const named = maps.map((body, at): [string, Buffer] => [`sitemap-${at + 1}.xml`, body])
  const list = named.map(([name]) => `<sitemap><loc>${escapeXml(`${origin}/${name}`)}</loc></sitemap>\n`)
  return new Map([['sitemap.xml', renderXml('sitemapindex', list.join(''))], ...named])
}

function renderPage(origin: string, page: PagePath, time: number | undefined): string {
  const lastmod = time === undefined ? '' : `<lastmod>${toTimestamp(time)}</lastmod>`
  return `<url><loc>${escapeXml(origin + urlPathOf(page))}</loc>${lastmod}</url>\n`
}

function* chunksOf(entries: readonly string[]): Generator<string[]> {
  let chunk: string[] = []
  let bytes = 1024
  for (const entry of entries) {
    if (chunk.length === MAX_SITEMAP_URLS || bytes + entry.length > MAX_SITEMAP_BYTES) {
      yield chunk
      chunk = []
      bytes = 1024
    }
    chunk.push(entry)
    bytes += entry.length
  }
  if (chunk.length > 0) yield chunk
}

function renderXml(root: string, content: string): Buffer {
  const xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
  return Buffer.from(`${xml}<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${content}</${root}>\n`)
}

/** `text` is a URL, in which all other characters with a meaning in XML are percent-encoded. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
}
