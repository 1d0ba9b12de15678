// Merges changes into a tree, path by path. A path that is still in the old state takes the new one. A text that was changed meanwhile is
// merged line by line, a file of the service field by field. Anything else is a conflict. Moved pages are followed before
// (follow-moves.ts). The cost depends on the number of changes, not on the size of the site.

import type { TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { parseMetadataPath } from '../format/site-format.js'
import { findBlocker } from '../staging/find-blocker.js'
import type { WorkingTree } from '../staging/working-tree.js'
import { type ConflictReason, type Entry, isSameEntry, mergeEntries, type Sides } from './merge-entries.js'
import { MAX_METADATA_BYTES, mergeMetadata } from './merge-metadata.js'
import type { TextMerger } from './text-merger.js'

export interface PathConflict {
  path: string
  reason: ConflictReason
  /** The text with git's conflict markers, or a sentence if the conflict is not about lines. */
  hunks: string
  /** The three versions, as far as they are files. */
  base?: Oid
  ours?: Oid
  theirs?: Oid
}

/** After so many conflicts no more texts are merged: the outcome is known. */
const ENOUGH_CONFLICTS = 50
const SENTENCES: Readonly<Record<ConflictReason, string>> = {
  changed: 'It was changed since, and cannot be merged line by line.',
  missing: 'It was removed since.',
  in_the_way: 'Something else was put there since.',
  invalid: "It does not fit its collection's schema.",
}

interface Edit {
  path: string
  entry: Entry
}

interface TextToMerge {
  path: string
  oids: Sides<Oid>
  mode: number
  isHtml: boolean
}

interface Outcome {
  edits: Edit[]
  conflicts: PathConflict[]
}

/**
 * Stages the changes in the tree. If any conflict, the tree stays as it was, and the conflicts are returned by path: all of them, or at
 * least the first 50. Throws as `TextMerger.mergeEach` does.
 */
export async function mergeChanges(
  tree: WorkingTree,
  changes: readonly TreeChange[],
  merger: TextMerger,
): Promise<PathConflict[]> {
  const { edits, texts, conflicts } = decide(tree, changes, merger)
  await mergeTexts(texts, merger, { edits, conflicts })
  stage(tree, { edits, conflicts })
  return conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function decide(
  tree: WorkingTree,
  changes: readonly TreeChange[],
  merger: TextMerger,
): Outcome & { texts: TextToMerge[] } {
  const edits: Edit[] = []
  const texts: TextToMerge[] = []
  const conflicts: PathConflict[] = []
  for (const { path, before: base, after: theirs } of changes) {
    const there = tree.entry(path)
    const sides = { base, ours: fileOf(there), theirs }
    const decision = mergeEntries(sides)
    const metadata = parseMetadataPath(path)
    if ('conflict' in decision)
      conflicts.push(conflictAt(path, isFolder(there) ? 'in_the_way' : decision.conflict, oidsOf(sides)))
    else if ('entry' in decision) edits.push({ path, entry: decision.entry })
    else if (metadata === undefined) texts.push({ path, isHtml: path.endsWith('.html'), ...decision })
    else {
      const merged = mergeMetadata(metadata, readSides(merger, decision.oids, MAX_METADATA_BYTES[metadata.kind]))
      if ('conflict' in merged) conflicts.push(conflictAt(path, 'changed', decision.oids, merged.conflict))
      else edits.push({ path, entry: { mode: decision.mode, oid: merger.keep(merged.merged) } })
    }
  }
  return { edits, texts, conflicts }
}

function readSides(
  merger: TextMerger,
  { base, ours, theirs }: Sides<Oid>,
  maxBytes: number,
): Sides<Buffer | undefined> {
  return { base: merger.read(base, maxBytes), ours: merger.read(ours, maxBytes), theirs: merger.read(theirs, maxBytes) }
}

function oidsOf({ base, ours, theirs }: Sides<Entry>): Partial<Sides<Oid>> {
  return { ...(base && { base: base.oid }), ...(ours && { ours: ours.oid }), ...(theirs && { theirs: theirs.oid }) }
}

async function mergeTexts(
  texts: readonly TextToMerge[],
  merger: TextMerger,
  { edits, conflicts }: Outcome,
): Promise<void> {
  if (conflicts.length >= ENOUGH_CONFLICTS) return
  for await (const [{ path, mode, oids }, merged] of merger.mergeEach(texts)) {
    if ('oid' in merged) edits.push({ path, entry: { mode, oid: merged.oid } })
    else if (conflicts.push(conflictAt(path, 'changed', oids, merged.conflict)) >= ENOUGH_CONFLICTS) return
  }
}

/** Returns the entry if it is not a folder. */
export function fileOf(entry: Entry): Entry {
  return entry === undefined || isFolder(entry) ? undefined : { mode: entry.mode, oid: entry.oid }
}

/** Stages the edits, and finds files that have no room. If anything conflicts, nothing stays staged. */
function stage(tree: WorkingTree, { edits, conflicts }: Outcome): void {
  const staged: Edit[] = []
  const put = ({ path, entry }: Edit) => {
    const before = fileOf(tree.entry(path))
    if (isSameEntry(before, entry)) return
    staged.push({ path, entry: before })
    putEntry(tree, path, entry)
  }
  // Removals first: a file may take the place of a folder.
  for (const edit of edits) if (edit.entry === undefined) put(edit)
  for (const edit of edits) {
    if (edit.entry === undefined) continue
    const blocker = findBlocker(tree, edit.path)
    if (blocker === undefined) put(edit)
    else
      conflicts.push(conflictAt(edit.path, 'in_the_way', { theirs: edit.entry.oid }, `${blocker} stands in its way.`))
  }
  if (conflicts.length > 0) for (const { path, entry } of staged.toReversed()) putEntry(tree, path, entry)
}

function putEntry(tree: WorkingTree, path: string, entry: Entry): void {
  if (entry === undefined) tree.remove(path)
  else tree.putExisting(path, entry.mode, entry.oid)
}

function isFolder(entry: Entry): boolean {
  return entry?.mode === MODE_TREE
}

function conflictAt(
  path: string,
  reason: ConflictReason,
  oids: Partial<Sides<Oid>>,
  hunks = SENTENCES[reason],
): PathConflict {
  return { path, reason, hunks, ...oids }
}
