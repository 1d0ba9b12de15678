// The public URLs of a site and its pages.

import { isFilePath, urlPathOfFile } from '../paths/file-path.js'
import { type PagePath, pagePathOf, urlPathOf } from '../paths/page-path.js'

export interface PublicAddress {
  baseUrl: string
  siteDomain: string
}

/** Returns the URL without a slash at the end: `http://demo.localhost:8080`. Sites have the scheme of the base URL. */
export function siteUrlOf({ baseUrl, siteDomain }: PublicAddress, slug: string): string {
  return `${new URL(baseUrl).protocol}//${slug}.${siteDomain}`
}

/** Returns the URL for `git clone`: `http://localhost:8080/git/demo.git`. */
export function cloneUrlOf({ baseUrl }: Pick<PublicAddress, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/git/${slug}.git`
}

/** Returns the one URL of a page, percent-encoded. */
export function pageUrlOf(address: PublicAddress, slug: string, path: PagePath): string {
  return siteUrlOf(address, slug) + urlPathOf(path)
}

/** Returns the URL of a page or another file at this path of the tree; undefined for files that are never served. */
export function contentUrlOf(address: PublicAddress, slug: string, treePath: string): string | undefined {
  const page = pagePathOf(treePath)
  if (page !== undefined) return pageUrlOf(address, slug, page)
  const path = isFilePath(treePath) ? urlPathOfFile(treePath) : undefined
  return path === undefined ? undefined : siteUrlOf(address, slug) + path
}

/** Characters that end a URL in a `Link` field or are not allowed in URLs. All other characters from a client stay unchanged. */
const UNSAFE = /[^!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/g

/** Returns the URL below the site domain for a target in origin form, as in a request. */
export function targetUrlOf(address: PublicAddress, label: string, target: string): string {
  const escaped = target.replace(
    UNSAFE,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
  return siteUrlOf(address, label) + escaped
}
