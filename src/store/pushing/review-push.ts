// What the commits of a push change on main's first-parent history: for the person who pushes, and for a key that may write to some
// paths alone. It runs in a process of its own, since nobody can bound what a push changes.

import { isUtf8 } from 'node:buffer'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { UninstalledPacks } from '../../git/streams/uninstalled-packs.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { derivePageId, isDerivedId } from '../../model/ids.js'
import { isContentPath } from '../../model/paths/file-path.js'
import { pagePathOf, treePathOf } from '../../model/paths/page-path.js'
import { allowsPage, allowsTreePath } from '../../model/paths/path-scope.js'
import { isFile } from '../format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar } from '../format/site-format.js'
import { isPlainPush, type PushedSizes } from './plain-push.js'

export interface PushToReview {
  siteId: string
  gitdir: string
  before: Oid
  after: Oid
  /** The packs of the push, without their endings. */
  packs: readonly string[]
  /** The patterns of the only paths that its key may write to; without them, all. */
  paths?: readonly string[]
}

export interface PushedChange {
  /** Of a page or a file. */
  treePath: string
  kind: 'published' | 'replaced' | 'removed'
}

export interface ReviewedPush {
  commits: number
  /** A merge is among them. */
  hasMerge: boolean
  /** The first ones, by path. */
  changes: PushedChange[]
  changeCount: number
  /** What is wrong with pages that it brings, a sentence each; PUT would refuse them. The first ones. */
  wrongPages: string[]
  /** Paths that the key may not write to, the first 1,000; in whichever commit. */
  refused: string[]
}

const MAX_CHANGES = 20
/** Pages that are read for what is wrong with them. */
const MAX_PAGES_READ = 500
/** Longer ones are not read for that. */
const MAX_PAGE_BYTES = 1024 * 1024
const MAX_REFUSED = 1_000

/** The push is within the rules, and lacks no object. */
export function reviewPush(push: PushToReview): ReviewedPush {
  return readingPush(push, (objects) => review(objects, push))
}

/** Undefined for a push that others have to judge first. */
export function reviewPlainPush({ sizes, ...push }: PushToReview & { sizes: PushedSizes }): ReviewedPush | undefined {
  return readingPush(push, (objects) =>
    isPlainPush(objects, push.before, push.after, sizes) ? review(objects, push) : undefined,
  )
}

function readingPush<T>({ gitdir, packs }: PushToReview, read: (objects: ObjectReader) => T): T {
  const repository = new ObjectDatabase(gitdir)
  try {
    return read(new UninstalledPacks(repository, packs))
  } finally {
    repository.close()
  }
}

function review(objects: ObjectReader, { siteId, before, after, paths }: PushToReview): ReviewedPush {
  const commits = commitsBetween(objects, before, after)
  const refused = paths === undefined ? [] : pathsRefused(objects, commits, { siteId, patterns: paths })
  const hasMerge = commits.some((oid) => objects.readCommit(oid).parents.length > 1)
  return { commits: commits.length, hasMerge, refused, ...changesBetween(objects, before, after) }
}

/** Newest first. */
function commitsBetween(objects: ObjectReader, before: Oid, after: Oid): Oid[] {
  const commits: Oid[] = []
  for (let oid = after; oid !== before; ) {
    commits.push(oid)
    const [parent] = objects.readCommit(oid).parents
    if (parent === undefined) throw new Error(`${before} is not on the first-parent history of ${after}`)
    oid = parent
  }
  return commits
}

type ChangesOfPush = Pick<ReviewedPush, 'changes' | 'changeCount' | 'wrongPages'>

function changesBetween(objects: ObjectReader, before: Oid, after: Oid): ChangesOfPush {
  const changes: PushedChange[] = []
  const wrongPages: string[] = []
  let pagesRead = 0
  let changeCount = 0
  const trees = [before, after].map((oid) => objects.readCommit(oid).tree)
  for (const change of diffTrees(objects, trees[0], trees[1])) {
    const { path: treePath } = change
    const kind = kindOf(change)
    if (kind === undefined || !isContentPath(treePath)) continue
    changeCount++
    if (kind !== 'removed' && pagePathOf(treePath) !== undefined && ++pagesRead <= MAX_PAGES_READ)
      wrongPages.push(...whatIsWrong(objects, change))
    if (changes.length < MAX_CHANGES) changes.push({ treePath, kind })
  }
  return { changes: changes.toSorted((a, b) => (a.treePath < b.treePath ? -1 : 1)), changeCount, wrongPages }
}

function whatIsWrong(objects: ObjectReader, { path, after }: TreeChange): string[] {
  const html = after && objects.readBlobWithin(after.oid, MAX_PAGE_BYTES)
  if (html === undefined) return []
  if (html.length === 0) return [`${path} is an empty page`]
  return isUtf8(html) ? [] : [`${path} is not UTF-8: save it as UTF-8`]
}

function kindOf({ before, after }: TreeChange): PushedChange['kind'] | undefined {
  const [was, is] = [before, after].map((entry) => entry !== undefined && isFile(entry.mode))
  if (was && is) return 'replaced'
  if (is) return 'published'
  return was ? 'removed' : undefined
}

/** What a key that is limited to paths may write to, in which site. */
interface Limit {
  siteId: string
  patterns: readonly string[]
}

function pathsRefused(objects: ObjectReader, commits: readonly Oid[], limit: Limit): string[] {
  const refused = new Set<string>()
  for (const oid of commits) {
    const { tree, parents } = objects.readCommit(oid)
    const parent = parents[0] === undefined ? undefined : objects.readCommit(parents[0]).tree
    const changes = [...diffTrees(objects, parent, tree)]
    const longPages = longPagesIn(objects, changes)
    for (const change of changes) {
      if (refused.size >= MAX_REFUSED) return [...refused]
      if (!isAllowed(objects, change, limit, longPages)) refused.add(`/${change.path}`)
    }
  }
  return [...refused].toSorted()
}

function isAllowed(
  objects: ObjectReader,
  change: TreeChange,
  { siteId, patterns }: Limit,
  longPages: ReadonlyMap<string, string>,
): boolean {
  const metadata = parseMetadataPath(change.path)
  if (metadata?.kind !== 'sidecar') return allowsTreePath(patterns, change.path, longPages)
  const pages = pagesOfSidecar(objects, change)
  if (pages.length === 0 || !pages.every((page) => allowsPage(patterns, page))) return false
  // A page without a sidecar has the id that is derived of its path: a new sidecar must not take that of another page.
  const isNewName = change.before === undefined && isDerivedId(metadata.pageId)
  return !isNewName || pages.every((page) => derivePageId(siteId, page) === metadata.pageId)
}

/** A page in `.long/` is known by the sidecar that is pushed with it; without one it is not allowed. */
function longPagesIn(objects: ObjectReader, changes: readonly TreeChange[]): Map<string, string> {
  const sidecars = changes.filter(({ path }) => parseMetadataPath(path)?.kind === 'sidecar')
  return new Map(sidecars.flatMap((change) => pagesOfSidecar(objects, change)).map((page) => [treePathOf(page), page]))
}

/** The paths that the sidecar names before and after. */
function pagesOfSidecar(objects: ObjectReader, { before, after }: TreeChange) {
  return [before, after].flatMap((entry) => {
    if (entry === undefined || !isFile(entry.mode) || objects.readHeader(entry.oid).size > MAX_SIDECAR_BYTES) return []
    return parseSidecar(objects.readBlob(entry.oid))?.path ?? []
  })
}
