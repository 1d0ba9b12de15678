// `Idempotency-Key`: a POST that is repeated with the same key and request is done once and answered alike. The request's commit remembers
// the key in a trailer, which survives a power cut; without a commit, the catalog remembers it.

import { createHash } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { allowsPage, allowsTreePath, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { ServiceError } from '../../model/errors.js'
import { canonicalJson, hasMoreFields, hasSortedKeys } from '../../repository/format/canonical-json.js'
import type { Tasks } from '../../tasks/tasks.js'
import type { Leases } from '../../threads/leases.js'
import type { Result } from './result.js'
import type { RequestContext } from './request-context.js'

export interface Repeatable<T> {
  /** The whole request. A different request with the same key is refused. */
  input: object
  /** The site that the request writes to; undefined if it makes no commit. */
  site?: Site
  /** Finds the commit that a request with this key made; undefined if there is none. */
  findCommit?: (keyHash: string) => Promise<RememberedCommit<T> | undefined>
  /** Whether an answer stored before the last step still holds. If not, the request is carried out. */
  stillHolds?: (result: Result<T>) => Promise<boolean>
  /** The answer holds a secret that is shown once: it is never kept, and a repeated request is refused. */
  isSecret?: true
}

interface RememberedCommit<T> {
  facts: CommitFacts
  requestHash: string
  /** Commit time, seconds. */
  time: number
  replay: () => Result<T> | Promise<Result<T>>
}

export interface Performed<T> {
  result: Result<T>
  /** A commit carries the key; without one the answer is kept in the catalog. */
  committed: boolean
}

/**
 * Does the requested work. `trailer` is the value of the commit's trailer; undefined without a key. `keep` stores the answer before a last
 * step that the next start would finish.
 */
type Work<T> = (trailer: string | undefined, keep: (result: Result<T>) => Promise<void>) => Promise<Performed<T>>

interface Hashes {
  key: string
  request: string
}

/** Canonical JSON of a value. */
type SortJson = (workspaceId: string, value: unknown) => string | Promise<string>

interface GuardParts {
  catalog: Catalog
  clock: Clock
  sortJson: SortJson
  leases: Leases
}

const KEPT_SECONDS = 24 * 60 * 60

export class IdempotencyGuard {
  readonly #catalog: Catalog
  readonly #clock: Clock
  readonly #sortJson: SortJson
  readonly #leases: Leases
  /** Hashes of the keys whose first request came here and is not answered yet. */
  readonly #running = new Set<string>()

  constructor({ catalog, clock, sortJson, leases }: GuardParts) {
    this.#catalog = catalog
    this.#clock = clock
    this.#sortJson = sortJson
    this.#leases = leases
  }

  /**
   * Runs `work`, or repeats the answer that it gave within the last 24 hours. Refusals are not remembered. Throws
   * `idempotency_in_progress`, `idempotency_key_reused`, `secret_not_replayable`.
   */
  async once<T>(context: RequestContext, request: Repeatable<T>, work: Work<T>): Promise<Result<T>> {
    const hashes = await hashesOf(context, request, this.#sortJson)
    if (hashes === undefined) return (await work(undefined, async () => undefined)).result
    if (this.#running.has(hashes.key)) throw inProgress()
    this.#running.add(hashes.key)
    try {
      // Needs no lease with a commit: the site takes only the first of several commits with one key.
      if (request.findCommit !== undefined) return await this.#repeatOrPerform(context, request, hashes, work)
      const lease = await this.#leases.hold('key', hashes.key)
      if (lease === undefined) throw inProgress()
      try {
        return await this.#repeatOrPerform(context, request, hashes, work)
      } finally {
        await lease.release()
      }
    } finally {
      this.#running.delete(hashes.key)
    }
  }

  async #repeatOrPerform<T>(
    context: RequestContext,
    request: Repeatable<T>,
    hashes: Hashes,
    work: Work<T>,
  ): Promise<Result<T>> {
    return (await this.#recall(context, request, hashes)) ?? (await this.#perform(request, hashes, work))
  }

  async #recall<T>(
    { principal }: RequestContext,
    request: Repeatable<T>,
    hashes: Hashes,
  ): Promise<Result<T> | undefined> {
    const commit = await request.findCommit?.(hashes.key)
    if (commit !== undefined && toSeconds(this.#clock()) - commit.time < KEPT_SECONDS) {
      checkSameRequest(commit.requestHash, hashes)
      // The key's paths may have been limited since.
      if (principal.paths !== undefined) refuseFacts(commit.facts, principal.paths)
      return await commit.replay()
    }
    const record = await this.#catalog.idempotency.find(hashes.key)
    if (record === undefined) return undefined
    checkSameRequest(record.requestHash, hashes)
    if (request.isSecret === true) {
      throw new ServiceError(
        'secret_not_replayable',
        'The first request with this Idempotency-Key made a key or a link, whose secret is shown once. Revoke it and make another.',
      )
    }
    const result = JSON.parse(record.body) as Result<T>
    return request.stillHolds === undefined || (await request.stillHolds(result)) ? result : undefined
  }

  async #perform<T>(request: Repeatable<T>, hashes: Hashes, work: Work<T>): Promise<Result<T>> {
    let isKept = false
    const keep = async (result: Result<T>) => {
      isKept = true
      await this.#catalog.idempotency.save({
        keyHash: hashes.key,
        requestHash: hashes.request,
        status: result.created === true ? 201 : 200,
        body: request.isSecret === true ? '' : JSON.stringify(result),
        createdAt: toTimestamp(toSeconds(this.#clock())),
      })
    }
    const { result, committed } = await work(`${hashes.key} ${hashes.request}`, keep)
    if (!committed && !isKept) await keep(result)
    return result
  }
}

/** Returns two SHA-256: of principal, workspace, route, site and key, and of the canonical request; undefined without a key. */
export async function hashesOf(
  { principal, route, idempotencyKey, target }: RequestContext,
  { site, input }: Pick<Repeatable<unknown>, 'site' | 'input'>,
  sortJson: SortJson,
): Promise<Hashes | undefined> {
  if (idempotencyKey === undefined) return undefined
  const { id: workspaceId } = target.workspace
  const scope = [principal.workspaceId, principal.id, workspaceId, route, site?.id ?? null, idempotencyKey]
  const fields = Object.entries(input).map(([name, value]): [string, unknown] => [
    name,
    value instanceof Uint8Array ? { sha256: sha256(value) } : value,
  ])
  const request = await sortJson(workspaceId, Object.fromEntries(fields))
  // The line feed of a canonical file is kept: earlier versions hashed with it, and their requests may be repeated now.
  return { key: sha256(JSON.stringify(scope)), request: sha256(`${request}\n`) }
}

/** Throws `path_not_allowed`. */
function refuseFacts(facts: CommitFacts, patterns: readonly string[]): void {
  const pages = facts.pageFiles.map(({ treePath, path }) => path ?? treePath)
  const sidecars = facts.sidecars.flatMap(({ sidecar }) => sidecar?.path ?? [])
  const files = facts.files.map(({ treePath }) => treePath)
  const refused = [
    ...[...pages, ...sidecars].filter((path) => !allowsPage(patterns, path)),
    ...files.filter((treePath) => !allowsTreePath(patterns, treePath)),
  ]
  if (refused.length > 0) throw pathsNotAllowed(refused, patterns)
}

function inProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still in progress. Send it again shortly.',
  )
}

function checkSameRequest(requestHash: string, hashes: Hashes): void {
  if (requestHash === hashes.request) return
  throw new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was sent with another request before. Use a new one for a new request.',
  )
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Sorting so many fields takes some 10 ms. */
const MAX_FIELDS_HERE = 5_000

/** Returns the canonical JSON. `json` is the value as JSON, if the caller has it. Throws `queue_full`. */
export async function sortedJson(tasks: Tasks, workspaceId: string, value: unknown, json?: string): Promise<string> {
  if (hasSortedKeys(value)) return json ?? JSON.stringify(value)
  if (!hasMoreFields(value, MAX_FIELDS_HERE)) return canonicalJson(value)
  return await tasks.run('canonicalJson', json ?? JSON.stringify(value), { workspaceId })
}
