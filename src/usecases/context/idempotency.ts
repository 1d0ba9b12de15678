// `Idempotency-Key`: a POST that is repeated with the same key and request gets the same answer and happens once.
// Its memory is the commit it made (a trailer, so it survives a power cut), or the catalog for a POST without a commit.

import { createHash } from 'node:crypto'
import type { Site } from '../../catalog/sites.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/facts.js'
import { encodeCanonicalJson } from '../../store/format/site-format.js'
import { readIndex } from '../../indexing/catch-up.js'
import type { Result } from './result.js'
import type { Services } from './services.js'
import type { RequestContext } from './target.js'

export interface Repeatable<T> {
  /** The site whose history holds the commit; undefined for a POST that makes none. */
  site?: Site
  /** What was asked for, whole. */
  input: object
  /** The same answer, from the commit that the first request made. */
  replay?: (facts: CommitFacts) => Result<T> | Promise<Result<T>>
  /** Whether a kept answer has come true: it was kept before the last step. Without it, it is kept after. */
  isTrue?: (result: Result<T>) => Promise<boolean>
  /** The answer holds a secret that is shown once: it is never kept, and a repeated request is refused. */
  isSecret?: true
}

export interface Performed<T> {
  result: Result<T>
  /** A commit carries the key; without one the answer is kept in the catalog. */
  committed: boolean
}

/**
 * Does what is asked for, and may keep its answer itself, before a last step that a start would finish. `trailer` is the value
 * of the commit's trailer; undefined without a key.
 */
type Work<T> = (trailer: string | undefined, keep: (result: Result<T>) => Promise<void>) => Promise<Performed<T>>

interface Hashes {
  key: string
  request: string
}

/** Seconds. */
const KEPT_FOR = 24 * 60 * 60

/** Hashes of the keys whose first request is not answered yet. */
const inProgress = new WeakMap<Services['catalog'], Set<string>>()

/**
 * Runs `work`, or answers again what it answered within the last 24 hours.
 * Throws `idempotency_in_progress`, `idempotency_key_reused`, `secret_not_replayable`. Refusals are not remembered.
 */
export async function once<T>(
  services: Services,
  context: RequestContext,
  request: Repeatable<T>,
  work: Work<T>,
): Promise<Result<T>> {
  const hashes = hashesOf(context, request)
  if (hashes === undefined) return (await work(undefined, async () => undefined)).result
  const running = runningIn(services)
  if (running.has(hashes.key)) {
    throw new ServiceError(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key is still being worked on. Send it again shortly.',
    )
  }
  running.add(hashes.key)
  try {
    return (await recall(services, request, hashes)) ?? (await perform(services, request, hashes, work))
  } finally {
    running.delete(hashes.key)
  }
}

/** SHA-256 of who, where and which key, and of the canonical request; undefined without a key. */
export function hashesOf(
  context: RequestContext,
  { site, input }: Pick<Repeatable<unknown>, 'site' | 'input'>,
): Hashes | undefined {
  const { principal, route, idempotencyKey } = context
  if (idempotencyKey === undefined) return undefined
  const { id: workspaceId } = context.target.workspace
  const scope = [principal.workspaceId, principal.id, workspaceId, route, site?.id ?? null, idempotencyKey]
  const fields = Object.entries(input).map(([name, value]): [string, unknown] => [
    name,
    value instanceof Uint8Array ? { sha256: sha256(value) } : value,
  ])
  return { key: sha256(JSON.stringify(scope)), request: sha256(encodeCanonicalJson(Object.fromEntries(fields))) }
}

async function recall<T>(services: Services, request: Repeatable<T>, hashes: Hashes): Promise<Result<T> | undefined> {
  const { site, replay } = request
  if (site !== undefined && replay !== undefined) {
    const row = await readIndex(services, [site], () => services.index.idempotent(site.id, hashes.key))
    const isKept = row !== undefined && toSeconds(services.clock()) - row.time < KEPT_FOR
    const facts = isKept ? services.store.factsOf(site, row.commit) : undefined
    if (isKept && facts !== undefined) {
      checkSameRequest(row.requestHash, hashes)
      return await replay(facts)
    }
  }
  const record = await services.catalog.idempotency.find(hashes.key)
  if (record === undefined) return undefined
  checkSameRequest(record.requestHash, hashes)
  if (request.isSecret === true) {
    throw new ServiceError(
      'secret_not_replayable',
      'The first request with this Idempotency-Key made a key, and a secret is shown once. Revoke that key and make another.',
    )
  }
  const result = JSON.parse(record.body) as Result<T>
  return request.isTrue === undefined || (await request.isTrue(result)) ? result : undefined
}

function checkSameRequest(requestHash: string, hashes: Hashes): void {
  if (requestHash === hashes.request) return
  throw new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was sent with another request before. Use a new one for a new request.',
  )
}

async function perform<T>(
  services: Services,
  request: Repeatable<T>,
  hashes: Hashes,
  work: Work<T>,
): Promise<Result<T>> {
  let isKept = false
  const keep = async (result: Result<T>) => {
    isKept = true
    await services.catalog.idempotency.save({
      keyHash: hashes.key,
      requestHash: hashes.request,
      status: result.created === true ? 201 : 200,
      body: request.isSecret === true ? '' : JSON.stringify(result),
      createdAt: toTimestamp(toSeconds(services.clock())),
    })
  }
  const { result, committed } = await work(`${hashes.key} ${hashes.request}`, keep)
  if (!committed && !isKept) await keep(result)
  return result
}

function runningIn({ catalog }: Services): Set<string> {
  let running = inProgress.get(catalog)
  if (running === undefined) inProgress.set(catalog, (running = new Set()))
  return running
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
