// Merges changes into a tree, path by path. A path that is still in the old state takes the new one, and a text that was changed
// meanwhile is merged line by line. Anything else is a conflict. Renames are not followed. The cost depends on the number of changes,
// not on the size of the site.

import type { TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { parseMetadataPath } from '../format/site-format.js'
import { findBlocker } from '../staging/find-blocker.js'
import type { WorkingTree } from '../staging/working-tree.js'
import { type ConflictReason, type Entry, isSameEntry, mergeEntries, type Sides } from './merge-entries.js'
import type { TextMerger } from './text-merger.js'

export interface PathConflict {
  path: string
  reason: ConflictReason
  /** The text with git's conflict markers, or a sentence if the conflict is not about lines. */
  hunks: string
}

/** After so many conflicts no more texts are merged: the outcome is known. */
const ENOUGH_CONFLICTS = 50
const SENTENCES: Readonly<Record<ConflictReason, string>> = {
  changed: 'It was changed since, and cannot be merged line by line.',
  missing: 'It was removed since.',
  in_the_way: 'Something else was put there since.',
}

interface Edit {
  path: string
  entry: Entry
}

interface TextToMerge {
  path: string
  oids: Sides<Oid>
  mode: number
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
  const { edits, texts, conflicts } = decide(tree, changes)
  await mergeTexts(texts, merger, { edits, conflicts })
  stage(tree, { edits, conflicts })
  return conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function decide(tree: WorkingTree, changes: readonly TreeChange[]): Outcome & { texts: TextToMerge[] } {
  const edits: Edit[] = []
  const texts: TextToMerge[] = []
  const conflicts: PathConflict[] = []
  for (const { path, before: base, after: theirs } of changes) {
    const ours = tree.entry(path)
    const decision = mergeEntries({ base, ours: fileOf(ours), theirs })
    if ('conflict' in decision) conflicts.push(conflictAt(path, isFolder(ours) ? 'in_the_way' : decision.conflict))
    else if ('entry' in decision) edits.push({ path, entry: decision.entry })
    // The service's own files are values: mixing lines of two versions makes a third that no author wrote.
    else if (parseMetadataPath(path) !== undefined) conflicts.push(conflictAt(path, 'changed'))
    else texts.push({ path, ...decision })
  }
  return { edits, texts, conflicts }
}

async function mergeTexts(
  texts: readonly TextToMerge[],
  merger: TextMerger,
  { edits, conflicts }: Outcome,
): Promise<void> {
  if (conflicts.length >= ENOUGH_CONFLICTS) return
  for await (const [{ path, mode }, merged] of merger.mergeEach(texts)) {
    if ('oid' in merged) edits.push({ path, entry: { mode, oid: merged.oid } })
    else if (conflicts.push(conflictAt(path, 'changed', merged.conflict)) >= ENOUGH_CONFLICTS) return
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
    else conflicts.push(conflictAt(edit.path, 'in_the_way', `${blocker} stands in its way.`))
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

function conflictAt(path: string, reason: ConflictReason, hunks = SENTENCES[reason]): PathConflict {
  return { path, reason, hunks }
}
