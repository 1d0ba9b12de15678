// The packs of a repository as they are now: an operator's repack makes new ones and removes old ones under the reader.

import { readdirSync, statSync } from 'node:fs'
import { ObjectCorrupt, ObjectMissing } from '../objects/errors.js'
import { Pack } from './pack.js'

/** A folder that changed this lately may change again without its time showing it: milliseconds. */
const SETTLED_MS = 1000

export class PackList {
  readonly #folder: string
  #packs: readonly Pack[] = []
  /** The folder's time when all it held was known; undefined makes the next look one at the names. */
  #listedAt: number | undefined

  /** `folder` is `objects/pack` of the repository. Nothing is known of it before the first `refresh`. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * The one put first last comes first. The array is never changed in place: reading a base, in the middle of a loop over it,
   * may change the packs.
   */
  get all(): readonly Pack[] {
    return this.#packs
  }

  /** It answered: what is read together was mostly written together. */
  putFirst(pack: Pack): void {
    if (this.#packs[0] !== pack) this.#packs = [pack, ...this.#packs.filter((other) => other !== pack)]
  }

  /** Its files are gone or damaged; the next `refresh` takes it up again if they are there. */
  drop(pack: Pack): void {
    pack.close()
    this.#listedAt = undefined
    this.#packs = this.#packs.filter((other) => other !== pack)
  }

  /** Looks which packs there are now; a dropped one is new again. True unless all were known and none is gone. */
  refresh(): boolean {
    const changedAt = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt !== undefined && changedAt === this.#listedAt) return false
    const names = new Set(listNames(this.#folder).filter(isPackIndex).map(withoutEnding))
    const gone = this.#packs.filter((pack) => !names.delete(pack.name))
    for (const pack of gone) this.drop(pack)
    const added: Pack[] = []
    for (const name of names) {
      try {
        added.push(new Pack(this.#folder, name))
      } catch (error) {
        // Removed since it was listed, or an index that cannot be read: its objects are looked for elsewhere.
        damageOf(error)
      }
    }
    this.#packs = [...added, ...this.#packs]
    const isSettled = changedAt !== undefined && Date.now() - changedAt > SETTLED_MS
    this.#listedAt = isSettled && added.length === names.size ? changedAt : undefined
    return gone.length > 0 || names.size > 0
  }

  /** Lets go of open files. */
  close(): void {
    for (const pack of this.#packs) pack.close()
    this.#packs = []
    this.#listedAt = undefined
  }
}

/** The error, when it is trouble of one copy. Anything else (no more file descriptors, a failing disk) is thrown on. */
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
