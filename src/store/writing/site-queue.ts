// What waits for one site in its writer thread: writes, which are made in batches, and other requests, which are served one by one.

import type { Wait, Waits } from '../../admission/waits.js'
import { foldersOf, sizeOf } from '../protocol/cost.js'
import type { SiteRef, Write } from '../protocol/write.js'
import type { WriterRequest } from '../protocol/writer-messages.js'
import type { SiteWriter } from './site-writer.js'

const MAX_BATCH_WRITES = 64
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** Measured: about 25 µs for each. A single write may make more, and is a batch of its own then. */
const MAX_BATCH_FOLDERS = 1000
/** How long a batch keeps trying for a lock that another program holds. */
const MAX_LOCKED_MS = 5000

export type OtherRequest = Exclude<WriterRequest, { type: 'write' }>

export interface WaitingWrite {
  ticket: number
  write: Write
  bytes: number
  folders: number
  /** When it came, in monotonic milliseconds. */
  since: number
}

/** What a site's writes rest for together. */
export type Rest = Extract<Wait, 'disk' | 'lock' | 'push'>

export class SiteQueue {
  readonly site: SiteRef
  writer: SiteWriter | undefined
  /** When the batch at the head of the queue first met a foreign lock. */
  lockedSince: number | undefined
  /** Its writes wait for something, and take no turn before. */
  isResting = false
  /** The rests of its writes, the newest last. */
  #rests: { reason: Rest; began: number; ended: number }[] = []
  /** The turn that is under way; it never rejects. */
  turn: Promise<void> | undefined
  #writes: WaitingWrite[] = []
  readonly #others: { ticket: number; request: OtherRequest }[] = []
  #isOthersTurn = true

  constructor(site: SiteRef) {
    this.site = site
  }

  get isIdle(): boolean {
    return this.turn === undefined && this.#writes.length === 0 && this.#others.length === 0
  }

  /** Whether it has something to do now: one turn at a time, and no writes before their rest is over. */
  get isReady(): boolean {
    if (this.turn !== undefined) return false
    return this.#others.length > 0 || (this.#writes.length > 0 && !this.isResting)
  }

  /** Whether its batch, which met a foreign lock just now, tries again. */
  staysPatient(now: number): boolean {
    this.lockedSince ??= now
    return now - this.lockedSince < MAX_LOCKED_MS
  }

  addWrite(ticket: number, write: Write): void {
    const { operation } = write
    const folders = foldersOf(operation, MAX_BATCH_FOLDERS + 1)
    this.#writes.push({ ticket, write, bytes: sizeOf(operation), folders, since: performance.now() })
  }

  addOther(ticket: number, request: OtherRequest): void {
    this.#others.push({ ticket, request })
  }

  /** The next request that is no write; undefined where it is the turn of the writes, which alternate with them. */
  takeOther(): { ticket: number; request: OtherRequest } | undefined {
    const isTurn = this.#isOthersTurn || this.isResting || this.#writes.length === 0
    this.#isOthersTurn = !isTurn
    return isTurn ? this.#others.shift() : undefined
  }

  /** The next writes, as many as one batch may hold. */
  takeBatch(): WaitingWrite[] {
    let count = 0
    let bytes = 0
    let folders = 0
    for (const write of this.#writes) {
      bytes += write.bytes
      folders += write.folders
      const isOver = count === MAX_BATCH_WRITES || bytes > MAX_BATCH_BYTES || folders > MAX_BATCH_FOLDERS
      if (count > 0 && isOver) break
      count++
    }
    return this.#writes.splice(0, count)
  }

  /** Notes what the writes have rested for, until now. */
  noteRest(reason: Rest, began: number): void {
    this.#rests.push({ reason, began, ended: performance.now() })
    // The oldest write was there for these.
    const oldest = this.#writes[0]?.since ?? Number.POSITIVE_INFINITY
    this.#rests = this.#rests.filter(({ ended }) => ended > oldest)
  }

  /** What a write has waited for: rests of the site, other writes until its batch began, and the disk until that ended. */
  waitsOf({ since }: WaitingWrite, batchBegan: number, batchEnded: number): Waits {
    const waits = { queue: batchBegan - since, push: 0, lock: 0, disk: batchEnded - batchBegan }
    for (const { reason, began, ended } of this.#rests) {
      const milliseconds = Math.max(0, ended - Math.max(began, since))
      waits[reason] += milliseconds
      waits.queue -= milliseconds
    }
    return waits
  }

  putBack(batch: readonly WaitingWrite[]): void {
    this.#writes.unshift(...batch)
  }

  /** Empties the queue; answers the tickets of all that waited. */
  clear(): number[] {
    return [...this.#writes.splice(0), ...this.#others.splice(0)].map(({ ticket }) => ticket)
  }
}
