// The place of a link, equal for links that may lead to the same page or file: `/docs`, `/docs/`, `/docs.html`, `/docs/index.html`.

import { assetPathOf, pagePathOf, pagePathOfUrl, urlPathOf } from './page-path.js'

/** Returns the place of a URL's percent-encoded path; undefined if no page and no file can be there. Never throws. */
export function placeOfUrl(pathname: string): string | undefined {
  const page = pagePathOfUrl(pathname)
  if (page !== undefined) return page.replaceAll('%25', '%').replace(/(?<=.)\/$/, '')
  const asset = assetPathOf(pathname)
  return asset && `/${asset}`.normalize('NFC')
}

/** Returns the place of a file of the tree: that of all URLs that lead to it. */
export function placeOfFile(treePath: string): string | undefined {
  const page = pagePathOf(treePath)
  return placeOfUrl(page === undefined ? `/${treePath.split('/').map(encodeURIComponent).join('/')}` : urlPathOf(page))
}
