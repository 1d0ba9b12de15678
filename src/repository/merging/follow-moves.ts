// Follows pages that one side of a merge moved. What the other side changed in such a page is merged at its new path, as if the page had
// always been there.

import type { TreeChange } from '../../git/objects/diff.js'
import { MODE_BLOB } from '../../git/objects/tree.js'
import { encodeSidecar } from '../format/site-format.js'
import { findBlocker } from '../staging/find-blocker.js'
import type { WorkingTree } from '../staging/working-tree.js'
import { fileOf } from './merge-changes.js'
import type { Entry, Sides } from './merge-entries.js'
import { findMovedPages, type MergedTrees, type MovedPage } from './moved-pages.js'
import type { TextMerger } from './text-merger.js'

export interface FollowedMoves {
  /** The changes to merge into ours. */
  changes: readonly TreeChange[]
  /** The paths at which ours is other than before, or may be after the merge. */
  paths: readonly string[]
  /** Brings ours back to how it was. */
  undo: () => void
}

/** A page that is merged at one path, with its three versions. */
interface Followed extends MovedPage {
  to: string
  entries: Sides<Entry>
}

type Keeper = Pick<TextMerger, 'read' | 'keep'>

const SIDES = ['base', 'ours', 'theirs'] as const

/**
 * Stages in ours that pages lie where theirs moved them. A page stays where each side has it if both moved it to different paths. It also
 * stays if anything is in its way, or if its sidecar is in `kept`.
 */
export function followMoves(trees: MergedTrees, merger: Keeper, kept: ReadonlySet<string> = new Set()): FollowedMoves {
  const { base, ours, changes } = trees
  const byPath = new Map(changes.map((change) => [change.path, change]))
  const entryOfBase = (path: string) => fileOf(base.entry(path))
  const sides: Sides<Side> = {
    base: new Side(entryOfBase),
    ours: new Side((path) => fileOf(ours.entry(path))),
    theirs: new Side((path) => (byPath.has(path) ? byPath.get(path)?.after : entryOfBase(path))),
  }
  const found = findMovedPages(trees, (path) => sides.theirs.entry(path), merger)
  const pages = found.flatMap((page) => (kept.has(page.sidecar) ? [] : placeOf(page, sides)))
  const followed = whereFree(pages, sides, ours)
  move(followed, sides)
  for (const page of followed) giveSidecar(page, sides, merger)
  const paths = [...new Set(SIDES.flatMap((side) => [...sides[side].moved.keys()]))]
  for (const path of paths) byPath.set(path, changeOf(path, sides))
  return { changes: [...byPath.values()], paths, undo: stage(ours, sides.ours.moved) }
}

/** One of the three versions, with the pages that were moved in it. */
class Side {
  readonly moved = new Map<string, Entry>()
  readonly #read: (path: string) => Entry

  constructor(read: (path: string) => Entry) {
    this.#read = read
  }

  entry(path: string): Entry {
    return this.moved.has(path) ? this.moved.get(path) : this.#read(path)
  }
}

/** Returns the page with the file at which it is merged; nothing if both moved it apart, or there was no file. */
function placeOf(page: MovedPage, sides: Sides<Side>): Followed[] {
  const { base, ours, theirs } = page.files
  const entries = {
    base: sides.base.entry(base),
    ours: sides.ours.entry(ours),
    theirs: sides.theirs.entry(theirs),
  }
  const to = theirs === base ? ours : theirs
  const isAtOne = to === theirs ? ours === base || ours === to : theirs === base
  return entries.base !== undefined && isAtOne ? [{ ...page, to, entries }] : []
}

/** Leaves out pages whose place something else has in any version, and what then is in the way of others. */
function whereFree(pages: readonly Followed[], sides: Sides<Side>, ours: WorkingTree): readonly Followed[] {
  const leaving = SIDES.map((side) => [sides[side], new Set(pages.map(({ files }) => files[side]))] as const)
  const coming = new Map<string, number>()
  for (const { to } of pages) coming.set(to, (coming.get(to) ?? 0) + 1)
  const isFree = ({ to }: Followed) =>
    coming.get(to) === 1 &&
    findBlocker(ours, to) === undefined &&
    leaving.every(([side, files]) => files.has(to) || side.entry(to) === undefined)
  const free = pages.filter(isFree)
  return free.length === pages.length ? free : whereFree(free, sides, ours)
}

/** Takes all pages from their places before it puts the first: one may go where another was. */
function move(pages: readonly Followed[], sides: Sides<Side>): void {
  for (const side of SIDES) {
    for (const { files } of pages) sides[side].moved.set(files[side], undefined)
    for (const { to, entries } of pages) sides[side].moved.set(to, entries[side])
  }
}

/** Gives a page its sidecar at the base, if both sides gave it one since: then these are merged. */
function giveSidecar({ sidecar, from }: Followed, { base, ours, theirs }: Sides<Side>, merger: Keeper): void {
  if (base.entry(sidecar) !== undefined || ours.entry(sidecar) === undefined || theirs.entry(sidecar) === undefined)
    return
  const oid = merger.keep(encodeSidecar({ path: from, title: null, templateId: null }))
  base.moved.set(sidecar, { mode: MODE_BLOB, oid })
}

function changeOf(path: string, { base, theirs }: Sides<Side>): TreeChange {
  const [before, after] = [base.entry(path), theirs.entry(path)]
  return { path, ...(before && { before }), ...(after && { after }) }
}

/** Stages the entries, and returns how to take them back. */
function stage(tree: WorkingTree, entries: ReadonlyMap<string, Entry>): () => void {
  const before = new Map(Array.from(entries.keys(), (path) => [path, fileOf(tree.entry(path))] as const))
  putAll(tree, entries)
  return () => putAll(tree, before)
}

/** Removes first: a file may take the place of a folder. */
function putAll(tree: WorkingTree, entries: ReadonlyMap<string, Entry>): void {
  for (const [path, entry] of entries) if (entry === undefined && tree.entry(path) !== undefined) tree.remove(path)
  for (const [path, entry] of entries) if (entry !== undefined) tree.putExisting(path, entry.mode, entry.oid)
}
