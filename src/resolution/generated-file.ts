// Generates files that a site serves without storing them: robots.txt (RFC 9309), sitemap.xml, and llms.txt if it serves Markdown.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

export interface GeneratedBody {
  /** The oid that it would have as a blob. */
  oid: string
  /** In bytes. */
  size: number
  read(): Promise<Buffer>
  /** Yields the same bytes in pieces, for when there is no room to hold them. */
  pieces(): AsyncIterable<Buffer>
}

export interface SitemapSource {
  /** Returns the sitemap's files and llms.txt by name; undefined if the site is too large for them. Throws Pending while they are made. */
  files(): ReadonlyMap<string, GeneratedBody> | undefined
}

/** Returns the generated file at the URL path; undefined for any other path. Throws Pending. */
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

/** Returns the oid that the bytes would have as a blob. Many bytes take milliseconds. */
export function blobIdOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export function inMemory(bytes: Buffer, oid = blobIdOf(bytes)): GeneratedBody {
  return { oid, size: bytes.length, read: async () => bytes, pieces: () => Readable.from([bytes]) }
}

function renderRobots(origin: string): Buffer {
  return Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}
