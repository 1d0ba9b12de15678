// Builds the trees of a deploy on top of a commit, outside of the writer. Checks every path against the tree that the deploy leaves,
// and gathers the new objects into packs that the writer installs unchanged. Runs in a process of its own.

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { writeFilesDurable } from '../../git/disk/durable.js'
import { ObjectMissing } from '../../git/objects/errors.js'
import { MODE_BLOB, MODE_TREE, parseTree } from '../../git/objects/tree.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { encodePack } from '../../git/storage/pack-writer.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { gatherPacks } from '../../git/streams/gather-packs.js'
import type { PackFiles } from '../../git/streams/pack-stream.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { ServiceError } from '../../model/errors.js'
import { freeDerivedId } from '../../model/ids.js'
import { isFilePath } from '../../model/paths/file-path.js'
import { allowsPage, allowsTreePath } from '../../model/paths/path-scope.js'
import { LONG_DIR, type PagePath, pagePathOf, treePathOf } from '../../model/paths/page-path.js'
import { encodeSidecar, sidecarPathOf } from '../format/site-format.js'
import { fileAt } from '../operations/page-place.js'
import { endTakenAddresses } from '../staging/former-addresses.js'
import { SiteState } from '../staging/site-state.js'
import { toServiceError } from '../protocol/failure.js'
import type { PreparedDeploy } from '../protocol/prepared.js'

export interface DeployToPrepare {
  siteId: string
  gitdir: string
  /** The repository that a change request borrows from. */
  lender?: string | undefined
  /** The commit to build on. */
  commit: string
  /** Tree paths, each with the oid and the size of its blob. Files that the commit already has may be left out. */
  files: readonly (readonly [path: string, oid: string, size: number])[]
  /** All tree paths of the deploy: other files are removed. Without it, no file is removed. */
  keeps?: readonly string[]
  /** Further paths that stay, and everything below them. */
  keepsBelow?: readonly string[]
  /** The folder to which the removals are limited; empty for all. */
  removesBelow?: string
  /** Takes pages that are not UTF-8. */
  anyEncoding?: true
  /** Path patterns that limit the removals; without them, the deploy removes everywhere. */
  paths?: readonly string[]
  /** The ids of the sidecars that name the pages which the deploy changes or removes, by page path; null for none. */
  sidecars: Readonly<Record<string, string | null>>
  /** The ids of the unpublished pages at the paths of the deploy, by page path. */
  unpublished: Readonly<Record<string, string>>
  /** The packs of uploaded blobs. */
  packs: readonly PackFiles[]
  /** The folder and the name of the packs to make. Without it, only the paths are checked. */
  output: { folder: string; name: string } | undefined
}

export interface BuiltDeploy extends Omit<PreparedDeploy, 'subject' | 'replaces'> {
  packs: PackFiles[]
}

/** One problem of a deploy. */
export interface DeployProblem {
  path: string
  message: string
}

const MAX_PROBLEMS = 1_000

/**
 * Throws `path_conflict` with every path that is not free, `blobs_missing`, `invalid_deploy` for a wrong size or a page that is not
 * UTF-8, `storage_full` and `storage_failed`.
 */
export async function prepareDeploy(input: DeployToPrepare): Promise<BuiltDeploy> {
  const repository = new ObjectDatabase(input.gitdir, { lender: input.lender })
  try {
    const state = new SiteState(input.siteId, repository, input.commit)
    const base = state.tree.root
    stage(state, input)
    endTakenAddresses(state.tree, state.tree.editedPaths)
    const { output } = input
    const touched = state.tree.editedPaths
    if (output === undefined) return { base, tree: base, touched, packs: [] }
    state.odb.add(input.packs.map(({ path }) => path))
    checkBlobs(state.odb, input.files)
    if (input.anyEncoding !== true) checkPages(state.odb, input.files)
    if (touched.length === 0) return { base, tree: base, touched, packs: [] }
    const made = state.tree.flush()
    const { id, pack, index } = encodePack(made)
    const trees = join(output.folder, `${output.name}-trees`)
    writeFilesDurable([
      [`${trees}.pack`, pack],
      [`${trees}.idx`, index],
    ])
    const toInstall = [
      ...(await gatherPacks(input.packs, join(output.folder, `${output.name}-blobs`))),
      { id, path: trees, bytes: pack.length },
    ]
    return { base, tree: state.tree.root, touched, packs: toInstall }
  } catch (error) {
    throw toServiceError(error)
  } finally {
    repository.close()
  }
}

/**
 * Stages removals, then the files whose paths are free: not taken by a file that stays, nor by each other. Throws `path_conflict`
 * with every path that is not free.
 */
function stage(state: SiteState, input: DeployToPrepare): void {
  const { files, sidecars, unpublished } = input
  const before = new Map(files.map(([path]) => [path, fileAt(state, path)]))
  removeOthers(state, input)
  const conflicts: DeployProblem[] = []
  for (const [path, oid] of files) {
    const entry = before.get(path)
    if (entry?.oid === oid) continue
    const reason = entry === undefined ? whyNotFree(state, path) : undefined
    if (reason === undefined) {
      state.tree.putExisting(path, entry?.mode ?? MODE_BLOB, oid)
      const page = pagePathOf(path)
      if (page !== undefined && (sidecars[page] ?? null) === null)
        giveSidecar(state, page, entry === undefined ? (unpublished[page] ?? randomUUID()) : undefined)
    } else if (conflicts.push({ path, message: reason }) === MAX_PROBLEMS) break
  }
  const [first] = conflicts
  if (first === undefined) return
  const more = conflicts.length > 1 ? ` (and ${conflicts.length - 1} more, see details)` : ''
  throw new ServiceError('path_conflict', `Nothing was published. ${first.message}${more}`, { conflicts })
}

/** Removes the pages and files that a replacing deploy lacks. */
function removeOthers(state: SiteState, input: DeployToPrepare): void {
  const { keeps, keepsBelow = [], removesBelow = '', sidecars, paths } = input
  if (keeps === undefined) return
  const kept = new Set(keeps)
  const folders = new Set(keepsBelow)
  const isOutside = (path: string) => removesBelow !== '' && !path.startsWith(`${removesBelow}/`)
  const stays = (path: string) => isOutside(path) || kept.has(path) || isBelow(folders, path)
  for (const path of contentOf(state, '')) {
    const isOurs = paths === undefined || allowsTreePath(paths, path)
    if (isOurs && !stays(path)) removeContent(state, path, sidecars)
  }
  for (const path of longPagesOf(sidecars)) {
    const isOurs = paths === undefined || allowsPage(paths, path)
    if (isOurs && !stays(literalPathOf(path))) state.tree.remove(treePathOf(path))
  }
}

/** Whether the path or a folder of it is in the set. */
function isBelow(folders: ReadonlySet<string>, path: string): boolean {
  if (folders.size === 0) return false
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (folders.has(path.slice(0, end))) return true
  return false
}

/** Returns the name that a folder has for a page with a long path. */
function literalPathOf(page: PagePath): string {
  const path = page.slice(1).replaceAll('%25', '%')
  return path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`
}

/** Only what a tree cannot hold is refused. Names that differ by case, and a page and a file of one URL, are both live. */
function whyNotFree(state: SiteState, path: string): string | undefined {
  for (const { path: onTheWay, entry, isLast } of state.tree.along(path))
    if (entry !== undefined && isLast !== (entry.mode !== MODE_TREE))
      return `The path /${path} is not free: ${onTheWay} stands in its way. Choose another path.`
  return undefined
}

/** Lists the pages and files of the tree, without the service's own files. */
function* contentOf(state: SiteState, folder: string): Generator<string> {
  const entry = folder === '' ? { mode: MODE_TREE, oid: state.tree.root } : state.tree.entry(folder)
  if (entry?.mode !== MODE_TREE) return
  for (const { name, mode } of parseTree(state.tree.readTree(entry.oid)).entries) {
    const path = folder === '' ? name : `${folder}/${name}`
    if (mode === MODE_TREE) {
      if (folder !== '' || !name.startsWith('.') || name === '.well-known') yield* contentOf(state, path)
    } else if (fileAt(state, path) !== undefined && (pagePathOf(path) !== undefined || isFilePath(path))) yield path
  }
}

/** Lists pages whose paths are too long for a file name: only sidecars hold these paths, and no manifest can name them. */
function longPagesOf(sidecars: DeployToPrepare['sidecars']): PagePath[] {
  return (Object.keys(sidecars) as PagePath[]).filter((path) => treePathOf(path).startsWith(`${LONG_DIR}/`))
}

/** Removes a page or file. A page keeps its sidecar, as an unpublished page does, or gets one now. */
function removeContent(state: SiteState, path: string, sidecars: DeployToPrepare['sidecars']): void {
  const page = pagePathOf(path)
  if (page !== undefined && (sidecars[page] ?? null) === null) giveSidecar(state, page)
  state.tree.remove(path)
}

/** Gives a page without a sidecar one. The page has its derived id if a push brought it, or the id that is given for a page that comes. */
function giveSidecar(state: SiteState, path: PagePath, given?: string): void {
  const isTaken = (id: string) => state.sidecar(id) !== undefined
  const known = given ?? freeDerivedId(state.siteId, path, isTaken)
  const id = known !== undefined && !isTaken(known) ? known : randomUUID()
  state.tree.put(sidecarPathOf(id), encodeSidecar({ path, title: null, templateId: null }))
}

function checkBlobs(objects: ObjectReader, files: DeployToPrepare['files']): void {
  for (const [path, oid, size] of files) {
    try {
      const header = objects.readHeader(oid)
      if (header.type === 'blob' && header.size === size) continue
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
      throw new ServiceError('blobs_missing', `The bytes of ${path} are missing. Upload them, and publish again.`, {
        missing: [oid],
      })
    }
    throw new ServiceError('invalid_deploy', `${path} does not have the size that the manifest says.`, {
      problems: [{ path, message: 'has another size' }],
    })
  }
}

/** Throws `invalid_deploy` with every page that is not UTF-8. Large ones are not read. */
function checkPages(objects: ObjectReader, files: DeployToPrepare['files']): void {
  const isWrong = (oid: string) => !isUtf8(objects.readBlobWithin(oid, MAX_BLOB_BYTES) ?? new Uint8Array())
  const wrong = files.filter(([path, oid]) => pagePathOf(path) !== undefined && isWrong(oid))
  const [first] = wrong
  if (first === undefined) return
  const problems = wrong
    .slice(0, MAX_PROBLEMS)
    .map(([path]) => ({ path, message: 'It is not UTF-8: save it as UTF-8.' }))
  const more = wrong.length > 1 ? ` And ${wrong.length - 1} more, see details.` : ''
  throw new ServiceError(
    'invalid_deploy',
    `Nothing was published. ${first[0]} is not UTF-8: save it as UTF-8.${more}`,
    {
      problems,
    },
  )
}
