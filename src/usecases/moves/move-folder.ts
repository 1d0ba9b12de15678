// Moves a folder with its pages and files in one commit, or shows the move in a dry run.

import type { MovedFolderData } from '../../../schemas/moves.js'
import type { SiteIndex } from '../../index/site-index.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { type PagePath, parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import { treePathOfNewFile, treePathOfServedFile } from '../../model/paths/file-path.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { Call, Changing, SiteCall } from '../context/call.js'
import { changeSite } from '../context/change-site.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'
import { describeDraft } from '../pages/dry-run.js'
import { type FoundPage, findPageIn } from '../pages/find-page.js'
import { pathOf } from '../pages/page-data.js'
import { listLinkedFrom, type Moving, rewriteLinksTo } from './linking-pages.js'

/** The most pages and files that move at once: they wait for the site's writer as one write. */
const MAX_MOVED = 2_000
const MAX_ASKED = 500

export interface MoveFolderInput extends ResourceId, DryRunInput {
  from: string
  to: string
  rewriteLinks?: boolean
  reason?: string
}

/** Throws `invalid_path`, `file_not_found` for an empty folder, `page_exists`, `path_conflict`, and `too_costly` for a large one. */
export async function moveFolder(asked: Call<Changing>, input: MoveFolderInput): Promise<Result<MovedFolderData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const [from, to] = [folderOf(input.from), folderOf(input.to)]
  if (from === '/' || (to !== from && to.startsWith(from)))
    throw new ServiceError('invalid_path', `The folder ${from} cannot move into itself: choose another one.`)
  return await changeSite(call, {
    input,
    plan: async () => {
      const moving = await findMoving(call, from, to)
      if (from === to) return { nothing: { data: toData(null, moving, to) } }
      return { operation: await toOperation(call, { from, to, moving }, input), reason: input.reason, moving }
    },
    answer: ({ commit }, { moving }) => ({ data: toData(commit, moving, to) }),
    show: async (draft, { moving }) => {
      const dryRun = { ...(await describeDraft(call, draft)), linkedFrom: await listLinkedFrom(call, moving) }
      return { data: { ...toData(null, moving, to), dryRun } }
    },
    replay: (facts) => ({ data: dataOf(facts, from, to) }),
  })
}

/** Returns the canonical path of a folder, with a slash at either end. Throws `invalid_path`. */
function folderOf(text: string): PagePath {
  const path = parsePagePath(text)
  return path.endsWith('/') ? path : parsePagePath(`${path}/`)
}

async function findMoving(call: SiteCall<Changing>, from: PagePath, to: PagePath): Promise<Moving> {
  const { site, indexFollower } = call
  const { pages: ids, files } = await indexFollower.read(site, (index) => listIn(index, from))
  if (ids.length + files.length > MAX_MOVED)
    throw new ServiceError(
      'too_costly',
      `The folder has more than ${MAX_MOVED} pages and files: move its subfolders, one after the other.`,
    )
  if (ids.length + files.length === 0)
    throw new ServiceError('file_not_found', `There are no published pages and no files in ${from}.`)
  const pages: { page: FoundPage; path: PagePath }[] = []
  for (const id of ids) {
    const page = await findPageIn(call, id)
    const path = page && pathOf(page.row)
    if (page === undefined || path === undefined || page.row.blob === null || !path.startsWith(from)) continue
    pages.push({ page, path: parsePagePath(to + path.slice(from.length)) })
  }
  const [folder, newFolder] = [treeFolderOf(from), treeFolderOf(to)]
  // A name that is stored encoded is a page's folder, and would be another folder for files.
  if (files.length > 0 && newFolder !== '') treePathOfNewFile(`${to.slice(1).replaceAll('%25', '%')}file`)
  const moved = files.map((path) => ({ from: path, to: treePathOfServedFile(newFolder + path.slice(folder.length)) }))
  return { pages, files: moved }
}

/** Lists the ids of published pages and the tree paths of files in a folder; a few more than may move. */
function listIn(index: SiteIndex, folder: PagePath): { pages: string[]; files: string[] } {
  const pages: string[] = []
  const files: string[] = []
  for (let cursor: string | null | undefined; cursor !== null && pages.length <= MAX_MOVED; ) {
    const { rows, nextCursor } = index.pages.list({ prefix: folder, limit: MAX_ASKED, cursor })
    pages.push(...rows.map(({ id }) => id))
    cursor = nextCursor
  }
  for (let cursor: string | null | undefined; cursor !== null && files.length <= MAX_MOVED; ) {
    const { rows, nextCursor } = index.files.list({ prefix: treeFolderOf(folder), limit: MAX_ASKED, cursor })
    files.push(...rows.map(({ treePath }) => treePath))
    cursor = nextCursor
  }
  return { pages, files }
}

/** Returns the folder of the tree, with a slash at its end; empty for the root. */
function treeFolderOf(folder: PagePath): string {
  return treePathOf(folder).replace(/index\.html$/, '')
}

async function toOperation(
  call: SiteCall<Changing>,
  { from, to, moving }: { from: PagePath; to: PagePath; moving: Moving },
  { rewriteLinks }: MoveFolderInput,
): Promise<Operation> {
  const links = rewriteLinks === true ? await rewriteLinksTo(call, moving) : undefined
  const sidecars = await sidecarsAt(call, moving)
  const pages = moving.pages.map(({ page, path }) => {
    const rewritten = links?.moved.get(page.row.id)
    const sidecar = { id: sidecars.ids[path] ?? undefined, asOf: sidecars.asOf }
    return { page: page.known, path, sidecar, ...(rewritten && { rewritten }) }
  })
  return { kind: 'move-folder', from, to, pages, files: moving.files, rewrites: links?.rewrites ?? [] }
}

/** Finds the sidecars that name the new paths. */
async function sidecarsAt({ indexFollower, site }: SiteCall<Changing>, { pages }: Moving) {
  const paths = pages.map(({ path }) => path)
  return await indexFollower.read(site, (index, asOf) => ({ asOf, ids: index.pages.findSidecars(paths) }))
}

function toData(commit: string | null, { pages, files }: Moving, to: PagePath): MovedFolderData {
  return {
    commit,
    changed: commit !== null,
    path: to,
    pages: pages.map(({ page, path }) => ({ id: page.row.id, path })),
    files: files.map((file) => `/${file.to}`),
  }
}

/** Reads from the commit what it moved. */
function dataOf({ oid, sidecars, files }: CommitFacts, from: PagePath, to: PagePath): MovedFolderData {
  const folder = treeFolderOf(to)
  const pages = sidecars.flatMap(({ pageId, sidecar }) =>
    sidecar?.path.startsWith(to) === true ? [{ id: pageId, path: sidecar.path }] : [],
  )
  const isMoved = ({ treePath, after }: CommitFacts['files'][number]) =>
    after !== null && treePath.startsWith(folder) && !treePath.startsWith(treeFolderOf(from))
  return {
    commit: oid,
    changed: true,
    path: to,
    pages,
    files: files.filter(isMoved).map(({ treePath }) => `/${treePath}`),
  }
}
