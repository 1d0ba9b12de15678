// Changes of pages from the list: each is one commit where it can be, and one Undo takes it back.

import { dataOf, type Page, type Site, siteApi } from '../../../api/client.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'

/** The service takes so many changes in one commit. */
const MAX_AT_ONCE = 500

/** The answer at the address of an unpublished page. */
export interface Leaves {
  gone?: boolean
  redirectTo?: string
}

/** Returns the commits. Throws a refusal if one of the pages was changed since. */
export async function unpublishPages(site: Site, pages: readonly Page[], leaves: Leaves): Promise<string[]> {
  return await inParts(pages, async (some) => {
    const operations = some.map(({ id, etag }) => ({ op: 'unpublishPage' as const, id, ...leaves, ifMatch: etag }))
    return dataOf(await siteApi(site).POST('/batch', { body: { operations } })).commit
  })
}

export interface Move {
  page: Page
  /** The new path. */
  to: string
}

/** Moves the pages in one commit, or each in its own with the links to it. Returns the commits. */
export async function movePages(site: Site, moves: readonly Move[], rewriteLinks: boolean): Promise<string[]> {
  if (rewriteLinks) return await movePagesWithLinks(site, moves)
  return await inParts(moves, async (some) => {
    const operations = some.map(({ page: { id, etag }, to: path }) => ({
      op: 'movePage' as const,
      id,
      path,
      ifMatch: etag,
    }))
    return dataOf(await siteApi(site).POST('/batch', { body: { operations } })).commit
  })
}

async function movePagesWithLinks(site: Site, moves: readonly Move[]): Promise<string[]> {
  const commits: string[] = []
  for (const { page, to: path } of moves) {
    const params = { path: { id: page.id } }
    // A move may change the text of the next page: its links.
    // oxlint-disable-next-line no-await-in-loop
    const moved = dataOf(await siteApi(site).PATCH('/pages/{id}', { params, body: { path, rewriteLinks: true } }))
    if (moved.changed !== false) commits.push(moved.version.id)
  }
  return commits
}

export interface Shown {
  /** The paths of pages that link to what moves, and do not move themselves. */
  linking: readonly string[]
}

/** Tells by dry runs which pages link to those that move. Throws a refusal if the move is impossible. */
export async function tryMoves(site: Site, moves: readonly Move[]): Promise<Shown> {
  const moving = new Set(moves.map(({ page }) => page.path))
  const linking = new Set<string>()
  for (const { page, to: path } of moves) {
    const params = { path: { id: page.id }, query: { dryRun: true } }
    // One by one: a dry run is as much work for the service as a write.
    // oxlint-disable-next-line no-await-in-loop
    const { dryRun } = dataOf(await siteApi(site).PATCH('/pages/{id}', { params, body: { path } }))
    for (const each of dryRun?.linkedFrom ?? []) if (!moving.has(each.path)) linking.add(each.path)
  }
  return { linking: [...linking].toSorted() }
}

export interface FolderMove {
  from: string
  to: string
}

export async function tryFolderMove(site: Site, move: FolderMove): Promise<Shown> {
  const params = { path: { id: site.id }, query: { dryRun: true } }
  const { dryRun } = dataOf(await siteApi(site).POST('/sites/{id}/moves', { params, body: move }))
  const linking = (dryRun?.linkedFrom ?? []).map(({ path }) => path).filter((path) => !path.startsWith(move.from))
  return { linking }
}

export async function moveFolder(site: Site, move: FolderMove, rewriteLinks: boolean): Promise<string[]> {
  const params = { path: { id: site.id } }
  const { commit } = dataOf(await siteApi(site).POST('/sites/{id}/moves', { params, body: { ...move, rewriteLinks } }))
  return commit === null ? [] : [commit]
}

/** Shows a notice with an Undo of the commits. */
export function notifyDone(site: Site, text: string, commits: string[], onChanged: () => void): void {
  const undo = async () => {
    const params = { path: { id: site.id } }
    dataOf(await siteApi(site).POST('/sites/{id}/undo', { params, body: { commits } }))
    notify('It is as it was before.')
    onChanged()
  }
  notify(text, { label: 'Undo', run: () => void undo().catch(notifyFailure) })
}

async function inParts<T>(items: readonly T[], change: (some: readonly T[]) => Promise<string | null>) {
  const commits: string[] = []
  for (let at = 0; at < items.length; at += MAX_AT_ONCE) {
    // Each is one commit, after the one before it.
    // oxlint-disable-next-line no-await-in-loop
    const commit = await change(items.slice(at, at + MAX_AT_ONCE))
    if (commit !== null) commits.push(commit)
  }
  return commits
}
