// Where a site and its pages are for the public.

import { type PagePath, urlPathOf } from '../model/page-path.js'

export interface PublicAddress {
  baseUrl: string
  siteDomain: string
}

/** Without a slash at the end: `http://demo.localhost:8080`. Sites have the scheme of the base URL. */
export function siteUrlOf({ baseUrl, siteDomain }: PublicAddress, slug: string): string {
  return `${new URL(baseUrl).protocol}//${slug}.${siteDomain}`
}

/** The one URL of a page, percent-encoded. */
export function pageUrlOf(address: PublicAddress, slug: string, path: PagePath): string {
  return siteUrlOf(address, slug) + urlPathOf(path)
}
