// The serving thread's client of the writer threads: a site always has the same thread, and its queue is bounded.

import type { Admission } from '../../admission/admission.js'
import { noteWaits } from '../../admission/waits.js'
import { ServiceError } from '../../model/errors.js'
import { ThreadClient } from '../../threads/client.js'
import { ENTRIES } from '../../threads/entries.js'
import { foldersOf, sizeOf } from '../protocol/cost.js'
import type { MainMove, TagMove } from '../protocol/ref-moves.js'
import type { CommitOutcome } from '../protocol/repository.js'
import type { SiteRef, Write } from '../protocol/write.js'
import type { Drafted, Written } from '../protocol/written.js'
import type {
  BatchEvent,
  WriterAnswer,
  WriterProtocol,
  WriterRequest,
  WriterSettings,
} from '../protocol/writer-messages.js'

/** The limit of new folders for one write, for which other sites wait too: so many take about a quarter of a second. */
const MAX_WRITE_FOLDERS = 10_000

export class WriterPool {
  readonly #threads: readonly ThreadClient<WriterProtocol>[]
  /** Limits the writes that wait, by their number and by their bytes. */
  readonly #admission: Admission

  /** Calls `onBatch` before the writes of a batch are answered. */
  constructor(
    settings: WriterSettings,
    { writerThreads, admission }: { writerThreads: number; admission: Admission },
    onBatch: (event: BatchEvent) => void,
  ) {
    this.#admission = admission
    this.#threads = Array.from(
      { length: writerThreads },
      () =>
        new ThreadClient<WriterProtocol>({
          entry: settings.log === undefined ? ENTRIES.writerThread : ENTRIES.loggedWriterThread,
          worker: { workerData: settings },
          lost,
          onEvent: onBatch,
        }),
    )
  }

  /** Resolves when the write is durable; rejects with a ServiceError that tells its outcome. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    const answer = await this.#askWithin({ type: 'write', site, write })
    if (!('written' in answer)) throw new Error('a writer answered a write without its result')
    noteWaits(answer.waits)
    return answer.written
  }

  /** Resolves with the result that the write would have; nothing is stored. */
  async draft(site: SiteRef, write: Write): Promise<Drafted> {
    const answer = await this.#askWithin({ type: 'draft', site, write })
    if ('drafted' in answer) return answer.drafted
    throw new Error('a writer answered a draft without its result')
  }

  /** Resolves with `done` when the pushed commits are main and durable; with `moved` if main was not their parent. */
  async moveMain(site: SiteRef, move: MainMove): Promise<CommitOutcome> {
    return outcomeIn(await this.#ask({ type: 'move-main', site, move }))
  }

  /** Resolves with `moved` if a tag was not as the push expected. */
  async moveTags(site: SiteRef, move: TagMove): Promise<CommitOutcome> {
    return outcomeIn(await this.#ask({ type: 'move-tags', site, move }))
  }

  /** Returns the milliseconds until main holds still for a push; 0 for at once. */
  async expectPush(site: SiteRef): Promise<number> {
    const answer = await this.#ask({ type: 'expect-push', site })
    return 'heldIn' in answer ? answer.heldIn : 0
  }

  /** Makes the site's repository; durable when it resolves. `time` in seconds. */
  async createRepository(site: SiteRef, time: number): Promise<void> {
    await this.#ask({ type: 'create', site, time })
  }

  /** Makes the branch of a change request at `fork`; durable when it resolves. `time` in seconds. */
  async beginRequest(site: SiteRef, fork: string, time: number): Promise<void> {
    await this.#ask({ type: 'begin-request', site, fork, time })
  }

  async endRequest(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'end-request', site })
  }

  /** Makes an imported repository the site's; durable when it resolves. */
  async adoptRepository(site: SiteRef, gitdir: string): Promise<void> {
    await this.#ask({ type: 'adopt', site, gitdir })
  }

  /** Verifies the site's repository and restores its settings and hooks. Rejects with the reason if it cannot. */
  async openRepository(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'open', site })
  }

  /**
   * Makes sure that the commits in main survive a power cut, even if the write that made them got no answer. After that, answers may
   * rely on them. Rejects with `storage_failed` while this cannot be told.
   */
  async settle(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'settle', site })
  }

  async follow(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'follow', site })
  }

  /** Answers waiting writes with `site_not_found`. The caller must send no more of them. */
  async retireRepository(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'retire', site })
  }

  /** Takes no new requests, lets waiting writes finish, then ends the threads. */
  async close(): Promise<void> {
    const reason = new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.')
    await Promise.all(this.#threads.map((thread) => thread.drain(reason)))
    await Promise.all(this.#threads.map((thread) => thread.close(reason)))
  }

  /** Asks within the bounds. Throws `queue_full` if there is no room, and `payload_too_large` for a write that would delay other sites. */
  async #askWithin(request: Extract<WriterRequest, { write: Write }>): Promise<WriterAnswer> {
    const { site, write } = request
    refuseManyFolders(write)
    const memory = this.#admission.memory.of('writes')
    // The largest write has room if nothing else waits.
    const bytes = Math.min(sizeOf(write.operation), memory.half)
    const leave = this.#admission.gate('writes').enterNow(site.slug)
    try {
      return await memory.during(site.workspaceId ?? site.id, bytes, () => this.#ask(request))
    } finally {
      leave()
    }
  }

  async #ask(request: WriterRequest): Promise<WriterAnswer> {
    const thread = this.#threads[hash(request.site.slug) % this.#threads.length]
    if (thread === undefined) throw new Error('there is no writer thread')
    return await thread.ask(request)
  }
}

function outcomeIn(answer: WriterAnswer): CommitOutcome {
  if ('moved' in answer) return answer.moved
  throw new Error('a writer answered a push without its result')
}

function refuseManyFolders({ operation }: Write): void {
  if (foldersOf(operation, MAX_WRITE_FOLDERS + 1) <= MAX_WRITE_FOLDERS) return
  throw new ServiceError(
    'payload_too_large',
    `Nothing was changed: the files lie in more than ${MAX_WRITE_FOLDERS} folders. Change them a part at a time.`,
  )
}

/** The error for requests of a thread that died: their writes may have been made or not. */
function lost(cause: unknown): Error {
  const error = new ServiceError(
    'outcome_unknown',
    'The writer stopped before it answered. Read the page to see whether the write happened.',
  )
  return Object.assign(error, { cause })
}

/** Hashes by FNV-1a: spreads slugs over threads, always in the same way. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
