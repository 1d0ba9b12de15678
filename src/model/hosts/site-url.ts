// Where a site and its pages are for the public.

import { isFilePath, urlPathOfFile } from '../paths/file-path.js'
import { type PagePath, pagePathOf, urlPathOf } from '../paths/page-path.js'

export interface PublicAddress {
  baseUrl: string
  siteDomain: string
}

/** Without a slash at the end: `http://demo.localhost:8080`. Sites have the scheme of the base URL. */
export function siteUrlOf({ baseUrl, siteDomain }: PublicAddress, slug: string): string {
  return `${new URL(baseUrl).protocol}//${slug}.${siteDomain}`
}

/** What `git clone` takes: `http://localhost:8080/git/demo.git`. */
export function cloneUrlOf({ baseUrl }: Pick<PublicAddress, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/git/${slug}.git`
}

/** The one URL of a page, percent-encoded. */
export function pageUrlOf(address: PublicAddress, slug: string, path: PagePath): string {
  return siteUrlOf(address, slug) + urlPathOf(path)
}

/** The URL of what lies at this path of the tree, a page or another file; undefined for what is never served. */
export function contentUrlOf(address: PublicAddress, slug: string, treePath: string): string | undefined {
  const page = pagePathOf(treePath)
  if (page !== undefined) return pageUrlOf(address, slug, page)
  const path = isFilePath(treePath) ? urlPathOfFile(treePath) : undefined
  return path === undefined ? undefined : siteUrlOf(address, slug) + path
}

/** Characters that end a URL in a `Link` field or cannot stand in URLs. Everything else that a client sent stays as it is. */
const UNSAFE = /[^!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/g

/** The URL of a target in origin form, as a request had it, below the site domain. */
export function targetUrlOf(address: PublicAddress, label: string, target: string): string {
  const escaped = target.replace(
    UNSAFE,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
  return siteUrlOf(address, label) + escaped
}
