// Annotated tags, as far as fetching needs them.

import { ObjectCorrupt } from './errors.js'
import type { Oid } from './oid.js'

/** The object that an annotated tag names (git-mktag). Throws ObjectCorrupt. */
export function parseTag(content: Buffer): Oid {
  const [, oid] = /^object ([0-9a-f]{40})\n/.exec(content.toString('latin1', 0, 48)) ?? []
  if (oid === undefined) throw new ObjectCorrupt('a tag', 'it names no object')
  return oid
}
