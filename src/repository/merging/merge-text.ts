// Merges a text that a client sends with the text that is there now. Both began as the same earlier text.

import { newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { toServiceError } from '../protocol/failure.js'
import { openSnapshot, type SnapshotSource } from '../reading/snapshot-source.js'
import { type MergedText, TextMerger } from './text-merger.js'

export interface TextToMerge {
  source: SnapshotSource
  /** The text from which both sides began. */
  base: Oid
  /** The text that is there now. */
  ours: Oid
  /** The text that is sent. */
  theirs: Uint8Array
  isHtml: boolean
}

/** Merged bytes, or the conflict as `MergedText` has it. */
export type TextOfBoth = { merged: Buffer } | Extract<MergedText, { conflict: unknown }>

/** Throws `site_unreadable`, `site_busy` if git cannot merge now, and `storage_full`. */
export async function mergeText({ source, base, ours, theirs, isHtml }: TextToMerge): Promise<TextOfBoth> {
  const snapshot = openSnapshot(source)
  const merger = new TextMerger(source.gitdir, {
    readBlobWithin: (oid, maxBytes) => snapshot.blobWithin(oid, maxBytes),
  })
  const sent = newObject('blob', Buffer.from(theirs))
  merger.made.set(sent.oid, sent.content)
  try {
    for await (const [, result] of merger.mergeEach([{ oids: { base, ours, theirs: sent.oid }, isHtml }])) {
      return 'oid' in result ? { merged: merger.made.get(result.oid) ?? snapshot.blob(result.oid) } : result
    }
  } catch (error) {
    throw toServiceError(error)
  }
  throw new Error('the merger gave no result for a text')
}
