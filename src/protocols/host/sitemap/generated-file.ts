// Files that a site serves without storing them: robots.txt (RFC 9309), sitemap.xml, and llms.txt if it serves Markdown.

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
  /** Resolves to the sitemap's files and llms.txt by name; to undefined if the site is too large for them. */
  files(): Promise<ReadonlyMap<string, GeneratedBody> | undefined>
}

/** Makes a generated file of the site with this origin; resolves to undefined if it has none of that name. */
export async function generateFile(
  { origin, sitemap }: { origin: string; sitemap?: SitemapSource },
  name: string,
): Promise<GeneratedBody | undefined> {
  return name === 'robots.txt' ? inMemory(renderRobots(origin)) : (await sitemap?.files())?.get(name)
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
