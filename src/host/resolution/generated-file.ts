// The files that a site has without holding them: robots.txt (RFC 9309), sitemap.xml, and llms.txt where pages answer as Markdown.

export interface SitemapSource {
  /** The site's origin, without a trailing slash: `https://demo.example.org`. */
  origin: string
  /** The sitemap's files and llms.txt by name; undefined where the site is too large for one. Throws Pending while they are made. */
  files(): ReadonlyMap<string, Buffer> | undefined
}

/** The generated file at that URL path; undefined for any other path. Throws Pending. */
export function generateFile(
  source: SitemapSource | undefined,
  pathname: string,
  hasMarkdown: boolean,
): { treePath: string; body: Buffer } | undefined {
  if (source === undefined) return undefined
  const treePath = pathname.slice(1)
  if (treePath === 'robots.txt') return { treePath, body: renderRobots(source) }
  const isMade = treePath === 'llms.txt' ? hasMarkdown : /^sitemap(?:-[1-9]\d{0,4})?\.xml$/.test(treePath)
  if (!isMade) return undefined
  const body = source.files()?.get(treePath)
  return body && { treePath, body }
}

function renderRobots({ origin }: SitemapSource): Buffer {
  return Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`)
}
