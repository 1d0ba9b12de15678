// Reads a repository's objects, packed or loose. Every object is checked against its id. Packs may come and go during a
// read (an operator's repack): they are then listed again. Objects of another repository are read only if the caller names it.

import { join } from 'node:path'
import { ObjectCorrupt, ObjectMissing } from '../objects/errors.js'
import { readLargeBlob } from './large-blob.js'
import { ObjectCache } from './object-cache.js'
import { type BlobSpan, ObjectReader, type ReadBudget } from './object-reader.js'
import { hasLooseObject, type ObjectHeader, readLooseHeader, readLooseObject } from './loose.js'
import { checkObject, type GitObject, type NewObject } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import type { Pack } from './pack.js'
import { damageOf, isAbsence, PackList } from './pack-list.js'
import { EMPTY_TREE } from '../objects/tree.js'

/** Larger blobs are read again and not kept: a few of them would empty the cache. */
const MAX_CACHED_BLOB_BYTES = 1024 * 1024
/** A repack can replace the packs between listing and opening them; hardly ever this many times in a row. */
const MAX_LISTINGS = 8
/** Means: the blob exists, but is not stored uncompressed. */
const NOT_STORED = Buffer.alloc(0)
const EMPTY: GitObject = { type: 'tree', content: Buffer.alloc(0) }

export interface ObjectDatabaseOptions {
  /** Bytes of objects kept in memory. Default: all repositories share one limit. */
  cacheBytes?: number
  /** Without it, a read takes as long as it takes. */
  budget?: ReadBudget | undefined
  /** Another repository, whose objects are read too. */
  lender?: string | undefined
}

export class ObjectDatabase extends ObjectReader {
  readonly #gitdir: string
  /** The folder of its objects. */
  readonly #folder: string
  #cache: ObjectCache
  readonly #cacheBytes: number | undefined
  readonly #packs: PackList
  /** The folders to search: its own, then the lender's. */
  readonly #folders: readonly ObjectFolder[]
  readonly #budget: ReadBudget | undefined

  constructor(gitdir: string, { cacheBytes, budget, lender }: ObjectDatabaseOptions = {}) {
    super()
    this.#gitdir = gitdir
    this.#folder = join(gitdir, 'objects')
    this.#cacheBytes = cacheBytes
    this.#cache = new ObjectCache(cacheBytes)
    this.#budget = budget
    this.#packs = new PackList(join(this.#folder, 'pack'), budget)
    this.#folders = [
      { folder: this.#folder, packs: this.#packs },
      ...(lender === undefined ? [] : [folderOf(lender, budget)]),
    ]
  }

  override read(oid: Oid): GitObject {
    const known = this.#known(oid)
    if (known !== undefined) return known
    const object = this.#fetch(oid, {
      packed: (pack, offset) =>
        checkObject(
          oid,
          pack.read(offset, (base) => this.read(base)),
        ),
      loose: (folder) => {
        const header = this.#budget && readLooseHeader(folder, oid)
        if (header !== undefined) this.#budget?.spend(header.size)
        const found = readLooseObject(folder, oid)
        return found && checkObject(oid, found)
      },
    })
    this.#keep(oid, object)
    return object
  }

  /** Inflates only as much of the object as its header needs, and trusts the header. */
  override readHeader(oid: Oid): ObjectHeader {
    const known = this.#known(oid)
    if (known !== undefined) return { type: known.type, size: known.content.length }
    return this.#fetch(oid, {
      packed: (pack, offset) => pack.readHeader(offset, (base) => this.readHeader(base)),
      loose: (folder) => readLooseHeader(folder, oid),
    })
  }

  override isStored(oid: Oid): boolean {
    try {
      return this.#fetch(oid, {
        packed: () => true,
        loose: (folder) => (hasLooseObject(folder, oid) ? true : undefined),
      })
    } catch (error) {
      if (error instanceof ObjectMissing) return false
      throw error
    }
  }

  override storedAs(oid: Oid): 'whole' | 'delta' {
    return this.#fetch(oid, {
      packed: (pack, offset) => (pack.isDelta(offset) ? 'delta' : 'whole'),
      loose: (folder) => (readLooseHeader(folder, oid) === undefined ? undefined : 'whole'),
    })
  }

  /** Looks for the blob again each time, because packs may go while a visitor reads. */
  override readStored(oid: Oid, start: number, length: number): Buffer | undefined {
    const bytes = this.#fetch(oid, {
      packed: (pack, offset) => pack.readStored(offset, start, length) ?? NOT_STORED,
      loose: (folder) => readLooseHeader(folder, oid) && NOT_STORED,
    })
    return bytes === NOT_STORED ? undefined : bytes
  }

  override async *readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer> {
    const { size } = this.readHeader(oid)
    const readStored = async (at: number, length: number) => this.readStored(oid, at, length)
    yield* readLargeBlob({ gitdir: this.#gitdir, oid, size, readStored }, span)
  }

  /**
   * Reads every copy of an object from the disk, even if it is in memory. Returns the damage of each bad copy, and
   * whether there is a good one. Throws ObjectMissing if there is no copy.
   */
  checkCopies(oid: Oid): { isReadable: boolean; damages: ObjectCorrupt[] } {
    this.#packs.refresh()
    const key = Buffer.from(oid, 'hex')
    const copies = this.#packs.all.map((pack) => () => {
      const offset = offsetIn(pack, key)
      return offset === undefined ? undefined : pack.read(offset, (base) => this.read(base))
    })
    let isReadable = false
    const damages: ObjectCorrupt[] = []
    for (const read of [...copies, () => readLooseObject(this.#folder, oid)]) {
      try {
        const object = read()
        if (object === undefined) continue
        checkObject(oid, object)
        isReadable = true
      } catch (error) {
        const damage = damageOf(error)
        // A repack may have removed the pack; its objects are in another one then.
        if (damage instanceof ObjectCorrupt) damages.push(damage)
      }
    }
    if (!isReadable && damages.length === 0) this.read(oid)
    return { isReadable: isReadable || damages.length === 0, damages }
  }

  /** Adds objects that were just stored to the cache, in place of those that they are new versions of. */
  remember(objects: readonly NewObject[]): void {
    for (const { oid, type, content, previous } of objects) {
      if (previous !== undefined) this.#cache.delete(previous)
      this.#keep(oid, { type, content })
    }
  }

  /** Drops an object from the cache. */
  override forget(oid: Oid): void {
    this.#cache.delete(oid)
  }

  /** Closes open files; a later read opens them again. */
  close(): void {
    for (const { packs } of this.#folders) packs.close()
    this.#cache = new ObjectCache(this.#cacheBytes)
  }

  #known(oid: Oid): GitObject | undefined {
    return oid === EMPTY_TREE ? EMPTY : this.#cache.get(oid)
  }

  #keep(oid: Oid, object: GitObject): void {
    if (object.type !== 'blob' || object.content.length <= MAX_CACHED_BLOB_BYTES) this.#cache.setRead(oid, object)
  }

  /** Lists the packs again. Returns whether any was added or removed. */
  #refresh(): boolean {
    return this.#folders.map(({ packs }) => packs.refresh()).includes(true)
  }

  /** Reads from packs first, then from the loose file; then again while packs come and go. A damaged copy is skipped. */
  #fetch<T>(oid: Oid, read: Copies<T>): T {
    const key = Buffer.from(oid, 'hex')
    const tried = new Set<Pack>()
    let damage: unknown
    for (let listings = 1; ; listings++) {
      let vanished = false
      for (const { folder, packs } of this.#folders) {
        for (const pack of packs.all) {
          if (tried.has(pack)) continue
          tried.add(pack)
          try {
            const offset = pack.find(key)
            if (offset === undefined) continue
            const found = read.packed(pack, offset)
            packs.putFirst(pack)
            return found
          } catch (error) {
            damage = damageOf(error)
            vanished ||= isAbsence(error)
            packs.drop(pack)
          }
        }
        try {
          const found = read.loose(folder)
          if (found !== undefined) return found
        } catch (error) {
          damage = damageOf(error)
        }
      }
      const changed = this.#refresh()
      if (!(changed || vanished) || listings === MAX_LISTINGS) break
    }
    if (!(damage instanceof ObjectCorrupt)) throw new ObjectMissing(oid)
    throw damage.oid === undefined ? new ObjectCorrupt(`object ${oid}`, damage.message, oid) : damage
  }
}

/** Ways to read one object; `loose` returns undefined if there is no such file in the folder. */
interface Copies<T> {
  packed(pack: Pack, offset: number): T
  loose(folder: string): T | undefined
}

/** A folder of objects, and the packs in it. */
interface ObjectFolder {
  folder: string
  packs: PackList
}

function folderOf(gitdir: string, budget: ReadBudget | undefined): ObjectFolder {
  const folder = join(gitdir, 'objects')
  return { folder, packs: new PackList(join(folder, 'pack'), budget) }
}

/** Finds an object in a pack; undefined also if the index cannot be read, which `findBrokenPacks` reports. */
function offsetIn(pack: Pack, key: Buffer): number | undefined {
  try {
    return pack.find(key)
  } catch (error) {
    damageOf(error)
    return undefined
  }
}
