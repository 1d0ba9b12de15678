// Compares two blobs, as texts.

import type { Snapshot } from '../../repository/reading/snapshot.js'
import { type Form, readDocument } from '../../texts/documents/read-document.js'
import { isText } from '../../texts/file-text.js'
import { diffTexts, type TextDiff } from '../../texts/text-diff.js'

/** Limit for both blobs together. */
export const MAX_BYTES = 4 * 1024 * 1024

export interface NamedBlob {
  name: string
  /** Null compares as an empty text. */
  oid: string | null
}

/** Compares the blobs in a form of documents. Returns undefined if they are too long or too different to be compared. */
export function diffBlobs(
  snapshot: Snapshot,
  before: NamedBlob,
  after: NamedBlob,
  as: Form = 'html',
): TextDiff | undefined {
  const size = [before, after].reduce((sum, { oid }) => sum + (oid === null ? 0 : snapshot.size(oid)), 0)
  if (size > MAX_BYTES) return undefined
  const textOf = ({ name, oid }: NamedBlob) => {
    const html = oid === null ? '' : snapshot.blob(oid).toString()
    return { name, text: as === 'html' ? html : readDocument(html, { as }).content }
  }
  return diffTexts(textOf(before), textOf(after))
}

/** Compares files that are no pages; returns undefined also if one of them is not text. */
export function diffFiles(snapshot: Snapshot, before: NamedBlob, after: NamedBlob, as?: Form): TextDiff | undefined {
  const isComparable = ({ oid }: NamedBlob) => {
    const bytes = oid === null ? undefined : snapshot.blobWithin(oid, MAX_BYTES)
    return oid === null || (bytes !== undefined && isText(bytes))
  }
  return isComparable(before) && isComparable(after) ? diffBlobs(snapshot, before, after, as) : undefined
}
