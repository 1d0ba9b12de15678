// Reads main's folders and the files in them, in parts, and compares them with their ids.
// A folder that occurs twice is read once, so that no tree is endless.

import { ObjectCorrupt, ObjectMissing } from '../../../git/objects/errors.js'
import { checkLargeBlob } from '../../../git/storage/large-blob.js'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import type { Oid } from '../../../git/objects/oid.js'
import { readRef } from '../../../git/repository/ref.js'
import { MODE_TREE, parseTree } from '../../../git/objects/tree.js'
import { isFile, isLink } from '../../format/file-mode.js'
import { MAIN } from '../../format/main-ref.js'

/** A part ends after this many bytes or milliseconds. */
const PART_BYTES = 512 * 1024
const PART_MS = 20
/** Larger blobs are checked in pieces. */
const MAX_IN_MEMORY_BYTES = 16 * 1024 * 1024
/** A small cache: each object is read once. Only folders are needed again, while their files are read. */
const CACHE_BYTES = 4 * 1024 * 1024

/** An object whose bytes do not match its id. */
export interface Damage {
  oid: Oid
  /** One sentence. */
  what: string
}

export interface Part {
  /** Bytes read since the last part. */
  bytes: number
  damages: Damage[]
  /** Whether this was the last part. */
  isOver: boolean
}

interface Served {
  oid: Oid
  /** Its path, for the report. */
  name: string
}

export class ServedObjects {
  readonly #gitdir: string
  readonly #odb: ObjectDatabase
  readonly #head: Oid | undefined
  readonly #objects: Iterator<Served>

  constructor(gitdir: string) {
    this.#gitdir = gitdir
    this.#odb = new ObjectDatabase(gitdir, { cacheBytes: CACHE_BYTES })
    this.#head = readHead(gitdir)
    this.#objects = this.#list()
  }

  /** Reads for 20 ms or 512 KiB; one large file may take longer. */
  async checkPart(): Promise<Part> {
    const end = performance.now() + PART_MS
    const damages: Damage[] = []
    let bytes = 0
    while (bytes < PART_BYTES && performance.now() < end) {
      const { value, done } = this.#objects.next()
      if (done === true) return this.#end({ bytes, damages, isOver: true })
      const found = await checkObject(this.#gitdir, this.#odb, value.oid)
      bytes += found.bytes
      if (found.what !== undefined) damages.push({ oid: value.oid, what: `${value.name}: ${found.what}` })
    }
    return this.#end({ bytes, damages, isOver: false })
  }

  close(): void {
    this.#odb.close()
  }

  /** Drops the damages if main has moved since: an operator may have removed a missing object on purpose. */
  #end(part: Part): Part {
    return part.damages.length === 0 || readHead(this.#gitdir) === this.#head
      ? part
      : { ...part, damages: [], isOver: true }
  }

  *#list(): Generator<Served> {
    if (this.#head === undefined) return
    let tree: Oid
    try {
      tree = this.#odb.readCommit(this.#head).tree
    } catch (error) {
      // The patrol reports a head that cannot be read, and clears that report when main moves.
      passOver(error)
      return
    }
    const seen = new Set<Oid>([tree])
    const folders = [{ oid: tree, path: '' }]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      yield { oid: folder.oid, name: folder.path === '' ? 'the root folder' : folder.path }
      for (const { name, mode, oid } of this.#entriesOf(folder.oid)) {
        const path = `${folder.path}${name}`
        if (isFile(mode) || isLink(mode)) yield { oid, name: path }
        else if (mode === MODE_TREE && !seen.has(oid)) {
          seen.add(oid)
          folders.push({ oid, path: `${path}/` })
        }
      }
    }
  }

  #entriesOf(tree: Oid) {
    try {
      return parseTree(this.#odb.readTree(tree)).entries
    } catch (error) {
      passOver(error)
      return []
    }
  }
}

/** Checks the copies of one object. Returns the damage, if any, and the number of bytes read. */
export async function checkObject(
  gitdir: string,
  odb: ObjectDatabase,
  oid: Oid,
): Promise<{ bytes: number; what?: string }> {
  let bytes = 0
  try {
    const { size } = odb.readHeader(oid)
    bytes = size
    if (size > MAX_IN_MEMORY_BYTES) {
      await checkLargeBlob({ gitdir, oid, size })
      return { bytes }
    }
    const { isReadable, damages } = odb.checkCopies(oid)
    const [damage] = damages
    if (damage === undefined) return { bytes }
    return { bytes, what: `${damage.message}${isReadable ? '; another copy of it is served' : '; it is not served'}` }
  } catch (error) {
    passOver(error)
    return { bytes, what: (error as Error).message }
  }
}

/** Returns the commit at main; undefined if it cannot be read. */
export function readHead(gitdir: string): Oid | undefined {
  try {
    return readRef(gitdir, MAIN)
  } catch {
    // The patrol reports it.
    return undefined
  }
}

/** Ignores damage, which is reported when the object itself is checked. Throws other errors, for example of a failing disk. */
function passOver(error: unknown): void {
  if (!(error instanceof ObjectMissing || error instanceof ObjectCorrupt)) throw error
}
