// Which links may lead to the same page or file: `/docs`, `/docs/`, `/docs.html` and `/docs/index.html` have one place.

import { assetPathOf, pagePathOf, pagePathOfUrl, urlPathOf } from './page-path.js'

/** The place of a URL's path, percent-encoded; undefined where no page and no file can be. Never throws. */
export function placeOfUrl(pathname: string): string | undefined {
  const page = pagePathOfUrl(pathname)
  if (page !== undefined) return page.replaceAll('%25', '%').replace(/(?<=.)\/$/, '')
  const asset = assetPathOf(pathname)
  return asset && `/${asset}`.normalize('NFC')
}

/** The place of a file of the tree: that of all URLs which lead to it. */
export function placeOfFile(treePath: string): string | undefined {
  const page = pagePathOf(treePath)
  return placeOfUrl(page === undefined ? `/${treePath.split('/').map(encodeURIComponent).join('/')}` : urlPathOf(page))
}
