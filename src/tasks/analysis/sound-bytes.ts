// Reads files for an advice about a site. A damaged file spoils none of it: the search for damaged objects names the file.

import { ServiceError } from '../../model/errors.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'

/** Returns the bytes of a file; undefined if they are more than `maxBytes`, or cannot be read. */
export function soundBytes(snapshot: Snapshot, oid: string, maxBytes: number): Buffer | undefined {
  try {
    return snapshot.blobWithin(oid, maxBytes)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
