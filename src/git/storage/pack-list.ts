// The present packs of a repository: an operator's repack adds and removes packs at any time.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ObjectCorrupt, ObjectMissing } from '../objects/errors.js'
import { Pack } from './pack.js'
import type { ReadBudget } from './object-reader.js'

/** A folder changed within this time may change again and keep its modification time. */
const SETTLED_MS = 1000

export class PackList {
  readonly #folder: string
  readonly #budget: ReadBudget | undefined
  #packs: readonly Pack[] = []
  /** Modification time of the folder when all its packs were known; undefined makes the next `refresh` list the names. */
  #listedAt: number | undefined

  /** `folder` is `objects/pack` of the repository. The list is empty before the first `refresh`. */
  constructor(folder: string, budget?: ReadBudget) {
    this.#folder = folder
    this.#budget = budget
  }

  /**
   * Lists packs in the order in which to search them. The array is never changed in place: reading a base in the middle of a loop
   * over it may change the packs.
   */
  get all(): readonly Pack[] {
    return this.#packs
  }

  /** Moves a pack to the front: objects that are read together were mostly written together. */
  putFirst(pack: Pack): void {
    if (this.#packs[0] !== pack) this.#packs = [pack, ...this.#packs.filter((other) => other !== pack)]
  }

  /** Forgets a pack whose files are gone or damaged; the next `refresh` adds it again if they exist. */
  drop(pack: Pack): void {
    pack.close()
    this.#listedAt = undefined
    this.#packs = this.#packs.filter((other) => other !== pack)
  }

  /** Lists the packs again; a dropped pack counts as new. Returns whether a pack was added or removed. */
  refresh(): boolean {
    const changedAt = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt !== undefined && changedAt === this.#listedAt) return false
    const files = new Set(listNames(this.#folder))
    const names = new Set([...files].filter(isPackIndex).map(withoutEnding))
    for (const name of names) if (!this.#hasPack(files, name)) names.delete(name)
    const gone = this.#packs.filter((pack) => !names.delete(pack.name))
    for (const pack of gone) this.drop(pack)
    const added = newestFirst(this.#folder, [...names])
    this.#packs = [...added.map((name) => new Pack(this.#folder, name, this.#budget)), ...this.#packs]
    const isSettled = changedAt !== undefined && Date.now() - changedAt > SETTLED_MS
    this.#listedAt = isSettled ? changedAt : undefined
    return gone.length > 0 || names.size > 0
  }

  /** Whether an index has its pack; git also ignores one without. Asks again: a list made while files come may lack only the pack. */
  #hasPack(files: ReadonlySet<string>, name: string): boolean {
    return files.has(`${name}.pack`) || existsSync(join(this.#folder, `${name}.pack`))
  }

  /** Closes open files. */
  close(): void {
    for (const pack of this.#packs) pack.close()
    this.#packs = []
    this.#listedAt = undefined
  }
}

/** Returns the error if it is about one copy of an object. Throws any other (no more file descriptors, a failing disk). */
export function damageOf(error: unknown): unknown {
  if (error instanceof ObjectCorrupt || error instanceof ObjectMissing || isAbsence(error)) return error
  throw error
}

export function isAbsence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Sorts packs newest first, as new objects are asked for most. Reading a file's time costs a tenth of opening the pack. */
function newestFirst(folder: string, names: string[]): string[] {
  const madeAt = new Map(names.map((name) => [name, timeOf(join(folder, `${name}.idx`))]))
  return names.toSorted((a, b) => (madeAt.get(b) ?? 0) - (madeAt.get(a) ?? 0))
}

/** Returns a file's time; 0 if it was removed since it was listed. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
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
