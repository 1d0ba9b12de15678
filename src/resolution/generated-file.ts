// The files that a site has without holding them: robots.txt (RFC 9309), sitemap.xml, and llms.txt where pages answer as Markdown.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

export interface GeneratedBody {
  /** What it would have as a blob. */
  oid: string
  /** In bytes. */
  size: number
  read(): Promise<Buffer>
  /** The same bytes, for a visitor for whom there is no room to hold them. */
  pieces(): AsyncIterable<Buffer>
}

export interface SitemapSource {
  /** The sitemap's files and llms.txt by name; undefined where the site is too large for one. Throws Pending while they are made. */
  files(): ReadonlyMap<string, GeneratedBody> | undefined
}

/** The generated file at that URL path; undefined for any other path. Throws Pending. */
export function generateFile(
  { origin, sitemap, markdown }: { origin: string; sitemap?: SitemapSource; markdown?: boolean },
  pathname: string,
): (GeneratedBody & { treePath: string }) | undefined {
  if (sitemap === undefined) return undefined
  const treePath = pathname.slice(1)
  if (treePath === 'robots.txt') return { treePath, ...inMemory(renderRobots(origin)) }
  const isMade = treePath === 'llms.txt' ? markdown === true : /^sitemap(?:-[1-9]\d{0,4})?\.xml$/.test(treePath)
  if (!isMade) return undefined
  const file = sitemap.files()?.get(treePath)
  return file && { treePath, ...file }
}

/** What the bytes would have as a blob. For many bytes that takes milliseconds. */
export function blobIdOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export function inMemory(bytes: Buffer, oid = blobIdOf(bytes)): GeneratedBody {
  return { oid, size: bytes.length, read: async () => bytes, pieces: () => Readable.from([bytes]) }
}

function renderRobots(origin: string): Buffer {
  return Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}
