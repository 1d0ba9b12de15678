// A site's commits: list and read.

import type { CommitData } from '../../../schemas/commits.js'
import type { CommitOrigin, CommitQuery } from '../../index/commit-queries.js'
import type { SiteIndex } from '../../index/site-index.js'
import type { RecordedPush } from '../../catalog/pushes/pushes.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { MAKER_TRAILERS, makerNameOf } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { contentUrlOf } from '../../model/hosts/site-url.js'
import { isOid } from '../../model/ids.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { LoggedCommit } from '../../repository/reading/commit-reader.js'
import type { AtSite, Call, Changing, Finding, SiteCall } from '../context/call.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { toFileChanges } from '../context/file-changes.js'
import { makeCursor, readCursor } from '../context/slice.js'
import { findSite } from '../context/target.js'
import { warningsOf } from '../pages/links.js'
import { findPageAt } from '../pages/find-page.js'
import { makerKind, signedMaker } from '../../model/commits/commit-maker.js'
import { tagsOf } from './tags.js'

const LIST = 'commits'
const PAGE_TRAILER = 'Page-Id'

/** Lists the first-parent history, newest first. */
export async function listCommits(
  asked: Call<Finding>,
  input: ResourceId & SliceInput & { author?: string; agent?: string; since?: string; upTo?: number; path?: string },
): Promise<Result<CommitData[]>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  const { limit = DEFAULT_LIMIT, cursor, author, agent, since, upTo, path } = input
  const before = cursor === undefined ? undefined : await requireCommit(call, readCursor(LIST, cursor))
  const page = path === undefined ? undefined : await findPageAt(call, parsePagePath(path))
  if (path !== undefined && page === undefined) return { data: [], nextCursor: null }
  const query: CommitQuery = {
    ...(author !== undefined && workOf(call, author)),
    ...(agent !== undefined && madeBy(agent)),
    pageId: page?.row.id,
    since: since === undefined ? undefined : toSeconds(new Date(since)),
    before,
    upTo,
    limit: limit + 1,
  }
  const found = await call.indexFollower.read(site, (index) => index.commits.list(query))
  const data = await readCommits(call, found.slice(0, limit))
  const last = data.at(-1)
  return { data, nextCursor: found.length > limit && last !== undefined ? makeCursor(LIST, last.id) : null }
}

/** Returns one commit with the files that differ from its first parent, and the versions of pages that it made. */
export async function getCommit(
  asked: Call<Changing>,
  input: ResourceId & { oid: string; warnings?: boolean },
): Promise<Result<CommitData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  const data = await readCommit(call, await requireCommit(call, input.oid))
  const changes = await call.store.commits.changes(site, data.id)
  const files = toFileChanges(changes)
  const paths = files.map(({ path }) => path)
  const made = await call.indexFollower.read(site, ({ versions }) => versions.madeBy(data.id, paths))
  const withPages = files.map((file) => {
    const version = made.get(file.path)
    const page = version === undefined ? null : { id: version.pageId, version: version.number }
    return { ...file, page, url: contentUrlOf(call, site.slug, file.path) ?? null }
  })
  const warnings = input.warnings === true && { warnings: await warningsOf(call, data, changes) }
  return { data: { ...data, files: withPages, fileCount: changes.length, ...warnings } }
}

/** Reads commits in the given order. */
export async function readCommits(call: SiteCall<Finding>, oids: readonly string[]): Promise<CommitData[]> {
  const { site, catalog, indexFollower, store } = call
  const me = ownWork(call)
  const pushes = [...catalog.pushes.list(site.id), ...me.pushed]
  const ends = pushes.flatMap(({ before, after }) => [before, after])
  const read = new Map(oids.map((oid) => [oid, store.commits.read(site, oid)]))
  const [origins, pages] = await indexFollower.read(site, (index) => {
    const found = index.commits.origins([...oids, ...ends])
    return [found, pagesOf(index, [...read.values()])] as const
  })
  const tags = tagsOf(call, oids)
  return oids.map((oid) => {
    const origin = origins.get(oid)
    const logged = read.get(oid)
    if (origin === undefined || logged === undefined) throw commitNotFound()
    const push = pushOf(origin, pushes, origins)
    const maker = origin.maker ?? push?.maker
    return {
      ...toCommitData(logged),
      number: origin.position,
      ...(origin.maker === null ? makerKind(push?.maker) : signedMaker(origin.maker, logged.trailers)),
      ...(origin.maker !== null && pages.get(oid)),
      verified: origin.verified,
      mine: maker === me.maker,
      tags: tags.get(oid) ?? [],
      push: push === undefined ? null : { author: push.author, message: push.message, createdAt: push.pushedAt },
    }
  })
}

/** Returns the part of a query for commits of one agent, or of `all`. */
function madeBy(agent: string): Pick<CommitQuery, 'maker' | 'makersOf'> {
  const ofAgents = `${MAKER_TRAILERS.agent}: `
  return agent === 'all' ? { makersOf: ofAgents } : { maker: ofAgents + agent.toLowerCase() }
}

/** Finds the pages for which alone commits claim to be, by commit. */
function pagesOf(index: SiteIndex, commits: readonly LoggedCommit[]): Map<string, Pick<CommitData, 'page'>> {
  const found = new Map<string, Pick<CommitData, 'page'>>()
  for (const { oid, trailers } of commits) {
    const page = trailers[PAGE_TRAILER] === undefined ? undefined : index.pages.find(trailers[PAGE_TRAILER])
    if (page !== undefined) found.set(oid, { page: { id: page.id, path: page.path, title: page.title } })
  }
  return found
}

/** Finds the newest push that brought the commit. A commit made by the service belongs to its maker, not to a pusher. */
function pushOf(
  { position, verified }: CommitOrigin,
  pushes: readonly RecordedPush[],
  origins: ReadonlyMap<string, CommitOrigin>,
): RecordedPush | undefined {
  if (verified === 'service') return undefined
  return pushes.find(({ before, after }) => {
    const [start, end] = [origins.get(before)?.position, origins.get(after)?.position]
    return start !== undefined && end !== undefined && start < position && position <= end
  })
}

/** Returns the parts of a query for commits of the caller (`me`), or of an author. The name is that in git, or that of the key that pushed. */
function workOf(call: SiteCall<'catalog'>, author: string): Partial<CommitQuery> {
  if (author === 'me') return ownWork(call)
  return { author, pushed: call.catalog.pushes.list(call.site.id).filter((push) => push.author === author) }
}

/** Returns the parts of a query for commits that the caller made, or pushed over HTTP. */
export function ownWork({ catalog, principal, site }: SiteCall<'catalog'>): {
  maker: string
  pushed: readonly RecordedPush[]
} {
  const maker = makerNameOf(principal)
  return { maker, pushed: catalog.pushes.list(site.id, maker) }
}

export async function readCommit(call: SiteCall<Finding>, oid: string): Promise<CommitData> {
  const [data] = await readCommits(call, [oid])
  if (data === undefined) throw commitNotFound()
  return data
}

/** The fewest digits that name a commit. */
const LEAST_DIGITS = 7

/**
 * Returns the full oid of the only commit of main's first-parent history that begins so. A commit that main lost is never shown. Throws
 * `version_not_found`.
 */
export async function requireCommit({ indexFollower, site }: AtSite<'indexFollower'>, given: string): Promise<string> {
  const begin = given.toLowerCase()
  const isName = isOid(begin.padEnd(40, '0')) && begin.length >= LEAST_DIGITS
  const [oid, other] = isName ? await indexFollower.read(site, (index) => index.commits.findByPrefix(begin)) : []
  if (oid === undefined || other !== undefined) throw commitNotFound()
  return oid
}

export function commitNotFound(): ServiceError {
  return new ServiceError(
    'version_not_found',
    'There is no such commit in this site, or more than one: give the full id of one of its commits.',
  )
}

function toCommitData({
  oid,
  commit,
  subject,
  message,
}: LoggedCommit): Omit<CommitData, 'number' | 'verified' | 'mine' | 'push' | 'tags'> {
  return {
    id: oid,
    parent: commit.parents[0] ?? null,
    author: commit.author.name,
    subject,
    message,
    createdAt: toTimestamp(commit.committer.time),
  }
}
