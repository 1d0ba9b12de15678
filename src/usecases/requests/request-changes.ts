// Lists and compares what a change request changes, and lists where main was changed in the same places.

import type { BranchConflictData, ChangeDiffData, RequestChangeData } from '../../../schemas/change-request-acts.js'
import { ServiceError } from '../../model/errors.js'
import { pagePathOf, parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import type { SiteIndex } from '../../index/site-index.js'
import type { Site } from '../../catalog/site.js'
import { parseMetadataPath } from '../../repository/format/site-format.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import type { Call, Finding } from '../context/call.js'
import { findRequest } from '../context/change-request.js'
import { placeInList, toFileChange } from '../context/file-changes.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { makeCursor, readCursor } from '../context/slice.js'
import { MAX_SHORT_BYTES } from '../pages/read-form.js'
import { conflictsOf, mergeIntoRequest, readHeads } from './merge-branches.js'

const LIST = 'changes'
type Parts = Finding | 'longTasks' | 'tasks'

/** Lists the files in which the request differs from the commit of main that it has all of. The order is that of all lists of files. */
export async function listChanges(
  asked: Call<Parts>,
  input: ResourceId & SliceInput & { html?: boolean },
): Promise<Result<RequestChangeData[]>> {
  const { site } = findRequest(asked, input.id)
  const { limit = DEFAULT_LIMIT, cursor } = input
  const after = cursor === undefined ? '' : readCursor(LIST, cursor)
  const { base, request } = await readHeads(asked, site)
  const changes = asked.store.commits.changesSince(site, base, request)
  const rest = changes
    .map((change) => ({ ...change, place: placeInList(change.path) }))
    .filter(({ place }) => place > after)
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
  const shown = rest.slice(0, limit)
  const pagesIn = (index: SiteIndex) => shown.map(({ path }) => pageAt(index, path))
  const now = await asked.indexFollower.read(site, pagesIn)
  const before = await asked.indexFollower.read(mainOf(site), pagesIn)
  const last = shown.at(-1)
  const data: RequestChangeData[] = shown.map((change, at) => ({
    ...toFileChange(change),
    page: now[at] ?? before[at] ?? null,
  }))
  const first = data.find(({ page }) => page !== null)
  if (input.html === true && first?.page != null) Object.assign(first, await htmlOf(asked, site, first.page.id))
  return {
    data,
    nextCursor: rest.length > limit && last !== undefined ? makeCursor(LIST, last.place) : null,
  }
}

/** Finds the page of a file, or of its sidecar. */
function pageAt({ pages }: SiteIndex, treePath: string): RequestChangeData['page'] {
  const metadata = parseMetadataPath(treePath)
  const path = pagePathOf(treePath)
  const row =
    metadata?.kind === 'sidecar' ? pages.find(metadata.pageId) : path === undefined ? undefined : pages.findByPath(path)
  return row === undefined ? null : { id: row.id, path: row.path, title: row.title }
}

/** Reads a page as it is live and as the request makes it; nothing of a long one. */
async function htmlOf(asked: Call<Parts>, site: Site, id: string): Promise<Pick<RequestChangeData, 'html'>> {
  const read = async (place: Site): Promise<string | null | undefined> => {
    const row = await asked.indexFollower.read(place, ({ pages }) => pages.find(id))
    const snapshot = asked.store.reader.snapshot(place)
    if (row == null || row.blob === null) return null
    return snapshot.size(row.blob) > MAX_SHORT_BYTES ? undefined : snapshot.blob(row.blob).toString()
  }
  const [before, after] = [await read(mainOf(site)), await read(site)]
  return before === undefined || after === undefined ? {} : { html: { before, after } }
}

/** Lists the paths that cannot be merged with main as it is now. */
export async function listConflicting(asked: Call<Parts>, input: ResourceId): Promise<Result<BranchConflictData[]>> {
  const { site } = findRequest(asked, input.id)
  const heads = await readHeads(asked, site)
  if (heads.base === heads.main) return { data: [], nextCursor: null }
  return { data: conflictsOf(await mergeIntoRequest(asked, site, heads, {})), nextCursor: null }
}

/** Compares one file with main. `path` is a page's, with a slash in front, or that of a file in the repository. */
export async function diffChange(
  asked: Call<Parts>,
  { id, path, as = 'html' }: ResourceId & { path: string; as?: 'html' | 'text' | 'markdown' },
): Promise<Result<ChangeDiffData>> {
  const { site } = findRequest(asked, id)
  const heads = await readHeads(asked, site)
  const treePath = path.startsWith('/') ? treePathOf(parsePagePath(path)) : path
  const now = asked.store.reader.snapshot(site)
  const [before, after] = [now.commitAt(heads.base), now.commitAt(heads.request)].map((snapshot) => ({
    name: treePath,
    oid: snapshot?.entry(treePath)?.oid ?? null,
  })) as [NamedBlob, NamedBlob]
  if (before.oid === null && after.oid === null)
    throw new ServiceError('file_not_found', 'Neither main nor this change request has a file at this path.')
  const source = asked.store.sourceOf(site)
  const form = pagePathOf(treePath) === undefined ? 'html' : as
  const diff = await asked.tasks.run('diffFiles', { source, before, after, as: form }, site)
  return { data: { path: treePath, unified: diff?.unified ?? null, hunks: diff?.hunks ?? null } }
}

interface NamedBlob {
  name: string
  oid: string | null
}
