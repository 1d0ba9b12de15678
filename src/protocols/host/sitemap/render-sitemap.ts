// Writes sitemap.xml (sitemaps.org): one map, or an index of several.

import { toTimestamp } from '../../../model/clock.js'
import { urlPathOf } from '../../../model/paths/page-path.js'
import type { ListedPage } from './listed-pages.js'

/** Limit of one sitemap (sitemaps.org); a larger site has an index of several. */
const MAX_SITEMAP_URLS = 50_000
/** Less than the 50 MiB of sitemaps.org: a map is in memory twice while its pieces are joined. */
const MAX_SITEMAP_BYTES = 8 * 1024 * 1024
/** Limit for all entries of a site's maps: a push of a few kilobytes can name paths that take hundreds of megabytes to write. */
export const MAX_SITE_BYTES = 64 * 1024 * 1024
/** Room for the closing tag. */
const END_BYTES = 64
/** Text of this length is encoded to bytes. */
const PIECE_CHARACTERS = 64 * 1024

type Page = Pick<ListedPage, 'path' | 'time'>

/** Returns the packed files by name; undefined if they are too large together. Holds no pages, and one unpacked file at a time. */
export function renderSitemap<T>(
  origin: string,
  pages: Iterable<Page>,
  pack: (xml: Buffer) => T,
): Map<string, T> | undefined {
  const maps = renderMaps(origin, pages, pack)
  if (maps === undefined) return undefined
  if (maps.length <= 1) return new Map([['sitemap.xml', maps[0] ?? pack(new XmlFile('urlset').end())]])
  const named = maps.map((map, at): [string, T] => [`sitemap-${at + 1}.xml`, map])
  const index = new XmlFile('sitemapindex')
  for (const [name] of named) index.add(`<sitemap><loc>${escapeXml(`${origin}/${name}`)}</loc></sitemap>\n`)
  return new Map([['sitemap.xml', pack(index.end())], ...named])
}

function renderMaps<T>(origin: string, pages: Iterable<Page>, pack: (xml: Buffer) => T): T[] | undefined {
  const maps: T[] = []
  let map = new XmlFile('urlset')
  let urls = 0
  let left = MAX_SITE_BYTES
  for (const page of pages) {
    const entry = renderPage(origin, page)
    left -= entry.length
    if (left < 0) return undefined
    if (urls === MAX_SITEMAP_URLS || map.length + entry.length > MAX_SITEMAP_BYTES - END_BYTES) {
      maps.push(pack(map.end()))
      map = new XmlFile('urlset')
      urls = 0
    }
    map.add(entry)
    urls += 1
  }
  if (urls > 0) maps.push(pack(map.end()))
  return maps
}

function renderPage(origin: string, { path, time }: Page): string {
  const lastmod = time === undefined ? '' : `<lastmod>${toTimestamp(time)}</lastmod>`
  return `<url><loc>${escapeXml(origin + urlPathOf(path))}</loc>${lastmod}</url>\n`
}

/** A file written entry by entry. It is held as bytes: as many short strings would take several times the memory. */
class XmlFile {
  readonly #root: string
  readonly #pieces: Buffer[] = []
  #text: string
  /** Characters so far; each is one byte. */
  length: number

  constructor(root: string) {
    this.#root = root
    this.#text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
    this.length = this.#text.length
  }

  add(entry: string): void {
    this.#text += entry
    this.length += entry.length
    if (this.#text.length >= PIECE_CHARACTERS) this.#turn()
  }

  end(): Buffer {
    this.add(`</${this.#root}>\n`)
    this.#turn()
    return Buffer.concat(this.#pieces)
  }

  #turn(): void {
    this.#pieces.push(Buffer.from(this.#text))
    this.#text = ''
  }
}

/** Escapes a URL. All other characters with a meaning in XML are already percent-encoded in it. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
}
