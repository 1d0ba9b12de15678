// Reads for visitors in other threads, so that no read holds up the serving thread. One thread answers all that is soon done. A second
// one does the rest, so that a costly site holds up only other costly ones. In each, sites take turns.

import { readLargeBlob } from '../../../git/storage/large-blob.js'
import type { BlobSpan } from '../../../git/storage/object-reader.js'
import type { Oid } from '../../../git/objects/oid.js'
import { MAX_PIECE_BYTES } from '../../../model/bytes.js'
import { ServiceError } from '../../../model/errors.js'
import type { Resolution } from '../../../repository/resolution/resolution.js'
import { gitdirOf } from '../../../repository/disk/site-folders.js'
import type { Troubles } from '../../../repository/health/troubles.js'
import { toServiceError } from '../../../repository/protocol/failure.js'
import { type Trouble, troubleOf } from '../../../repository/protocol/trouble.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import type { SharedTree } from '../../../repository/protocol/writer-messages.js'
import type { OtherReaders } from '../../../repository/reading/other-readers.js'
import { QueuedThread } from './queued-thread.js'
import { holdRebuilt } from '../../../repository/reading/rebuilt-blobs.js'
import { ENTRIES } from '../../../threads/entries.js'
import { fromFailure } from '../../../threads/messages.js'
import type { ReaderProtocol, ReaderThreadData, ReadInput, ReadName, ReadOutput } from './reader-protocol.js'
import type { Found } from './reads.js'
import type { ViewToRead } from './view-to-read.js'

/** The most bytes that the first thread reads for one request: about 50 ms of its time. */
const MAX_BYTES = 8 * 1024 * 1024
/** Requests sent to the first thread at a time, so that it need not sleep between two. */
const AT_ONCE = 8
/** A hostile chain of deltas can make one object take minutes. */
const DEADLINE_MS = 10_000

export interface HostedReaderParts {
  dataDir: string
  /** False in a process that opens no index. */
  hasIndex: boolean
  /** The live sites. */
  sites: { findBySlug(slug: string): SiteRef | undefined }
  /** Takes the faults that reads find. */
  troubles: Pick<Troubles, 'report'>
  /** Called for a site whose history is not indexed far enough to answer. It may throw another answer than `site_busy`. */
  onBehind: (siteId: string) => void
}

/** All reads reject with `site_unreadable`, `site_busy`, and `site_not_found` if the site was deleted meanwhile. */
export class HostedReader implements OtherReaders {
  readonly #parts: HostedReaderParts
  readonly #quick: QueuedThread<ReaderProtocol>
  readonly #long: QueuedThread<ReaderProtocol>
  /** Resolutions under way, so that visitors who come together share one. */
  readonly #underWay = new WeakMap<ViewToRead, Map<string, Promise<Found>>>()

  constructor(parts: HostedReaderParts) {
    this.#parts = parts
    const { dataDir, hasIndex } = parts
    const threadOf = (maxBytes: number | undefined, atOnce: number) => {
      const workerData: ReaderThreadData = { dataDir, hasIndex, maxBytes }
      const options = { entry: ENTRIES.readerThread, worker: { workerData } }
      return new QueuedThread<ReaderProtocol>(options, { deadlineMs: DEADLINE_MS, atOnce })
    }
    this.#quick = threadOf(MAX_BYTES, AT_ONCE)
    this.#long = threadOf(undefined, 1)
  }

  /** Starts the thread for what is soon done: loading its code takes about 0.2 s. */
  start(): void {
    this.#quick.start()
  }

  /** Resolves a target, and reads its file with `wantsBody` if it is short. */
  async resolve(view: ViewToRead, target: string, wantsBody: boolean): Promise<Found> {
    const underWay = this.#underWay.get(view) ?? new Map<string, Promise<Found>>()
    this.#underWay.set(view, underWay)
    const key = `${wantsBody ? '+' : '-'}${target}`
    let found = underWay.get(key)
    if (found === undefined) {
      found = this.#ask(view.site, 'resolve', { view, target, wantsBody }).finally(() => underWay.delete(key))
      underWay.set(key, found)
    }
    return await found
  }

  /** Returns the fields of a preflight's answer. */
  async preflight(view: ViewToRead, target: string): Promise<Readonly<Record<string, string>>> {
    return await this.#ask(view.site, 'preflight', { view, target })
  }

  /** Resolves targets of a view. */
  async resolveAll(view: ViewToRead, targets: readonly string[]): Promise<Resolution[]> {
    return await this.#ask(view.site, 'resolveAll', { view, targets })
  }

  async blob(view: ViewToRead, oid: Oid): Promise<Buffer> {
    return bufferOf(await this.#ask(view.site, 'blob', { view, oid }))
  }

  /** Yields the bytes of a blob, or a span of them, in pieces; the first one after all are checked. */
  async *pieces(view: ViewToRead, { oid, size }: { oid: Oid; size: number }, span?: BlobSpan): AsyncGenerator<Buffer> {
    const stored = size <= MAX_PIECE_BYTES ? 'short' : await this.#ask(view.site, 'storedAs', { view, oid })
    if (stored === 'short' || stored === 'draft') yield (await this.blob(view, oid)).subarray(span?.start, span?.end)
    else yield* this.#streamed(view, { oid, size, isDelta: stored === 'delta' }, span)
  }

  async *#streamed(
    view: ViewToRead,
    { oid, size, isDelta }: { oid: Oid; size: number; isDelta: boolean },
    span?: BlobSpan,
  ): AsyncGenerator<Buffer> {
    const { site, request } = view
    const gitdir = gitdirOf(this.#parts.dataDir, { ...site, request: request?.id })
    const release = isDelta ? await holdRebuilt(site.id, size) : undefined
    const readStored = async (start: number, length: number) => {
      const piece = await this.#ask(site, 'piece', { view, oid, start, length })
      return piece && bufferOf(piece)
    }
    try {
      yield* readLargeBlob({ gitdir, oid, size, readStored }, span)
    } catch (error) {
      const trouble = error instanceof ServiceError ? undefined : troubleOf(error)
      this.#report(site, trouble === undefined ? [] : [trouble])
      throw toServiceError(error)
    } finally {
      release?.()
    }
  }

  /** Finds the only commit at or before the head whose id begins with the prefix. `time` in seconds. */
  async version(site: SiteRef, head: Oid, prefix: string): Promise<{ commit: Oid; time: number } | undefined> {
    return await this.#ask(site, 'version', { site: plain(site), head, prefix })
  }

  /** Finds the newest commit of main that the change request `request` contains at its head `branch`. */
  async baseOf(
    site: SiteRef,
    head: Oid,
    { request, branch }: { request: string; branch: Oid },
  ): Promise<Oid | undefined> {
    return await this.#ask(site, 'baseOf', { site: plain(site), head, request, branch })
  }

  /** Finds the commit that was the head at a time, in seconds. */
  async asOf(site: SiteRef, head: Oid, time: number): Promise<Oid | undefined> {
    return await this.#ask(site, 'asOf', { site: plain(site), head, time })
  }

  rememberTrees(site: SiteRef, trees: readonly SharedTree[]): void {
    if (trees.length > 0) this.#tell({ remember: trees, site: plain(site) })
  }

  forget(site: SiteRef): void {
    this.#tell({ forget: plain(site) })
  }

  async close(): Promise<void> {
    await this.#quick.close()
    await this.#long.close()
  }

  #tell(request: ReaderProtocol['request']): void {
    this.#quick.tell(request)
    this.#long.tell(request)
  }

  async #ask<N extends ReadName>(site: SiteRef, read: N, input: ReadInput<N>): Promise<ReadOutput<N>> {
    let answer = await this.#quick.ask(site.id, { read, input })
    if ('isTooLong' in answer) answer = await this.#long.ask(site.id, { read, input })
    if ('output' in answer && answer.troubles.length === 0) return answer.output as ReadOutput<N>
    this.#report(site, answer.troubles)
    if ('output' in answer) return answer.output as ReadOutput<N>
    if ('failure' in answer) throw fromFailure(answer.failure)
    this.#parts.onBehind(site.id)
    throw new ServiceError('site_busy', "This site's history is being indexed. Try again shortly.")
  }

  /** Reports what a read found. Throws `site_not_found` for a deleted site: a repository that is moved away is not damaged. */
  #report(site: SiteRef, troubles: readonly Trouble[]): void {
    if (this.#parts.sites.findBySlug(site.slug)?.id !== site.id)
      throw new ServiceError('site_not_found', 'This site was deleted.')
    for (const trouble of troubles) this.#parts.troubles.report(site, trouble)
  }
}

/** Returns the same memory as a Buffer. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A site of the catalog has more fields, which need not cross to the thread. */
function plain({ id, slug, request }: SiteRef): SiteRef {
  return { id, slug, ...(request !== undefined && { request }) }
}
