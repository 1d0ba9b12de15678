// The queue of one site in its writer thread: writes, which are made in batches, and other requests, which are served one by one.

import type { Waits } from '../../admission/waits.js'
import { foldersOf, sizeOf } from '../protocol/cost.js'
import type { SiteRef, Write } from '../protocol/write.js'
import type { WriterRequest } from '../protocol/writer-messages.js'
import type { SiteWriter } from './site-writer.js'

const MAX_BATCH_WRITES = 64
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** Measured: about 25 µs for each folder. A single write may make more, and is then a batch of its own. */
const MAX_BATCH_FOLDERS = 1000
/** The time for which a batch retries while another program holds the lock. */
const MAX_LOCKED_MS = 5000

export type OtherRequest = Exclude<WriterRequest, { type: 'write' }>

export interface WaitingWrite {
  ticket: number
  write: Write
  bytes: number
  folders: number
  /** The time of its arrival, in monotonic milliseconds. */
  since: number
}

export class SiteQueue {
  readonly site: SiteRef
  writer: SiteWriter | undefined
  /** The time when the batch at the head of the queue first met a foreign lock. */
  lockedSince: number | undefined
  /** Whether its writes wait for something, and take no turn before. */
  isResting = false
  /** The times for which its writes rested for the disk, the newest last. */
  #rests: { began: number; ended: number }[] = []
  /** Whether it stands in the line of its thread. */
  isInLine = false
  /** The turn in progress; it never rejects. */
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

  /** Whether it has something to do now. It takes one turn at a time, and no writes while they rest. */
  get isReady(): boolean {
    if (this.turn !== undefined) return false
    return this.#others.length > 0 || (this.#writes.length > 0 && !this.isResting)
  }

  /** Whether its batch, which just met a foreign lock, tries again. */
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

  /** Takes the next request that is no write. Returns undefined if it is the writes' turn, which alternates with theirs. */
  takeOther(): { ticket: number; request: OtherRequest } | undefined {
    const isTurn = this.#isOthersTurn || this.isResting || this.#writes.length === 0
    this.#isOthersTurn = !isTurn
    return isTurn ? this.#others.shift() : undefined
  }

  /** Takes the next writes, as many as one batch may hold. */
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

  /** Notes that the writes have rested for the disk until now. */
  noteRest(began: number): void {
    this.#rests.push({ began, ended: performance.now() })
    // Only rests that the oldest waiting write has seen are kept.
    const oldest = this.#writes[0]?.since ?? Number.POSITIVE_INFINITY
    this.#rests = this.#rests.filter(({ ended }) => ended > oldest)
  }

  /** Returns the waits of a write: whatever came before its batch began, and the disk, for which the site may have rested before too. */
  waitsOf({ since }: WaitingWrite, batchBegan: number, batchEnded: number): Waits {
    const rested = this.#rests.reduce((sum, { began, ended }) => sum + Math.max(0, ended - Math.max(began, since)), 0)
    return { queue: batchBegan - since - rested, disk: batchEnded - batchBegan + rested }
  }

  putBack(batch: readonly WaitingWrite[]): void {
    this.#writes.unshift(...batch)
  }

  /** Empties the queue. Returns the tickets of all that waited. */
  clear(): number[] {
    return [...this.#writes.splice(0), ...this.#others.splice(0)].map(({ ticket }) => ticket)
  }
}
