// Compares what two readers find in main: our own and isomorphic-git. Both read every commit of the history, and every folder and file as
// main has them now.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ObjectCorrupt, ObjectMissing, RepositoryInvalid } from '../../git/objects/errors.js'
import type { GitObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_GITLINK, MODE_TREE, parseTree, type TreeEntry } from '../../git/objects/tree.js'
import { readRef } from '../../git/repository/ref.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { MAIN } from '../format/main-ref.js'
import { openSecondReader, type SecondReader } from './second-reader.js'

/** isomorphic-git holds packs and whole files in memory. What is larger is left to git and our own reader. */
const MAX_PACK_BYTES = 256 * 1024 * 1024
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The memory that the index of a pack takes, as a multiple of its file. */
const INDEX_WEIGHT = 5
/** Each object is read once. Only folders are needed again, while their files are read. */
const CACHE_BYTES = 4 * 1024 * 1024
/** A damaged pack makes every object in it differ. */
const MAX_DIFFERENCES = 20
/** Number of objects that are read without a pause. */
const OBJECTS_AT_ONCE = 100
const COMMIT = 'a commit of main'

export interface Difference {
  /** A path in main, or the words for a commit or the root folder. */
  path: string
  oid: Oid
  /** One sentence without a full stop. */
  what: string
}

export interface Comparison {
  /** At most 20; the comparison ends with the last of them. */
  differences: Difference[]
  /** The parts that were too large for the second reader; a sentence without a full stop each. */
  left: string[]
  /** Number of objects that both readers read. */
  objects: number
}

/**
 * Compares main in a bare repository to which nobody writes meanwhile. `onRead` is told the number of objects after each 100.
 * Throws RepositoryInvalid without a main branch, and errors of the system.
 */
export async function compareMain(
  gitdir: string,
  onRead: (objects: number) => void = () => undefined,
): Promise<Comparison> {
  const bytes = memoryOfPacks(join(gitdir, 'objects', 'pack'))
  if (bytes > MAX_PACK_BYTES)
    return {
      differences: [],
      left: [`its packs need ${inMebibytes(bytes)}, more than ${inMebibytes(MAX_PACK_BYTES)}`],
      objects: 0,
    }
  const odb = new ObjectDatabase(gitdir, { cacheBytes: CACHE_BYTES })
  try {
    return await new MainComparison(odb, await openSecondReader(gitdir), onRead).run(readRef(gitdir, MAIN))
  } finally {
    odb.close()
  }
}

class MainComparison {
  readonly #odb: ObjectDatabase
  readonly #second: SecondReader
  readonly #onRead: (objects: number) => void
  readonly #differences: Difference[] = []
  /** Objects that were begun. */
  readonly #seen = new Set<Oid>()
  #objects = 0
  #largeFiles = 0

  constructor(odb: ObjectDatabase, second: SecondReader, onRead: (objects: number) => void) {
    this.#odb = odb
    this.#second = second
    this.#onRead = onRead
  }

  async run(head: Oid | undefined): Promise<Comparison> {
    if (head === undefined) throw new RepositoryInvalid(`${MAIN} does not exist`)
    const theirs = await this.#second.resolve(MAIN)
    if (theirs !== head) this.#report(MAIN, head, `isomorphic-git finds ${theirs} there`)
    await this.#compareHistory(head)
    const tree = this.#treeOf(head)
    if (tree !== undefined) await this.#compareFolders(tree)
    const left = this.#largeFiles === 0 ? [] : [`${this.#largeFiles} file(s) above ${inMebibytes(MAX_FILE_BYTES)}`]
    return { differences: this.#differences, left, objects: this.#objects }
  }

  async #compareHistory(head: Oid): Promise<void> {
    const waiting = [head]
    for (let oid = waiting.pop(); oid !== undefined && !this.#isFull; oid = waiting.pop()) {
      if (this.#begins(oid)) waiting.push(...(await this.#parentsOf(oid)))
    }
  }

  /** Returns the parents that both readers find; none if they differ. */
  async #parentsOf(oid: Oid): Promise<readonly Oid[]> {
    if (!(await this.#hasSameBytes(COMMIT, oid))) return []
    const ours = this.#ours(() => this.#odb.readCommit(oid))
    const theirs = await this.#attempt(() => this.#second.readCommit(oid))
    const areRead = !(ours instanceof Error || theirs instanceof Error)
    if (areRead && ours.tree === theirs.tree && ours.parents.join() === theirs.parents.join()) return ours.parents
    this.#report(COMMIT, oid, 'the readers find different trees or parents in it')
    return []
  }

  async #compareFolders(root: Oid): Promise<void> {
    const waiting = [{ oid: root, path: '' }]
    for (let folder = waiting.pop(); folder !== undefined && !this.#isFull; folder = waiting.pop()) {
      const { oid, path } = folder
      if (!this.#begins(oid)) continue
      for (const { mode, name, oid: inner } of await this.#entriesOf(path, oid)) {
        if (this.#isFull) return
        if (mode === MODE_TREE) waiting.push({ oid: inner, path: `${path}${name}/` })
        else if (mode !== MODE_GITLINK) await this.#compareFile(`${path}${name}`, inner)
      }
    }
  }

  /** Returns the entries that both readers find; none if they differ. */
  async #entriesOf(path: string, oid: Oid): Promise<readonly TreeEntry[]> {
    const name = path === '' ? 'the root folder' : path
    if (!(await this.#hasSameBytes(name, oid))) return []
    const ours = this.#ours(() => parseTree(this.#odb.readTree(oid)))
    const theirs = await this.#attempt(() => this.#second.readTree(oid))
    if (!(ours instanceof Error || theirs instanceof Error) && haveSameEntries(ours, theirs)) return ours.entries
    const why = theirs instanceof Error ? `: ${theirs.message}` : ''
    this.#report(name, oid, `the readers find different entries in it${why}`)
    return []
  }

  async #compareFile(path: string, oid: Oid): Promise<void> {
    if (!this.#begins(oid)) return
    const size = this.#ours(() => this.#odb.readHeader(oid).size)
    if (typeof size === 'number' && size > MAX_FILE_BYTES) this.#largeFiles += 1
    else await this.#hasSameBytes(path, oid)
  }

  /** Whether both readers find the same object; reports the difference. */
  async #hasSameBytes(path: string, oid: Oid): Promise<boolean> {
    const ours = this.#ours(() => this.#odb.read(oid))
    const theirs = await this.#attempt(() => this.#second.read(oid))
    const what = differenceOf(ours, theirs)
    if (what !== undefined) this.#report(path, oid, what)
    this.#objects += 1
    if (this.#objects % OBJECTS_AT_ONCE === 0) await this.#pause()
    return what === undefined
  }

  /** Lets the terminal show the state, and take Ctrl-C: the readers block the thread. */
  async #pause(): Promise<void> {
    this.#onRead(this.#objects)
    await nextTurn()
  }

  #treeOf(commit: Oid): Oid | undefined {
    const tree = this.#ours(() => this.#odb.readCommit(commit).tree)
    return tree instanceof Error ? undefined : tree
  }

  /** Returns the damage that our own reader finds in place of a value. */
  #ours<T>(read: () => T): T | Error {
    try {
      return read()
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof ObjectCorrupt) return error
      throw error
    }
  }

  /** Returns isomorphic-git's own errors in place of a value. */
  async #attempt<T>(read: () => Promise<T>): Promise<T | Error> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Error) || 'syscall' in error) throw error
      return error
    }
  }

  #begins(oid: Oid): boolean {
    if (this.#seen.has(oid)) return false
    this.#seen.add(oid)
    return true
  }

  get #isFull(): boolean {
    return this.#differences.length >= MAX_DIFFERENCES
  }

  #report(path: string, oid: Oid, what: string): void {
    this.#differences.push({ path, oid, what })
  }
}

function differenceOf(
  ours: GitObject | Error,
  theirs: { type: string; content: Uint8Array } | Error,
): string | undefined {
  if (ours instanceof Error) {
    const both = theirs instanceof Error
    return both ? `neither reader reads it: ${ours.message}` : `only isomorphic-git reads it: ${ours.message}`
  }
  if (theirs instanceof Error) return `isomorphic-git does not read it: ${theirs.message}`
  const areSame = ours.type === theirs.type && Buffer.compare(ours.content, theirs.content) === 0
  return areSame ? undefined : 'isomorphic-git reads other bytes'
}

/** Compares the entries that our own reader takes, and counts those that it skips for their names. */
function haveSameEntries(
  { entries, skipped }: ReturnType<typeof parseTree>,
  theirs: readonly { mode: string; name: string; oid: Oid }[],
): boolean {
  const found = new Set(theirs.map(({ mode, name, oid }) => `${mode} ${oid} ${name}`))
  const isFound = ({ mode, name, oid }: TreeEntry) => found.has(`${mode.toString(8).padStart(6, '0')} ${oid} ${name}`)
  return theirs.length === entries.length + skipped.length && entries.every(isFound)
}

function memoryOfPacks(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => {
    const weight = name.endsWith('.pack') ? 1 : name.endsWith('.idx') ? INDEX_WEIGHT : 0
    return weight === 0 ? sum : sum + weight * statSync(join(folder, name)).size
  }, 0)
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`
}
