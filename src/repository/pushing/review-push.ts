// Lists the changes of a push on main's first-parent history, for the person who pushes and for a key with path limits. Runs in a task
// process, since the size of these changes has no bound.

import { isUtf8 } from 'node:buffer'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { derivePageId, isDerivedId } from '../../model/ids.js'
import { isContentPath } from '../../model/paths/file-path.js'
import { pagePathOf, treePathOf } from '../../model/paths/page-path.js'
import { allowsAddress, allowsPage, allowsTreePath } from '../../model/paths/path-scope.js'
import { HEADERS_FILE, type HeaderRule, parseHeaders } from '../../model/rules/headers-file.js'
import { MAX_RULES_FILE_BYTES } from '../../model/rules/rules-file.js'
import { isFile, isLink } from '../format/file-mode.js'
import { parseFormer } from '../format/former-address.js'
import { LinkedFolders, whyNoAlias } from '../format/linked-folders.js'
import { MAIN } from '../format/main-ref.js'
import { isSidecar, MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar } from '../format/site-format.js'
import { haveOtherCharset } from '../resolution/header-fields.js'
import { judgePush, type PushToJudge } from './judge/judge.js'
import { PushRefused } from './judge/push-messages.js'
import { PushedObjects } from './judge/pushed-objects.js'

export interface PushToReview extends PushToJudge {
  siteId: string
  /** The path patterns that its key may write to; without them, all paths. */
  paths?: readonly string[]
}

export interface PushedChange {
  /** The tree path of a page or a file. */
  treePath: string
  kind: 'published' | 'replaced' | 'removed'
}

export interface PushReview {
  commits: number
  /** The way to undo the push: revert each commit, or restore the old tree if one cannot be reverted; nothing if it changed nothing. */
  undo: 'revert' | 'restore' | 'nothing'
  /** The first changes, by path. */
  changes: PushedChange[]
  changeCount: number
  /** The first faults of its pages, a sentence each. PUT would refuse the pages. */
  wrongPages: string[]
  /** Paths that the key may not write to, in any of the commits; the first 1,000. */
  refused: string[]
}

const MAX_CHANGES = 20
/** The limit of pages that are read for faults. */
const MAX_PAGES_READ = 500
/** Longer pages are not read for faults. */
const MAX_PAGE_BYTES = 1024 * 1024
const MAX_REFUSED = 1_000

/** Judges a push, and reviews it if it may enter. Rejects with errors of git and the disk. */
export async function judgeAndReview(
  push: PushToReview,
): Promise<{ refusal: readonly string[] } | { warnings: string[]; review: PushReview | undefined }> {
  try {
    return { warnings: await judgePush(push), review: reviewPush(push) }
  } catch (error) {
    if (error instanceof PushRefused) return { refusal: error.lines }
    throw error
  }
}

/** Reviews a push that may enter; undefined if it leaves main alone. */
export function reviewPush(push: PushToReview): PushReview | undefined {
  const main = push.changes.find(({ ref }) => ref === MAIN)
  if (main?.before == null || main.after === null) return undefined
  const repository = new ObjectDatabase(push.gitdir)
  const objects = push.quarantine === undefined ? repository : new PushedObjects(repository, push.quarantine)
  try {
    return review(objects, push, { before: main.before, after: main.after })
  } finally {
    if (objects instanceof PushedObjects) objects.clear()
    repository.close()
  }
}

function review(
  objects: ObjectReader,
  { siteId, paths }: PushToReview,
  { before, after }: { before: Oid; after: Oid },
): PushReview {
  const commits = commitsBetween(objects, before, after)
  const refused = paths === undefined ? [] : pathsRefused(objects, commits, { siteId, patterns: paths })
  const undo = howToUndo(objects, commits, { before, after })
  return { commits: commits.length, undo, refused, ...changesBetween(objects, before, after) }
}

/** git reverts no merge without being told its parent, and no empty commit. */
function howToUndo(objects: ObjectReader, commits: readonly Oid[], { before, after }: { before: Oid; after: Oid }) {
  const treeOf = (oid: Oid) => objects.readCommit(oid).tree
  if (treeOf(before) === treeOf(after)) return 'nothing'
  const canRevert = commits.every((oid) => {
    const { tree, parents } = objects.readCommit(oid)
    return parents.length === 1 && treeOf(parents[0] ?? '') !== tree
  })
  return canRevert ? 'revert' : 'restore'
}

/** Lists the commits, newest first. */
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

type ChangesOfPush = Pick<PushReview, 'changes' | 'changeCount' | 'wrongPages'>

function changesBetween(objects: ObjectReader, before: Oid, after: Oid): ChangesOfPush {
  const changes: PushedChange[] = []
  const wrongPages: string[] = []
  let pagesRead = 0
  let changeCount = 0
  const [was, is] = [before, after].map((oid) => objects.readCommit(oid).tree)
  const places = [was, is].map((tree) => new LinkedFolders(objects, tree ?? ''))
  const rules = headerRulesIn(objects, places[1])
  for (const change of diffTrees(objects, was, is)) {
    const [old, now] = [change.before, change.after].map((entry, at) => servedAs(change.path, entry, places[at]))
    const treePath = now ?? old
    if (treePath === undefined || !isContentPath(treePath)) continue
    const kind = now === undefined ? 'removed' : old === undefined ? 'published' : 'replaced'
    changeCount++
    if (isFile(change.after?.mode) && pagePathOf(treePath) !== undefined && ++pagesRead <= MAX_PAGES_READ)
      wrongPages.push(...whatIsWrong(objects, change, rules))
    if (changes.length < MAX_CHANGES) changes.push({ treePath, kind })
  }
  return { changes: changes.toSorted((a, b) => (a.treePath < b.treePath ? -1 : 1)), changeCount, wrongPages }
}

function whatIsWrong(objects: ObjectReader, { path, after }: TreeChange, rules: readonly HeaderRule[]): string[] {
  const html = after && objects.readBlobWithin(after.oid, MAX_PAGE_BYTES)
  if (html === undefined) return []
  if (html.length === 0) return [`${path} is an empty page`]
  if (isUtf8(html) || haveOtherCharset(rules, path)) return []
  return [`${path} is not UTF-8: save it as UTF-8, or name its charset in _headers`]
}

function headerRulesIn(objects: ObjectReader, tree: LinkedFolders | undefined): readonly HeaderRule[] {
  const file = tree?.entry(HEADERS_FILE)
  const bytes = isFile(file?.mode) ? objects.readBlobWithin(file?.oid ?? '', MAX_RULES_FILE_BYTES) : undefined
  return bytes === undefined ? [] : parseHeaders(bytes).rules
}

/** Returns the tree path of what visitors get of an entry: of a link to a folder, its start page. Undefined for what is not served. */
function servedAs(path: string, entry: TreeChange['after'], places: LinkedFolders | undefined): string | undefined {
  if (entry === undefined || isFile(entry.mode)) return entry && path
  const found = isLink(entry.mode) ? places?.entry(path) : undefined
  if (found === undefined || whyNoAlias(path, found) !== undefined) return undefined
  return found.mode === MODE_TREE ? `${path}/index.html` : path
}

/** The path patterns of a limited key, and its site. */
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
  if (metadata?.kind === 'former') return isAllowedFormer(objects, change, patterns)
  if (metadata?.kind !== 'sidecar') return allowsTreePath(patterns, change.path, longPages)
  const pages = pagesOfSidecar(objects, change)
  if (pages.length === 0 || !pages.every((page) => allowsPage(patterns, page))) return false
  // A page without a sidecar has the id derived from its path: a new sidecar must not take the id of another page.
  const isNewName = change.before === undefined && isDerivedId(metadata.pageId)
  return !isNewName || pages.every((page) => derivePageId(siteId, page) === metadata.pageId)
}

/** Whether the key may write at the address itself, before and after. A file that is not valid is nobody's. */
function isAllowedFormer(
  objects: ObjectReader,
  { path, before, after }: TreeChange,
  patterns: readonly string[],
): boolean {
  return [before, after].every((entry) => {
    if (entry === undefined) return true
    const bytes = isFile(entry.mode) ? objects.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
    const former = bytes && parseFormer(path, bytes)
    return former !== undefined && allowsAddress(patterns, former.from)
  })
}

/** Finds pages in `.long/` by the sidecars that are pushed with them; a page without one is not allowed. */
function longPagesIn(objects: ObjectReader, changes: readonly TreeChange[]): Map<string, string> {
  const sidecars = changes.filter(({ path }) => isSidecar(path))
  return new Map(sidecars.flatMap((change) => pagesOfSidecar(objects, change)).map((page) => [treePathOf(page), page]))
}

/** Returns the paths that the sidecar names before and after the change. */
function pagesOfSidecar(objects: ObjectReader, { before, after }: TreeChange) {
  return [before, after].flatMap((entry) => {
    if (entry === undefined || !isFile(entry.mode) || objects.readHeader(entry.oid).size > MAX_SIDECAR_BYTES) return []
    return parseSidecar(objects.readBlob(entry.oid))?.path ?? []
  })
}
