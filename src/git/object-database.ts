// Reads a repository's objects, packed or loose, whoever wrote them and whenever. Every object is checked against its
// id; packs that come and go under a reader (an operator's repack) are looked for again.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type Commit, parseCommit } from './commit.js'
import { ObjectCorrupt, ObjectMissing } from './errors.js'
import { readLooseObject } from './loose.js'
import type { GitObject, NewObject, ObjectType } from './object.js'
import { hashObject, type Oid } from './oid.js'
import { Pack } from './pack.js'

const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024
/** Larger blobs are read again rather than kept: a few of them would empty the cache. */
const MAX_CACHED_BLOB = 1024 * 1024
const ENTRY_OVERHEAD = 128

export interface ObjectDatabaseOptions {
  cacheBytes?: number
}

export class ObjectDatabase {
  readonly #gitdir: string
  readonly #cache: LRUCache<Oid, GitObject>
  readonly #packs = new Map<string, Pack>()

  constructor(gitdir: string, { cacheBytes = DEFAULT_CACHE_BYTES }: ObjectDatabaseOptions = {}) {
    this.#gitdir = gitdir
    this.#cache = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: ({ content }) => content.length + ENTRY_OVERHEAD,
    })
  }

  /** Throws ObjectMissing or ObjectCorrupt. The content is shared: never written to. */
  read(oid: Oid): GitObject {
    const known = this.#cache.get(oid)
    if (known !== undefined) return known
    const object = this.#fetch(oid, (pack, offset) => pack.read(offset, (base) => this.read(base)))
    if (hashObject(object.type, object.content) !== oid)
      throw new ObjectCorrupt(`object ${oid}`, 'its bytes have another id')
    this.#keep(oid, object)
    return object
  }

  /** Type and size; inflates no more of a packed object than its header needs. */
  readHeader(oid: Oid): { type: ObjectType; size: number } {
    const known = this.#cache.get(oid)
    if (known !== undefined) return { type: known.type, size: known.content.length }
    const found = this.#fetch(oid, (pack, offset) => pack.readHeader(offset, (base) => this.readHeader(base)))
    return 'content' in found ? { type: found.type, size: found.content.length } : found
  }

  has(oid: Oid): boolean {
    try {
      this.readHeader(oid)
      return true
    } catch (error) {
      if (error instanceof ObjectMissing) return false
      throw error
    }
  }

  readCommit(oid: Oid): Commit {
    return parseCommit(this.#readTyped(oid, 'commit'))
  }

  /** A tree's raw bytes. */
  readTree(oid: Oid): Buffer {
    return this.#readTyped(oid, 'tree')
  }

  readBlob(oid: Oid): Buffer {
    return this.#readTyped(oid, 'blob')
  }

  /** Takes what was just stored by us into the cache. */
  remember(objects: readonly NewObject[]): void {
    for (const { oid, type, content } of objects) this.#keep(oid, { type, content })
  }

  /** Lets go of open files; reading again opens them again. */
  close(): void {
    for (const pack of this.#packs.values()) pack.close()
    this.#packs.clear()
    this.#cache.clear()
  }

  #readTyped(oid: Oid, type: ObjectType): Buffer {
    const object = this.read(oid)
    if (object.type !== type) throw new ObjectCorrupt(`object ${oid}`, `it is a ${object.type}, not a ${type}`)
    return object.content
  }

  #keep(oid: Oid, object: GitObject): void {
    if (object.type !== 'blob' || object.content.length <= MAX_CACHED_BLOB) this.#cache.set(oid, object)
  }

  /** Packs first, then the loose file, then both again with the packs that are there by now. */
  #fetch<T>(oid: Oid, fromPack: (pack: Pack, offset: number) => T): T | GitObject {
    let damage: unknown
    for (const round of ['known packs', 'packs listed anew']) {
      if (round === 'packs listed anew' || this.#packs.size === 0) this.#listPacks()
      for (const [name, pack] of this.#packs) {
        try {
          const offset = pack.find(oid)
          if (offset !== undefined) return fromPack(pack, offset)
        } catch (error) {
          // A pack that is gone or damaged: another copy may be good.
          if (!isGoneOrDamaged(error)) throw error
          damage = error
          pack.close()
          this.#packs.delete(name)
        }
      }
      try {
        const loose = readLooseObject(this.#gitdir, oid)
        if (loose !== undefined) return loose
      } catch (error) {
        if (!isGoneOrDamaged(error)) throw error
        damage = error
      }
    }
    throw damage instanceof ObjectCorrupt ? damage : new ObjectMissing(oid)
  }

  #listPacks(): void {
    const folder = join(this.#gitdir, 'objects', 'pack')
    const found = new Set(
      readdirSync(folder)
        .filter((file) => /^pack-[0-9a-f]+\.idx$/.test(file))
        .map((file) => file.slice(0, -4)),
    )
    for (const [name, pack] of this.#packs) {
      if (found.has(name)) continue
      pack.close()
      this.#packs.delete(name)
    }
    for (const name of found) {
      if (this.#packs.has(name)) continue
      try {
        this.#packs.set(name, new Pack(join(folder, name)))
      } catch (error) {
        // Removed since it was listed, or an index that cannot be read: whoever asks for its objects is told.
        if (!isGoneOrDamaged(error)) throw error
      }
    }
  }
}

/** Trouble of this one copy; anything else (no more file descriptors, a failing disk) is trouble of the reader. */
function isGoneOrDamaged(error: unknown): boolean {
  if (error instanceof ObjectCorrupt || error instanceof ObjectMissing) return true
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
