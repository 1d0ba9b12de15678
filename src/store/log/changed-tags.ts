// What all tags of a site are after some were moved.

import type { Oid } from '../../git/objects/oid.js'
import type { TagChange } from '../protocol/push.js'

/** Undefined where a tag is not what the change expects, or would stand where a folder of other tags is. */
export function changedTags(
  before: ReadonlyMap<string, Oid>,
  changes: readonly TagChange[],
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

/** A name cannot be a folder in another one: git keeps each tag as a file. */
function isTaken(ref: string, tags: ReadonlyMap<string, Oid>): boolean {
  for (const name of tags.keys()) if (name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`)) return true
  return false
}
