// The files that a site has without holding them: robots.txt (RFC 9309), sitemap.xml, and llms.txt where pages answer as Markdown.

import { createHash } from 'node:crypto'

export interface GeneratedBody {
  body: Buffer
  /** What it would have as a blob. */
  oid: string
}

export interface SitemapSource {
  /** The site's origin, without a trailing slash: `https://demo.example.org`. */
  origin: string
  /** The sitemap's files and llms.txt by name; undefined where the site is too large for one. Throws Pending while they are made. */
  files(): ReadonlyMap<string, GeneratedBody> | undefined
}

/** The generated file at that URL path; undefined for any other path. Throws Pending. */
export function generateFile(
  source: SitemapSource | undefined,
  pathname: string,
  hasMarkdown: boolean,
): (GeneratedBody & { treePath: string }) | undefined {
  if (source === undefined) return undefined
  const treePath = pathname.slice(1)
  if (treePath === 'robots.txt') return { treePath, ...named(renderRobots(source)) }
  const isMade = treePath === 'llms.txt' ? hasMarkdown : /^sitemap(?:-[1-9]\d{0,4})?\.xml$/.test(treePath)
  if (!isMade) return undefined
  const file = source.files()?.get(treePath)
  return file && { treePath, ...file }
}

/** Hashes the body: for a long one, that takes milliseconds. */
export function named(body: Buffer): GeneratedBody {
  return { body, oid: createHash('sha1').update(`blob ${body.length}\0`).update(body).digest('hex') }
}

function renderRobots({ origin }: SitemapSource): Buffer {
  return Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}
