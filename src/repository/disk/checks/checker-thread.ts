// Inspects repositories, and compares their objects with their ids, in a thread, so that no visitor waits for it.

import { firstParents } from '../../../git/repository/history.js'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import type { Oid } from '../../../git/objects/oid.js'
import { serveRequests } from '../../../threads/serve.js'
import { toFailure } from '../../protocol/failure.js'
import type { Trouble } from '../../protocol/trouble.js'
import { branchesOf } from '../../protocol/request-branches.js'
import { FormCheck } from './form-check.js'
import { inspectDrafts, inspectRepository } from './inspect-repository.js'
import { checkObject, type Part, readHead, ServedObjects } from './served-objects.js'

/** Asks for the next part of a repository's served objects; for the first part if the last such request named another repository. */
export interface PartRequest {
  gitdir: string
  /** The repository that it borrows objects from, which are not read; undefined for a site's own. */
  lender: string | undefined
}

/** Asks for the faults of a site's repository that show without reading all of it. */
export interface InspectionRequest {
  gitdir: string
  /** The repository with the site's change requests, if there is one. */
  drafts: string
  /** The site's id. */
  inspected: string
}

/** Asks about objects that were damaged when the refs were as `since` says. */
export interface ObjectsRequest {
  gitdir: string
  lender: string | undefined
  oids: readonly Oid[]
  since: string | undefined
}

export interface ObjectsFound {
  /** The objects that are still damaged. */
  damaged: Oid[]
  /** Main, or the change requests that have a branch. */
  refs: string | undefined
  /** Main left the history that it had at `since`, or a branch is gone. The objects may not be needed any more. */
  isRewritten: boolean
}

export interface CheckerProtocol {
  request: PartRequest | ObjectsRequest | InspectionRequest
  answer: Part | ObjectsFound | Trouble[]
  event: never
}

/** More commits than a site gets between two checks. */
const MAX_LOOK_BACK_COMMITS = 10_000

/** The repository that is being read. Only one is read at a time. */
let walk: { gitdir: string; served: ServedObjects } | undefined
let last: Promise<void> = Promise.resolve()
const form = new FormCheck()

const post = serveRequests<CheckerProtocol>((request, ticket) => {
  last = last.then(async () => {
    try {
      post({ replies: [{ ticket, answer: await answerTo(request) }] })
    } catch (error) {
      post({ replies: [{ ticket, failure: toFailure(error) }] })
    }
  })
})

async function answerTo(request: CheckerProtocol['request']): Promise<CheckerProtocol['answer']> {
  if ('inspected' in request) {
    const { gitdir, drafts, inspected } = request
    return [...(await inspectRepository(gitdir, inspected, form)), ...(await inspectDrafts(drafts, gitdir, form))]
  }
  return await ('oids' in request ? checkObjects(request) : checkPart(request))
}

async function checkPart({ gitdir, lender }: PartRequest): Promise<Part> {
  if (walk?.gitdir !== gitdir) {
    walk?.served.close()
    walk = { gitdir, served: new ServedObjects(gitdir, lender) }
  }
  const { served } = walk
  let isOver = true
  try {
    const part = await served.checkPart()
    isOver = part.isOver
    return part
  } finally {
    if (isOver) {
      served.close()
      walk = undefined
    }
  }
}

async function checkObjects({ gitdir, lender, oids, since }: ObjectsRequest): Promise<ObjectsFound> {
  const odb = new ObjectDatabase(gitdir, { cacheBytes: 1, lender })
  try {
    const damaged: Oid[] = []
    for (const oid of oids) if ((await checkObject(gitdir, odb, oid)).what !== undefined) damaged.push(oid)
    if (lender === undefined) {
      const head = readHead(gitdir)
      return { damaged, refs: head, isRewritten: hasLeft(odb, since, head) }
    }
    const branches = branchesOf(gitdir)
    const isRewritten = since?.split(' ').some((branch) => branch !== '' && !branches.includes(branch)) === true
    return { damaged, refs: branches.join(' '), isRewritten }
  } finally {
    odb.close()
  }
}

function hasLeft(odb: ObjectDatabase, since: Oid | undefined, head: Oid | undefined): boolean {
  if (since === undefined || head === undefined || since === head) return false
  let steps = 0
  try {
    for (const { oid } of firstParents(odb, head)) {
      if (oid === since || ++steps === MAX_LOOK_BACK_COMMITS) return false
    }
    return true
  } catch {
    // While the history cannot be read, no report is cleared.
    return false
  }
}
