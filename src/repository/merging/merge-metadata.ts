// Merges two versions of a file of the service by its fields: a sidecar, a collection, a record. Lines of two versions could make JSON
// that nobody wrote.

import type { MetadataPath } from '../format/site-format.js'
import {
  MAX_COLLECTION_BYTES,
  MAX_RECORD_FILE_BYTES,
  MAX_SIDECAR_BYTES,
  parseCollection,
  parseSidecar,
} from '../format/site-format.js'
import type { Sides } from './merge-entries.js'
import { mergeJson } from './merge-fields.js'

export const MAX_METADATA_BYTES: Readonly<Record<MetadataPath['kind'], number>> = {
  sidecar: MAX_SIDECAR_BYTES,
  collection: MAX_COLLECTION_BYTES,
  record: MAX_RECORD_FILE_BYTES,
  former: MAX_SIDECAR_BYTES,
}

/** Merged bytes, or what a client is told of the conflict. A version is undefined if it is too long. */
export function mergeMetadata(
  file: MetadataPath,
  { base, ours, theirs }: Sides<Buffer | undefined>,
): { merged: Buffer } | { conflict: string } {
  const merged = base && ours && theirs && mergeJson({ base, ours, theirs })
  if (merged === undefined) return { conflict: 'It was changed since, and is no JSON that can be merged by field.' }
  if ('clashes' in merged) return { conflict: `Both sides changed ${merged.clashes.join(', ')} differently.` }
  if (isValid(file, merged.json)) return { merged: merged.json }
  return { conflict: 'It was changed since, and both changes together make no valid file.' }
}

function isValid(file: MetadataPath, json: Buffer): boolean {
  if (json.length > MAX_METADATA_BYTES[file.kind]) return false
  if (file.kind === 'sidecar') return parseSidecar(json) !== undefined
  if (file.kind === 'collection') return parseCollection(file.collectionId, json) !== undefined
  // Two answers of one former address make no third.
  return file.kind === 'record'
}
