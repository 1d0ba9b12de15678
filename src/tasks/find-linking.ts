// Finds the pages that link to some places, in their html.

import type { Oid } from '../git/objects/oid.js'
import { MAX_BLOB_BYTES } from '../model/bytes.js'
import { placeOfUrl } from '../model/paths/link-place.js'
import { lineAt, lineStartsOf } from '../model/text-parts.js'
import type { Snapshot } from '../repository/reading/snapshot.js'
import { linksOf } from '../texts/links-of.js'

export interface PageToSearch {
  blob: Oid
  /** The path of its URL. */
  at: string
}

/** Returns for each page the line of its first link to one of the places, from 1; null if it has none. */
export function findLinking(
  snapshot: Snapshot,
  pages: readonly PageToSearch[],
  places: readonly string[],
): (number | null)[] {
  const wanted = new Set(places)
  return pages.map(({ blob, at }) => {
    const html = snapshot.blobWithin(blob, MAX_BLOB_BYTES)
    if (html === undefined) return null
    const { paths, text } = linksOf(html, at)
    const found = [...paths].flatMap(([target, position]) => (wanted.has(placeOfUrl(target) ?? '') ? [position] : []))
    return found.length === 0 ? null : lineAt(lineStartsOf(text), Math.min(...found))
  })
}
