// One write to a site on behalf of a key: who is named in its commit, and how the index gets to know.

import type { PageRow } from '../../catalog/index/tables/rows.js'
import type { Site } from '../../catalog/sites.js'
import { toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { Operation, Write, Written } from '../../store/protocol/write.js'
import type { Services } from './services.js'
import type { RequestContext } from './request-context.js'

export interface CommitNotes {
  /** Why, in the client's words. */
  reason?: string | undefined
  /** The value of the `Idempotency-Key` trailer: two SHA-256, of the key and of the request. */
  idempotency?: string | undefined
}

/** The trailer that holds the principal's id. */
const PRINCIPAL_TRAILERS = {
  key: 'Api-Key-Id',
  session: 'Session-Id',
  token: 'Token-Subject',
  operator: 'Operator',
} as const

/** What became of a write, and the page that it is about as this very commit left it, where the index knows that. */
export interface WrittenPage extends Written {
  page?: PageRow | undefined
}

/** The operation with who asked for it, when and why. */
export function toWrite(
  services: Services,
  context: RequestContext,
  operation: Operation,
  notes: CommitNotes = {},
): Write {
  const { principal, requestId } = context
  const trailers: [string, string][] = [
    [PRINCIPAL_TRAILERS[principal.kind], principal.id],
    ['Request-Id', requestId],
  ]
  if (notes.reason !== undefined) trailers.push(['Reason', notes.reason])
  if (notes.idempotency !== undefined) trailers.push(['Idempotency-Key', notes.idempotency])
  return { operation, author: principal.label, time: toSeconds(services.clock()), trailers }
}

/** Resolves when the change is durable and live. The commit's author is the key's label. */
export async function writeSite(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: Operation,
  notes: CommitNotes = {},
): Promise<WrittenPage> {
  const write = toWrite(services, context, operation, notes)
  const written = await services.store.write(site, write).catch((error: unknown) => {
    // The write may have been committed although it was reported as failed.
    services.indexFollower.markStale(site)
    throw error
  })
  return { ...written, page: await answerable(written, () => services.indexFollower.applyOwnWrite(site, written)) }
}

/**
 * Runs what the answer to a durable write still needs. Where that fails, the client is told that the change is made:
 * it must not take it for refused and repeat it.
 */
export async function answerable<T>(written: Written, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!written.changed) throw error
    const refusal = new ServiceError(
      'outcome_unknown',
      `The change is made, as commit ${written.commit}, but its answer cannot be given now. Read it instead of repeating it.`,
      { commit: written.commit },
    )
    throw Object.assign(refusal, { cause: error })
  }
}
