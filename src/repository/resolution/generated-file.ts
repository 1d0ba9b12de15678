// Tells which files a site serves without storing them: robots.txt, sitemap.xml with its parts, and llms.txt if it serves Markdown.

const SITEMAP = /^sitemap(?:-[1-9]\d{0,4})?\.xml$/

/** Returns the name of the generated file at the URL path; undefined for any other path. */
export function generatedFileAt(
  { generates, markdown }: { generates?: (name: string) => boolean; markdown?: boolean },
  pathname: string,
): string | undefined {
  const name = pathname.slice(1)
  const mayBeMade = name === 'robots.txt' || (name === 'llms.txt' && markdown === true) || SITEMAP.test(name)
  return mayBeMade && generates?.(name) === true ? name : undefined
}
