// Computes the tags of a site after some were moved.

import type { Oid } from '../../git/objects/oid.js'
import type { RefChange } from '../../git/objects/ref-change.js'

/** Returns undefined if a tag does not have the expected value, or its name is a folder of other tags, or the reverse. */
export function changedTags(
  before: ReadonlyMap<string, Oid>,
  changes: readonly RefChange[],
): Map<string, Oid> | undefined {
  const after = new Map(before)
  for (const change of changes) {
    if ((before.get(change.ref) ?? null) !== change.before) return undefined
    if (change.after === null) after.delete(change.ref)
    else after.set(change.ref, change.after)
  }
  const hasPlace = changes.every(({ ref }) => !after.has(ref) || !isTaken(ref, after))
  return hasPlace ? after : undefined
}

/** Whether the name is a folder in another name, or the reverse: git keeps each tag as a file. */
function isTaken(ref: string, tags: ReadonlyMap<string, Oid>): boolean {
  for (const name of tags.keys()) if (name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`)) return true
  return false
}
