// One site in its writer thread: turns a batch of writes into commits and one move of main.
// Promise: a write that was answered survives kill -9 and a power cut; any other happened in full or not at all.

import { RefLocked, RepositoryInvalid } from '../../git/objects/errors.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import { SiteState } from '../staging/site-state.js'
import { toFailure } from '../protocol/failure.js'
import { type CommitOutcome, KeysTaken, RequestsMoved, type WritableRepository } from '../protocol/repository.js'
import type { MainMove, TagMove } from '../protocol/ref-moves.js'
import type { SiteRef, Write } from '../protocol/write.js'
import type { Drafted } from '../protocol/written.js'
import type { SharedTree } from '../protocol/writer-messages.js'
import type { SiteIndex } from '../../index/site-index.js'
import { type Batch, buildBatch, buildWrite, committerAt, type Sign, type WriteResult } from './build-batch.js'
import { OwnRows } from './own-rows.js'

/** The number of times that a batch is built on a head that then moves, before main is held during the build. */
const MAX_FREE_ATTEMPTS = 2

export class SiteWriter {
  readonly #site: SiteRef
  readonly #repository: WritableRepository
  readonly #sign: Sign
  readonly #index: SiteIndex
  readonly #rows: OwnRows
  /** The site at the head that the last batch left; undefined after a failure. */
  #state: SiteState | undefined
  #sharedTrees: SharedTree[] = []

  /** `sign` gets each commit that is stored. */
  constructor(site: SiteRef, repository: WritableRepository, sign: Sign, index: SiteIndex) {
    this.#site = site
    this.#repository = repository
    this.#sign = sign
    this.#index = index
    this.#rows = new OwnRows(index, repository.objects)
  }

  close(): void {
    this.#repository.close()
    this.#index.close()
  }

  /** Returns the milliseconds after which the next batch asks again. */
  pauseFor(now: number): number {
    return this.#repository.pauseFor(now)
  }

  /** Returns undefined if a batch need not wait for the disk before it begins. Never rejects. */
  untilHeadIsDurable(): Promise<void> | undefined {
    return this.#repository.untilHeadIsDurable()
  }

  /** Makes main survive a power cut. Rejects while this cannot be told. */
  async settle(): Promise<void> {
    await this.#repository.untilHeadIsDurable()
    this.#repository.settle()
  }

  /** Returns the milliseconds until main holds still for a push. */
  expectPush(now: number): number {
    return this.#repository.expectPush(now)
  }

  /** Moves main to pushed commits; `moved` if main is not their parent. Rejects with the errors of `commit`. */
  async moveMain({ expected, next, packs, time, by }: MainMove): Promise<CommitOutcome> {
    if (this.#repository.headToBuildOn() !== expected) return 'moved'
    const log = { committer: committerAt(time), message: `push: ${by}` }
    const outcome = await this.#repository.commit({ expected, next, objects: [], packs, log })
    if (outcome === 'done') this.#repository.endPush(performance.now())
    return outcome
  }

  /** Moves tags. Rejects with the errors of `WritableRepository.moveTags`. */
  async moveTags(move: TagMove): Promise<CommitOutcome> {
    if (this.#repository.moveTags === undefined) throw new Error('git moves the tags of this repository')
    return await this.#repository.moveTags(move)
  }

  takeMaintenanceDue(): boolean {
    return this.#repository.takeMaintenanceDue()
  }

  /** Takes the large folders of the newest commit that batches have made since the last call. */
  takeSharedTrees(): SharedTree[] {
    return this.#sharedTrees.splice(0)
  }

  /** Writes in order, one commit each. Every result is durable or a failure. Rejects only with RefLocked: then try again. */
  async writeBatch(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    try {
      return await this.#publish(writes)
    } catch (error) {
      this.#forgetState()
      if (error instanceof RefLocked) throw error
      if (error instanceof KeysTaken)
        return await this.#writeOthers(writes, inProgress(), (write) => error.keys.has(keyOf(write) ?? ''))
      if (error instanceof RequestsMoved)
        return await this.#writeOthers(writes, overtaken(), ({ publishes }) => isAmong(error.requests, publishes))
      const failure = toFailure(error)
      return writes.map(() => ({ failure }))
    }
  }

  /** Refuses some writes, and makes the others. */
  async #writeOthers(
    writes: readonly Write[],
    refusal: ServiceError,
    isRefused: (write: Write) => boolean,
  ): Promise<readonly WriteResult[]> {
    const results = [...(await this.writeBatch(writes.filter((write) => !isRefused(write))))]
    const failure = toFailure(refusal)
    return writes.map((write) => (isRefused(write) ? undefined : results.shift()) ?? { failure })
  }

  /** Builds the commit of a write on the head, and leaves no trace. Throws the error that the write would get. */
  draft(write: Write): Drafted {
    const base = this.#repository.head()
    if (base === undefined) throw new RepositoryInvalid('there is no main branch')
    const state = new SiteState(this.#site.id, this.#repository.objects, base)
    const { written, objects } = buildWrite(state, write, (commit) => commit)
    state.settle()
    return { written, base, objects }
  }

  async #publish(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    for (let attempt = 0; attempt < MAX_FREE_ATTEMPTS; attempt++) {
      const results = await this.#tryToPublish(writes)
      if (results !== 'moved') return results
    }
    const results = await this.#repository.holdMain(() => this.#tryToPublish(writes))
    if (results === 'moved') throw new Error('main moved while it was held')
    return results
  }

  async #tryToPublish(writes: readonly Write[]): Promise<readonly WriteResult[] | 'moved'> {
    const batch = buildBatch(this.#stateAt(this.#repository.headToBuildOn()), writes, this.#sign)
    if (batch.objects.length > 0 && (await this.#commit(batch, writes)) === 'moved') {
      this.#forgetState()
      return 'moved'
    }
    const made = new Map(batch.objects.map(({ oid, content }) => [oid, content]))
    const results = this.#rows.store(batch.base, batch.results, made)
    this.#dropReplaced(batch)
    return results
  }

  /** Drops the folders from memory that the batch replaced. Its rows are stored: nothing compares these folders again. */
  #dropReplaced({ objects }: Batch): void {
    for (const { previous } of objects) if (previous !== undefined) this.#repository.objects.forget(previous)
  }

  #stateAt(head: Oid): SiteState {
    if (this.#state?.head !== head) this.#state = new SiteState(this.#site.id, this.#repository.objects, head)
    return this.#state
  }

  #forgetState(): void {
    this.#state?.settle()
    this.#state = undefined
  }

  async #commit({ base, tip, objects, packs, results }: Batch, writes: readonly Write[]): Promise<'done' | 'moved'> {
    const made = writes.filter((_, i) => hasCommit(results[i]))
    const keys = made.flatMap((write) => keyOf(write) ?? [])
    const publishes = made.flatMap((write) => write.publishes ?? [])
    const log = { committer: committerAt(writes.at(-1)?.time ?? 0), message: `publish: ${writes.length} writes` }
    const outcome = await this.#repository.commit({ expected: base, next: tip, objects, packs, log, keys, publishes })
    if (outcome === 'done') {
      this.#state?.settle()
      this.#sharedTrees = sharedTreesOf(objects)
    }
    return outcome
  }
}

/** Another machine makes these writes. Their clients get that machine's result when they ask again. */
function inProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is in progress on another node, or was answered just now. Send it again shortly.',
  )
}

function overtaken(): ServiceError {
  return new ServiceError('conflict', 'Others wrote to the change request meanwhile. Try again.', { retry: true })
}

function isAmong(requests: ReadonlySet<string>, publishes: Write['publishes']): boolean {
  return publishes !== undefined && requests.has(publishes.request)
}

function hasCommit(result: WriteResult | undefined): boolean {
  return result !== undefined && 'written' in result && result.written.changed
}

/** Returns the hash of the idempotency key; the trailer has the hash of the request after it. */
function keyOf({ trailers }: Write): string | undefined {
  return trailers.find(([name]) => name === 'Idempotency-Key')?.[1].split(' ', 1)[0]
}

/** Returns the shared folders, without those that a later commit of the batch replaced. */
function sharedTreesOf(objects: readonly NewObject[]): SharedTree[] {
  /** The folder before the batch, by each version of it that the batch made, older versions first. */
  const before = new Map<string, string>()
  for (const { oid, previous } of objects) if (previous !== undefined) before.set(oid, before.get(previous) ?? previous)
  const replaced = new Set(objects.map(({ previous }) => previous))
  return objects
    .filter(({ oid, content }) => content.buffer instanceof SharedArrayBuffer && !replaced.has(oid))
    .map(({ oid, content }) => {
      const previous = before.get(oid)
      return { oid, bytes: content, ...(previous !== undefined && { previous }) }
    })
}
