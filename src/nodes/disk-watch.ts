// Checks every second whether this node's disk takes writes, by writing a little. A node whose disk is full or cannot be written
// is not ready until it can be written again.

import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SharedRun } from '../threads/shared-run.js'

const PACE_MS = 1000
const FILE = '.disk-watch'

export class DiskWatch {
  readonly #folder: string
  readonly #reserveBytes: number
  readonly #onChange: (fault: string | undefined) => void
  readonly #timer: NodeJS.Timeout
  readonly #measurements = new SharedRun(() => this.#measure())
  #fault: string | undefined

  /** `reserveBytes`: with less free space the service refuses writes. `onChange` is called for each fault, and for its end. */
  constructor(folder: string, reserveBytes: number, onChange: (fault: string | undefined) => void) {
    this.#folder = folder
    this.#reserveBytes = reserveBytes
    this.#onChange = onChange
    this.#timer = setInterval(() => void this.measure(), PACE_MS).unref()
    void this.measure()
  }

  /** Returns why nothing can be stored; undefined if it can. */
  fault(): string | undefined {
    return this.#fault
  }

  /** Resolves after a measurement of the disk that began after this call. Never rejects. */
  async measure(): Promise<void> {
    await this.#measurements.after()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #measure(): Promise<void> {
    const found = await this.#find()
    const isNew = (found === undefined) !== (this.#fault === undefined)
    this.#fault = found
    if (isNew) this.#onChange(found)
  }

  async #find(): Promise<string | undefined> {
    try {
      const { bavail, bsize } = await statfs(this.#folder)
      if (bavail * bsize < this.#reserveBytes) return `${bavail * bsize} bytes are free, less than DISK_RESERVE_BYTES`
      await writeFile(join(this.#folder, FILE), String(Date.now()))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
}
