// Decides what one path holds after a merge of three versions: the base of both sides, ours, and theirs. Compares only modes and oids;
// the texts are needed only if both sides changed a regular file.

import type { Oid } from '../../git/objects/oid.js'
import { isFile } from '../format/file-mode.js'

/** A file, a link or a submodule; undefined for a path without one. */
export type Entry = { mode: number; oid: Oid } | undefined

/**
 * The reason why a path cannot be merged: both sides changed it, the file is gone, or something is in its place. `invalid` stands for a
 * record that breaks the schema of its collection.
 */
export type ConflictReason = 'changed' | 'missing' | 'in_the_way' | 'invalid'

export interface Sides<T> {
  base: T
  ours: T
  theirs: T
}

export type Decision =
  | { entry: Entry }
  | { conflict: ConflictReason }
  /** The result has this mode, and the merged text. */
  | { oids: Sides<Oid>; mode: number }

export function mergeEntries({ base, ours, theirs }: Sides<Entry>): Decision {
  if (isSameEntry(ours, theirs) || isSameEntry(base, theirs)) return { entry: ours }
  if (isSameEntry(base, ours)) return { entry: theirs }
  if (ours === undefined) return { conflict: 'missing' }
  if (base === undefined) return { conflict: 'in_the_way' }
  if (theirs === undefined || ![base, ours, theirs].every(({ mode }) => isFile(mode))) return { conflict: 'changed' }
  const mode = mergeValues({ base: base.mode, ours: ours.mode, theirs: theirs.mode })
  if (mode === undefined) return { conflict: 'changed' }
  const oids = { base: base.oid, ours: ours.oid, theirs: theirs.oid }
  const oid = mergeValues(oids)
  return oid === undefined ? { oids, mode } : { entry: { mode, oid } }
}

export function isSameEntry(a: Entry, b: Entry): boolean {
  return a?.mode === b?.mode && a?.oid === b?.oid
}

/** Returns undefined if both sides changed the value differently. */
function mergeValues<T>({ base, ours, theirs }: Sides<T>): T | undefined {
  if (base === ours) return theirs
  return base === theirs || ours === theirs ? ours : undefined
}
