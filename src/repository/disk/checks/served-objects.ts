// Reads the folders and files of main, or of all change requests of a site, in parts. Compares them with their ids. A folder that occurs
// twice is read once, so that no tree is endless. What change requests borrow is read with main.

import { ObjectCorrupt, ObjectMissing } from '../../../git/objects/errors.js'
import { checkLargeBlob } from '../../../git/storage/large-blob.js'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import type { Oid } from '../../../git/objects/oid.js'
import { readRef } from '../../../git/repository/ref.js'
import { MODE_TREE, parseTree } from '../../../git/objects/tree.js'
import { isFile, isLink } from '../../format/file-mode.js'
import { MAIN } from '../../format/main-ref.js'
import { branchesOf } from '../../protocol/request-branches.js'

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

/** A branch, and where it was when the walk began. */
interface Root {
  branch: string
  head: Oid
  /** Comes before the paths of its files, for the report. */
  prefix: string
}

interface Served {
  oid: Oid
  /** Its path, for the report. */
  name: string
  root: Root
}

export class ServedObjects {
  readonly #gitdir: string
  readonly #odb: ObjectDatabase
  readonly #lender: ObjectDatabase | undefined
  readonly #objects: Iterator<Served>
  /** Folders that were listed already. */
  readonly #seen = new Set<Oid>()

  /** `lender` is the repository of the site, for that of its change requests. */
  constructor(gitdir: string, lender?: string) {
    this.#gitdir = gitdir
    this.#odb = new ObjectDatabase(gitdir, { cacheBytes: CACHE_BYTES, lender })
    this.#lender = lender === undefined ? undefined : new ObjectDatabase(lender, { cacheBytes: 1 })
    this.#objects = this.#list(lender === undefined ? rootsOf(gitdir) : requestRootsOf(gitdir))
  }

  /** Reads for 20 ms or 512 KiB; one large file may take longer. */
  async checkPart(): Promise<Part> {
    const end = performance.now() + PART_MS
    const found: { damage: Damage; root: Root }[] = []
    let bytes = 0
    let isOver = false
    while (!isOver && bytes < PART_BYTES && performance.now() < end) {
      const { value, done } = this.#objects.next()
      isOver = done === true
      if (done === true) break
      const { oid, name, root } = value
      const checked = await checkObject(this.#gitdir, this.#odb, oid)
      bytes += checked.bytes
      if (checked.what !== undefined) found.push({ damage: { oid, what: `${name}: ${checked.what}` }, root })
    }
    // A branch may have moved since. An operator may have removed a missing object on purpose, or it was pruned with its branch.
    const still = found.filter(({ root }) => readHead(this.#gitdir, root.branch) === root.head)
    return { bytes, damages: still.map(({ damage }) => damage), isOver: isOver || still.length < found.length }
  }

  close(): void {
    this.#odb.close()
    this.#lender?.close()
  }

  *#list(roots: readonly Root[]): Generator<Served> {
    for (const root of roots) yield* this.#listBranch(root)
  }

  *#listBranch(root: Root): Generator<Served> {
    let tree: Oid
    try {
      tree = this.#odb.readCommit(root.head).tree
    } catch (error) {
      // The patrol reports a head that cannot be read, and clears that report when the branch moves.
      passOver(error)
      return
    }
    const folders = [{ oid: tree, path: '' }]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (this.#seen.has(folder.oid) || this.#isBorrowed(folder.oid)) continue
      this.#seen.add(folder.oid)
      yield { oid: folder.oid, name: `${root.prefix}${folder.path === '' ? 'the root folder' : folder.path}`, root }
      for (const { name, mode, oid } of this.#entriesOf(folder.oid)) {
        const path = `${folder.path}${name}`
        if (mode === MODE_TREE) folders.push({ oid, path: `${path}/` })
        else if ((isFile(mode) || isLink(mode)) && !this.#isBorrowed(oid))
          yield { oid, name: `${root.prefix}${path}`, root }
      }
    }
  }

  #isBorrowed(oid: Oid): boolean {
    return this.#lender?.isStored(oid) === true
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

function rootsOf(gitdir: string): Root[] {
  const head = readHead(gitdir)
  return head === undefined ? [] : [{ branch: MAIN, head, prefix: '' }]
}

function requestRootsOf(gitdir: string): Root[] {
  return branchesOf(gitdir).flatMap((request) => {
    const branch = `refs/heads/${request}`
    const head = readHead(gitdir, branch)
    return head === undefined ? [] : [{ branch, head, prefix: `${request}:` }]
  })
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

/** Returns the commit at a branch; undefined if it cannot be read. */
export function readHead(gitdir: string, branch = MAIN): Oid | undefined {
  try {
    return readRef(gitdir, branch)
  } catch {
    // The patrol reports it.
    return undefined
  }
}

/** Ignores damage, which is reported when the object itself is checked. Throws other errors, for example of a failing disk. */
function passOver(error: unknown): void {
  if (!(error instanceof ObjectMissing || error instanceof ObjectCorrupt)) throw error
}
