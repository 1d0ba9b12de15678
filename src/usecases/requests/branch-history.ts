// Reads the branch of a change request back to main.

import type { Site } from '../../catalog/site.js'
import { CLIENT_TRAILER, makerIn, MAKER_TRAILERS, trailerOfMaker, USER_TRAILER } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import type { LoggedCommit } from '../../repository/reading/commit-reader.js'
import type { Reading, SiteCall } from '../context/call.js'
import type { FoundRequest } from '../context/change-request.js'
import type { CommitAuthor } from '../context/write-site.js'

interface BranchCommit extends LoggedCommit {
  isOnMain: boolean
  /** Main as it was when this commit brought the branch up to date. */
  merged: string | undefined
}

type Parts = Pick<SiteCall<Reading>, Reading>

/** Commits to read at once; others are served in between. */
const AT_ONCE = 16

/** Returns the commit of main that the branch has all of: that of the last update, or the one at which the branch began. */
export async function findBase(call: Parts, branch: Site): Promise<string> {
  for await (const { oid, isOnMain, merged } of commitsOf(call, branch)) {
    if (isOnMain) return oid
    if (merged !== undefined) return merged
  }
  throw new ServiceError('conflict', 'The history of main was rewritten since: make another change request.')
}

/** Returns the author of the newest changes, and the name of that maker. Commits that bring a branch up to date change nothing of their own. */
export async function findMaker(
  call: Parts & Pick<SiteCall, 'requestId'>,
  { row, site }: FoundRequest,
): Promise<CommitAuthor & { maker: string }> {
  const { requestId } = call
  for await (const { oid, commit, trailers, isOnMain, merged } of commitsOf(call, site)) {
    if (isOnMain) break
    const origins =
      merged === undefined && (await call.indexFollower.read(site, (index) => index.commits.origins([oid])))
    const maker = (origins && origins.get(oid)?.maker) || undefined
    if (maker !== undefined) return { maker, author: commit.author.name, ...trailersLike(trailers, requestId) }
  }
  const person = row.userId === null ? {} : { [USER_TRAILER]: row.userId }
  const trailers = { ...Object.fromEntries([trailerOfMaker(row.madeBy)]), ...person }
  return { maker: makerIn(trailers) ?? '', author: row.author, ...trailersLike(trailers, requestId) }
}

/** Names the same maker in the same order, with the request that asks for the commit now. */
function trailersLike(
  trailers: Readonly<Record<string, string>>,
  requestId: string,
): Pick<CommitAuthor, 'userId' | 'trailers'> {
  const found = (name: string): [string, string][] => {
    const value = trailers[name]
    return value === undefined ? [] : [[name, value]]
  }
  const userId = trailers[USER_TRAILER]
  return {
    ...(userId !== undefined && { userId }),
    trailers: [
      ...Object.values(MAKER_TRAILERS).flatMap(found),
      ['Request-Id', requestId],
      ...found(USER_TRAILER),
      ...found(CLIENT_TRAILER),
    ],
  }
}

/** Yields the commits of the branch, the newest first, and those of main after them. */
async function* commitsOf({ indexFollower, store }: Parts, branch: Site): AsyncGenerator<BranchCommit> {
  const walk = store.reader.snapshot(branch).firstParents()
  for (;;) {
    const commits: LoggedCommit[] = []
    for (let next = walk.next(); next.done !== true; next = walk.next())
      if (commits.push(store.commits.read(branch, next.value.oid)) === AT_ONCE) break
    if (commits.length === 0) return
    const named = commits.flatMap(({ oid, commit }) => [oid, ...commit.parents.slice(1)])
    const onMain = new Set(await indexFollower.read(mainOf(branch), (index) => index.commits.onMain(named)))
    for (const commit of commits) {
      const [, other] = commit.commit.parents
      const merged = other !== undefined && onMain.has(other) ? other : undefined
      yield { ...commit, isOnMain: onMain.has(commit.oid), merged }
    }
  }
}
