// The files that a site has without holding them: robots.txt (RFC 9309) and sitemap.xml.

export interface SitemapSource {
  /** The site's origin, without a trailing slash: `https://demo.example.org`. */
  origin: string
  /** The sitemap's files by name; undefined where the site is too large for one. Throws Pending while they are made. */
  files(): ReadonlyMap<string, Buffer> | undefined
}

/** The generated file at that URL path; undefined for any other path. Throws Pending. */
export function generateFile(
  source: SitemapSource | undefined,
  pathname: string,
): { treePath: string; body: Buffer } | undefined {
  if (source === undefined) return undefined
  const treePath = pathname.slice(1)
  if (treePath === 'robots.txt') return { treePath, body: renderRobots(source) }
  if (!/^sitemap(?:-[1-9]\d{0,4})?\.xml$/.test(treePath)) return undefined
  const body = source.files()?.get(treePath)
  return body && { treePath, body }
}

function renderRobots({ origin }: SitemapSource): Buffer {
  return Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}
