// Writes to a site: names the principal in the commit, and waits until it is durable and its rows are stored.

import { toSeconds } from '../../model/clock.js'
import { makerTrailers } from '../../model/commits/maker.js'
import { REASON_TRAILER } from '../../model/commits/operation.js'
import { ServiceError } from '../../model/errors.js'
import type { Operation, PackToInstall, Publication, Write } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import { approvalRequired, isHeld } from '../protection/refuse-protected.js'
import { recordAudit } from './audit.js'
import type { Call, SiteCall, Writing } from './call.js'
import { enterRequest } from './change-request.js'
import { resolveTarget } from './target.js'

export interface CommitNotes {
  /** The client's reason for the change. */
  reason?: string | undefined
  /** The value of the `Idempotency-Key` trailer: two SHA-256, of the key and of the request. */
  idempotency?: string | undefined
  /** Packs of the operation's objects that do not pass the writer. */
  packs?: readonly PackToInstall[]
  /** Trailers that name what the commit publishes. */
  trailers?: readonly (readonly [name: string, value: string])[]
  /** The author and maker of the commit, if that is not the caller. */
  by?: CommitAuthor
  /** The second parent of the commit. */
  merged?: string
  /** The change request that the commit publishes. */
  publishes?: Publication
  /** Asks for approval in place of the protection of the site, with caller and site as they are just before the change. */
  refuseUnapproved?: (asked: Asked) => void
}

export interface CommitAuthor {
  author: string
  userId?: string
  /** As `makerTrailers` returns them. */
  trailers: [name: string, value: string][]
}

/** Adds author, time and reason to the operation. */
export function toWrite(call: Call<'clock'>, operation: Operation, notes: CommitNotes = {}): Write {
  const { principal } = call
  const { author, userId, trailers: made } = notes.by ?? authorOf(call)
  const trailers: Write['trailers'][number][] = [...made]
  if (notes.reason !== undefined) trailers.push([REASON_TRAILER, notes.reason])
  if (notes.idempotency !== undefined) trailers.push(['Idempotency-Key', notes.idempotency])
  const { packs = [], merged, publishes } = notes
  return {
    operation,
    author,
    ...(userId !== undefined && { userId }),
    time: toSeconds(call.clock()),
    trailers: [...trailers, ...(notes.trailers ?? [])],
    packs,
    ...(merged !== undefined && { merged }),
    ...(publishes && { publishes }),
    ...(principal.paths && { paths: principal.paths }),
  }
}

function authorOf({ principal, requestId }: Call): CommitAuthor {
  const { label: author, person } = principal
  return { author, ...(person && { userId: person.id }), trailers: makerTrailers(principal, requestId) }
}

type Asked = Pick<SiteCall, 'principal' | 'site'>

/**
 * Asks for the caller's rights once more, just before a change: its body may have taken minutes to come. Returns caller and site as they are
 * now. Refuses as a new request would be: `unauthenticated`, `workspace_not_found`, `site_not_found`, `insufficient_scope` and others. Also
 * notes who writes to a change request.
 */
export async function refuseEnded(call: SiteCall<'catalog' | 'indexFollower'>): Promise<Asked> {
  const { workspaceId, id: siteId, request } = call.site
  const principal = await call.authenticate?.()
  const scope = request === undefined ? 'write' : 'propose'
  const again = principal && { principal, target: resolveTarget(call, principal, { workspaceId, siteId }, scope) }
  if (request !== undefined) await enterRequest({ ...call, ...again }, request)
  return { principal: principal ?? call.principal, site: { ...(again?.target.site ?? call.site), request } }
}

/**
 * Writes the change; resolves when it is durable and live. The commit's author is the key's label. Asks for the caller's rights again, and
 * throws as `refuseEnded` does, and `approval_required` for what the protection of the site holds.
 */
export async function writeSite(
  call: SiteCall<Writing>,
  operation: Operation,
  notes: CommitNotes = {},
): Promise<Written> {
  const { site, store, indexFollower } = call
  const asked = await refuseEnded(call)
  notes.refuseUnapproved?.(asked)
  const held = notes.refuseUnapproved === undefined && isHeld({ ...call, ...asked })
  const allowed = held ? emergencyOf(call, asked, operation) : operation
  const write = toWrite(call, allowed, notes)
  const written = await indexFollower.duringWrite(site, () => store.write(site, write))
  if (held) await answerable(written, () => recordEmergency(call, written))
  return written
}

/**
 * Returns a held operation as it may be made at once. In an emergency, people who may write revert the newest commit alone. Throws
 * `approval_required` for any other.
 */
function emergencyOf(call: SiteCall<Writing>, { principal, site }: Asked, operation: Operation): Operation {
  const head = call.store.reader.head(site)
  const isOfNewest =
    operation.kind === 'revert-commits' && operation.commits?.length === 1 && operation.commits[0] === head
  if (principal.kind === 'session' && isOfNewest) return { ...operation, ifHead: head }
  throw approvalRequired(site.protection, call.sent)
}

async function recordEmergency(call: SiteCall<Writing>, { commit, changed }: Written): Promise<void> {
  if (!changed) return
  await recordAudit(call, { action: 'protection.emergency', target: `site ${call.site.id}`, details: { commit } })
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
