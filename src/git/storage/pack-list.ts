// The packs of a repository as they are now: an operator's repack adds and removes packs at any time.

import { readdirSync, statSync } from 'node:fs'
import { ObjectCorrupt, ObjectMissing } from '../objects/errors.js'
import { Pack } from './pack.js'
import { type ReadPace, UNPACED } from './object-reader.js'

/** A folder that changed within this time may change again and keep its modification time. */
const SETTLED_MS = 1000
/** What opening a pack's index costs, as bytes that are read. */
const INDEX_BYTES = 4096

export class PackList {
  readonly #folder: string
  readonly #pace: ReadPace
  #packs: readonly Pack[] = []
  /** The folder's modification time when all its packs were known; undefined makes the next `refresh` list the names. */
  #listedAt: number | undefined

  /** `folder` is `objects/pack` of the repository. Nothing is known of it before the first `refresh`. */
  constructor(folder: string, pace: ReadPace = UNPACED) {
    this.#folder = folder
    this.#pace = pace
  }

  /**
   * In the order in which to look. The array is never changed in place: reading a base, in the middle of a loop over it, may
   * change the packs.
   */
  get all(): readonly Pack[] {
    return this.#packs
  }

  /** Moves a pack to the front: objects that are read together were mostly written together. */
  putFirst(pack: Pack): void {
    if (this.#packs[0] !== pack) this.#packs = [pack, ...this.#packs.filter((other) => other !== pack)]
  }

  /** Forgets a pack whose files are gone or damaged; the next `refresh` adds it again if they are there. */
  drop(pack: Pack): void {
    pack.close()
    this.#listedAt = undefined
    this.#packs = this.#packs.filter((other) => other !== pack)
  }

  /** Lists the packs again; a dropped one counts as new. True when a pack was added or removed. */
  refresh(): boolean {
    const changedAt = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt !== undefined && changedAt === this.#listedAt) return false
    const names = new Set(listNames(this.#folder).filter(isPackIndex).map(withoutEnding))
    const gone = this.#packs.filter((pack) => !names.delete(pack.name))
    for (const pack of gone) this.drop(pack)
    const added: Pack[] = []
    try {
      for (const name of names) {
        this.#pace.before(INDEX_BYTES)
        try {
          added.push(new Pack(this.#folder, name, this.#pace))
        } catch (error) {
          // Removed since it was listed, or its index cannot be read: its objects are looked for elsewhere.
          damageOf(error)
        }
      }
    } finally {
      // Where the pace ends this, the next refresh goes on with the packs that are left.
      this.#packs = [...added, ...this.#packs]
    }
    const isSettled = changedAt !== undefined && Date.now() - changedAt > SETTLED_MS
    this.#listedAt = isSettled && added.length === names.size ? changedAt : undefined
    return gone.length > 0 || names.size > 0
  }

  /** Closes open files. */
  close(): void {
    for (const pack of this.#packs) pack.close()
    this.#packs = []
    this.#listedAt = undefined
  }
}

/** The error, where it is about one copy of an object. Throws any other (no more file descriptors, a failing disk). */
export function damageOf(error: unknown): unknown {
  if (error instanceof ObjectCorrupt || error instanceof ObjectMissing || isAbsence(error)) return error
  throw error
}

export function isAbsence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function isPackIndex(file: string): boolean {
  return /^pack-[0-9a-f]+\.idx$/.test(file)
}

function withoutEnding(file: string): string {
  return file.slice(0, file.lastIndexOf('.'))
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}
