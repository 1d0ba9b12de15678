// Reads the text to search and the links of a page's document.

import type { ReadPage } from '../../index/text/store-text.js'
import { placeOfUrl } from '../../model/paths/link-place.js'
import { parsePagePath, urlPathOf } from '../../model/paths/page-path.js'
import { lineAt, lineStartsOf } from '../../model/text-parts.js'
import { linksOf } from '../../texts/links-of.js'
import { pageTextOf } from '../../texts/page-text.js'

/** Reads a page. `path` is the page's path, which its links are relative to. */
export function readPage(html: Buffer, path: string): ReadPage {
  const { paths, text, isComplete } = linksOf(html, urlPathOf(parsePagePath(path)))
  const starts = paths.size === 0 ? [] : lineStartsOf(text)
  const links = [...paths].map(([target, at]) => {
    return { target, place: placeOfUrl(target) ?? null, line: lineAt(starts, at) }
  })
  return { ...pageTextOf(html.toString()), links, leftOut: isComplete ? null : 'links' }
}
