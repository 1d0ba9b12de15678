// Renames a damaged index file with its log to `index.db.broken-<time>`: at most once a minute, so that no fault can make
// the service rebuild its index all the time, and with few copies kept.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../../model/clock.js'
import { ServiceError } from '../../../model/errors.js'

const MIN_INTERVAL_MS = 60_000
const MAX_COPIES = 2

export class SetAside {
  readonly #path: string
  readonly #clock: Clock
  readonly #onRenamed: ((to: string, cause: unknown) => void) | undefined

  /** `onRenamed` is told the new name. */
  constructor(path: string, clock: Clock, onRenamed: ((to: string, cause: unknown) => void) | undefined) {
    this.#path = path
    this.#clock = clock
    this.#onRenamed = onRenamed
  }

  /** Throws `storage_failed` where a file was set aside within the last minute. */
  rename(cause: unknown): void {
    const now = this.#clock()
    const copies = this.#listCopies()
    const last = copies.at(-1)
    if (last !== undefined && Math.abs(now.getTime() - timeOf(last)) < MIN_INTERVAL_MS) {
      const refusal = new ServiceError(
        'storage_failed',
        'The index is damaged, and was replaced less than a minute ago. Try again in a minute; hosted pages are not affected.',
      )
      throw Object.assign(refusal, { cause })
    }
    const to = `${this.#path}.broken-${now.toISOString().replaceAll(/[:.]/g, '-')}`
    renameSync(this.#path, to)
    // The log belongs to the file that it was written for.
    if (existsSync(`${this.#path}-wal`)) renameSync(`${this.#path}-wal`, `${to}-wal`)
    this.removeCompanions()
    for (const copy of copies.slice(0, Math.max(0, copies.length + 1 - MAX_COPIES))) this.#removeCopy(copy)
    this.#onRenamed?.(to, cause)
  }

  remove(): void {
    rmSync(this.#path, { force: true })
    this.removeCompanions()
  }

  /** The log and the shared memory of the file. */
  removeCompanions(): void {
    rmSync(`${this.#path}-wal`, { force: true, recursive: true })
    rmSync(`${this.#path}-shm`, { force: true, recursive: true })
  }

  /** Names, the oldest first. */
  #listCopies(): string[] {
    const prefix = `${basename(this.#path)}.broken-`
    return readdirSync(dirname(this.#path))
      .filter((name) => name.startsWith(prefix) && !name.endsWith('-wal'))
      .toSorted()
  }

  #removeCopy(name: string): void {
    const copy = join(dirname(this.#path), name)
    rmSync(copy, { force: true, recursive: true })
    rmSync(`${copy}-wal`, { force: true })
  }
}

/** Milliseconds since the epoch, from `index.db.broken-2026-11-21T10-00-00-000Z`; NaN for any other name. */
function timeOf(name: string): number {
  const [, day, hour, minute, second, millisecond] = /broken-(.{10})T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(name) ?? []
  return Date.parse(`${day}T${hour}:${minute}:${second}.${millisecond}Z`)
}
