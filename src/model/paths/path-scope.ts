// The paths that a key may write to: patterns over pages and files, compared as file systems that fold case would.

import { ServiceError } from '../errors.js'
import { assetPathOf, foldCase, LONG_DIR, pagePathOf, pagePathOfUrl, parsePagePath } from './page-path.js'
import { isFilePath } from './file-path.js'

/** Writable only with keys that list them, since they affect the whole site. */
const OF_THE_SITE: ReadonlySet<string> = new Set(['/_redirects', '/_headers', '/404'])

/**
 * Returns the canonical form of a pattern: a literal path, or one that ends in `/*`. `/blog/*` stands for `/blog`, `/blog/` and everything
 * in it. Throws `invalid_path`.
 */
export function parsePathPattern(pattern: string): string {
  const text = pattern.normalize('NFC')
  const literal = text.endsWith('/*') ? text.slice(0, -2) : text
  if (!text.startsWith('/') || literal.includes('*')) {
    throw new ServiceError(
      'invalid_path',
      `The pattern "${pattern}" must be a path such as /about, or end in /* such as /blog/*.`,
    )
  }
  return text.endsWith('/*') ? text : canonicalOf(literal)
}

/** Whether a key with these patterns may write to the page at this path. */
export function allowsPage(patterns: readonly string[], path: string): boolean {
  return allows(patterns, path.replaceAll('%25', '%'))
}

/**
 * Whether a key with these patterns may write to this page or file of the tree; never to a file of the service's own. `longPages` are the
 * paths of pages with files in `.long/`, by tree path.
 */
export function allowsTreePath(
  patterns: readonly string[],
  treePath: string,
  longPages: ReadonlyMap<string, string> = new Map(),
): boolean {
  const page = treePath.startsWith(`${LONG_DIR}/`) ? longPages.get(treePath) : pagePathOf(treePath)
  if (page !== undefined) return allowsPage(patterns, page)
  return isFilePath(treePath) && allows(patterns, `/${treePath}`)
}

/** Whether a key with these patterns may write to the page or file that has this address, the path of a URL. */
export function allowsAddress(patterns: readonly string[], url: string): boolean {
  const [page, file] = [pagePathOfUrl(url), assetPathOf(url)]
  return (page !== undefined && allowsPage(patterns, page)) || (file !== undefined && allowsTreePath(patterns, file))
}

/** Whether `outer` allows everything that `inner` allows. */
export function isWithinPatterns(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((pattern) => {
    const folded = foldCase(pattern)
    if (outer.some((own) => foldCase(own) === folded)) return true
    const literal = pattern.replace(/\/\*$/, '/x')
    return !OF_THE_SITE.has(folded) && allows(outer, literal)
  })
}

/** Names the first of the refused paths, and the patterns that the key may write to. */
export function pathsNotAllowed(paths: readonly string[], patterns: readonly string[]): ServiceError {
  const [first = ''] = paths
  const more = paths.length > 1 ? `, nor to ${paths.length - 1} more` : ''
  return new ServiceError(
    'path_not_allowed',
    `This key may not write to ${first}${more}. It may write to: ${patterns.join(', ')}. Nothing was changed.`,
    { paths: paths.slice(0, 1_000) },
  )
}

function allows(patterns: readonly string[], path: string): boolean {
  const folded = foldCase(path)
  return patterns.some((pattern) => {
    if (!pattern.endsWith('/*')) return foldCase(pattern) === folded
    if (OF_THE_SITE.has(folded)) return false
    const folder = foldCase(pattern.slice(0, -2))
    return folded === folder || folded.startsWith(`${folder}/`)
  })
}

/** Returns the page for `/about.html`: `/about`. A path that no page can have is returned unchanged. */
function canonicalOf(path: string): string {
  try {
    return parsePagePath(path.replaceAll('%', '%25')).replaceAll('%25', '%')
  } catch {
    return path
  }
}
