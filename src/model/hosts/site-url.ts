// Where a site and its pages are for the public.

import { type PagePath, urlPathOf } from '../paths/page-path.js'

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
