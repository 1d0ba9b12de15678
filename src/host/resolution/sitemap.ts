// Generates sitemap.xml (sitemaps.org) and robots.txt (RFC 9309) from the tree of a site that has none of its own.

import { LRUCache } from 'lru-cache'
import { joinTreePath } from '../../git/objects/tree-path.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { toTimestamp } from '../../model/clock.js'
import { LONG_DIR, type PagePath, pagePathOf, treePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Snapshot } from '../../store/reading/snapshot.js'

export interface SitemapSource {
  /** The site's origin, without a trailing slash: `https://demo.example.org`. */
  origin: string
  /** The time of each page's last change; undefined while the index is not at the site's commit. */
  lastChanges(): PageChange[] | undefined
}

export interface PageChange {
  path: string
  /** Seconds. */
  time: number
}

export interface MappableView {
  snapshot: Pick<Snapshot, 'entry' | 'list' | 'siteId' | 'commit'>
  /** What sitemap.xml and robots.txt are made from; without it, none are generated. */
  sitemap?: SitemapSource
}

/** Limits of one sitemap (sitemaps.org); a larger site has an index of several. */
const MAX_SITEMAP_URLS = 50_000
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

const CACHE_BYTES = 64 * 1024 * 1024
/** A map that took longer to make than this may be stale for so many times as long: a busy site is not walked all the time. */
const LONG_MS = 20
const STALE_RATIO = 20

interface SiteMaps {
  commit: string
  /** False where the last changes were unknown. */
  isComplete: boolean
  files: ReadonlyMap<string, Buffer>
  /** Monotonic milliseconds. */
  madeAt: number
  costMs: number
}

/** By site id. */
const cached = new LRUCache<string, SiteMaps>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ files }) => [...files.values()].reduce((sum, file) => sum + file.length, 1024),
})

/** The generated file at that URL path; undefined for any other path. */
export function generateFile(view: MappableView, pathname: string): { treePath: string; body: Buffer } | undefined {
  const source = view.sitemap
  if (source === undefined) return undefined
  const treePath = pathname.slice(1)
  if (treePath === 'robots.txt') return { treePath, body: renderRobots(source) }
  if (!/^sitemap(?:-[1-9]\d{0,4})?\.xml$/.test(treePath)) return undefined
  const body = mapsOf(view, source).files.get(treePath)
  return body && { treePath, body }
}

function renderRobots({ origin }: SitemapSource): Buffer {
  return Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}

function mapsOf({ snapshot }: MappableView, source: SitemapSource): SiteMaps {
  const known = cached.get(snapshot.siteId)
  if (known !== undefined && isFresh(known, snapshot.commit)) return known
  const begun = performance.now()
  const changes = source.lastChanges()
  const times = new Map(changes?.map(({ path, time }) => [path, time]))
  const entries = [...pagesOf(snapshot, times)].map((page) => renderPage(source.origin, page, times.get(page)))
  const madeAt = performance.now()
  const files = renderMaps(source.origin, entries)
  const maps = { commit: snapshot.commit, isComplete: changes !== undefined, files, madeAt, costMs: madeAt - begun }
  cached.set(snapshot.siteId, maps)
  return maps
}

function isFresh({ commit, isComplete, madeAt, costMs }: SiteMaps, wanted: string): boolean {
  if (commit === wanted && isComplete) return true
  return costMs > LONG_MS && performance.now() - madeAt < STALE_RATIO * costMs
}

/** All pages except 404 pages and pages hidden behind an exact file. */
function* pagesOf(snapshot: MappableView['snapshot'], times: ReadonlyMap<string, number>): Generator<PagePath> {
  yield* pagesBelow(snapshot, '')
  // The name of a file in LONG_DIR does not tell its path; the index knows it.
  if (snapshot.entry(LONG_DIR)?.mode !== MODE_TREE) return
  for (const path of times.keys()) {
    const treePath = treePathOf(path as PagePath)
    if (treePath.startsWith(`${LONG_DIR}/`) && isFile(snapshot.entry(treePath)?.mode)) yield path as PagePath
  }
}

function* pagesBelow(snapshot: MappableView['snapshot'], folder: string): Generator<PagePath> {
  const entries = snapshot.list(folder)
  const names = new Set(entries.filter(({ mode }) => isFile(mode)).map(({ name }) => name))
  for (const { mode, name } of entries) {
    if (name.startsWith('.')) continue
    const treePath = joinTreePath(folder, name)
    if (mode === MODE_TREE) yield* pagesBelow(snapshot, treePath)
    if (!isFile(mode) || name === '404.html' || names.has(name.replace(/\.html$/, ''))) continue
    const page = pagePathOf(treePath)
    if (page !== undefined) yield page
  }
}

function renderPage(origin: string, page: PagePath, time: number | undefined): string {
  const lastmod = time === undefined ? '' : `<lastmod>${toTimestamp(time)}</lastmod>`
  return `<url><loc>${escapeXml(origin + urlPathOf(page))}</loc>${lastmod}</url>\n`
}

function renderMaps(origin: string, entries: readonly string[]): Map<string, Buffer> {
  const maps = [...chunksOf(entries)].map((chunk) => renderXml('urlset', chunk.join('')))
  if (maps.length <= 1) return new Map([['sitemap.xml', maps[0] ?? renderXml('urlset', '')]])
  const named = maps.map((body, at): [string, Buffer] => [`sitemap-${at + 1}.xml`, body])
  const list = named.map(([name]) => `<sitemap><loc>${escapeXml(`${origin}/${name}`)}</loc></sitemap>\n`)
  return new Map([['sitemap.xml', renderXml('sitemapindex', list.join(''))], ...named])
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
