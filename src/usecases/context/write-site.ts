// Writes to a site: names the principal in the commit, and waits until it is durable and its rows are stored.

import type { Site } from '../../catalog/site.js'
import { toSeconds } from '../../model/clock.js'
import { makerTrailers } from '../../model/commits/maker.js'
import { REASON_TRAILER } from '../../model/commits/operation.js'
import { ServiceError } from '../../model/errors.js'
import type { Operation, PackToInstall, Write } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import type { Services } from './services.js'
import type { RequestContext } from './request-context.js'
import { resolveTarget } from './target.js'

export interface CommitNotes {
  /** The client's reason for the change. */
  reason?: string | undefined
  /** The value of the `Idempotency-Key` trailer: two SHA-256, of the key and of the request. */
  idempotency?: string | undefined
  /** Packs of the operation's objects that do not pass the writer. */
  packs?: readonly PackToInstall[]
  /** The deploy that the commit publishes. */
  deployId?: string
}

/** Adds author, time and reason to the operation. */
export function toWrite(
  services: Services,
  context: RequestContext,
  operation: Operation,
  notes: CommitNotes = {},
): Write {
  const { principal, requestId } = context
  const trailers = makerTrailers(principal, requestId)
  if (notes.reason !== undefined) trailers.push([REASON_TRAILER, notes.reason])
  if (notes.idempotency !== undefined) trailers.push(['Idempotency-Key', notes.idempotency])
  if (notes.deployId !== undefined) trailers.push(['Deploy-Id', notes.deployId])
  const { packs = [] } = notes
  return {
    operation,
    author: principal.label,
    ...(principal.person && { userId: principal.person.id }),
    time: toSeconds(services.clock()),
    trailers,
    packs,
    ...(principal.paths && { paths: principal.paths }),
  }
}

/**
 * Asks for the caller's rights once more, just before a change: its body may have taken minutes to come. Refuses as a new request would be:
 * `unauthenticated`, `workspace_not_found`, `site_not_found`, `insufficient_scope` and others.
 */
export async function refuseEnded(services: Services, context: RequestContext, site: Site): Promise<void> {
  const principal = await context.authenticate?.()
  if (principal === undefined) return
  resolveTarget(services, principal, { workspaceId: site.workspaceId, siteId: site.id }, 'write')
}

/**
 * Writes the change; resolves when it is durable and live. The commit's author is the key's label. Asks for the caller's rights again, and
 * throws as `refuseEnded` does.
 */
export async function writeSite(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: Operation,
  notes: CommitNotes = {},
): Promise<Written> {
  const write = toWrite(services, context, operation, notes)
  const { store, indexFollower } = services
  await refuseEnded(services, context, site)
  return await indexFollower.duringWrite(site, () => store.write(site, write))
}

/**
 * Runs the work that remains after a durable write. If it fails, throws `outcome_unknown`: that tells the client that the change is made,
 * so that it is not repeated.
 */
export async function answerable<T>(written: Written, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // The site was deleted, and the change with it: there is nothing left to read.
    const isDeleted = error instanceof ServiceError && error.code === 'site_not_found'
    if (!written.changed || isDeleted) throw error
    const refusal = new ServiceError(
      'outcome_unknown',
      `The change was made as commit ${written.commit}, but its answer could not be built. Read the resource; do not repeat the request.`,
      { commit: written.commit },
    )
    throw Object.assign(refusal, { cause: error })
  }
}
