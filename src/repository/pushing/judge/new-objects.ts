// Walks the objects that a push brings, each once. All must be there, of the expected kind, and no larger than the API takes. Reads the
// sizes of files from their headers, so no file is expanded, however small it was packed.

import type { TreeReader } from '../../../git/objects/diff.js'
import { ObjectCorrupt } from '../../../git/objects/errors.js'
import type { ObjectType } from '../../../git/objects/object.js'
import type { Oid } from '../../../git/objects/oid.js'
import { parseTag } from '../../../git/objects/tag.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import type { FileSizes } from '../../../model/limits.js'
import { refusal } from './push-messages.js'
import { maxFileBytes, maxObjectBytes, type Place, placeOf } from './size-limits.js'
import { newEntries } from './tree-entries.js'

export interface ObjectsToCheck {
  objects: ObjectReader
  sizes: FileSizes
  /** Whether the site had the object before: then its size is not judged. */
  isOld: (oid: Oid) => boolean
}

/**
 * `commits` are all commits that are new; `tips` may be of any kind. What the first parent of a commit has is taken for checked.
 * Throws PushRefused, ObjectMissing and ObjectCorrupt.
 */
export function checkNewObjects(check: ObjectsToCheck, commits: readonly Oid[], tips: readonly Oid[]): void {
  const walk = new Walk(check)
  for (const oid of tips) walk.enterTip(oid)
  for (const oid of commits) walk.enterCommit(oid)
}

class Walk implements TreeReader {
  readonly #check: ObjectsToCheck
  /** Folders that were read, by the limits that they were judged by. */
  readonly #seen = new Set<string>()
  /** The folder of the last file. */
  #last: { folder: string; place: Place } = { folder: '', place: placeOf('') }

  constructor(check: ObjectsToCheck) {
    this.#check = check
  }

  /** Follows tags to what they name. Commits are listed by the caller. */
  enterTip(tip: Oid): void {
    const { objects } = this.#check
    for (let oid = tip; ; oid = parseTag(objects.read(oid).content)) {
      const { type, size } = objects.readHeader(oid)
      if (type === 'tree') return this.#enterTree(undefined, oid)
      if (type === 'blob') return this.#checkSize(oid, size, this.#check.sizes.maxFileBytes, `the file ${oid}`)
      this.#checkObject(oid, type)
      if (type === 'commit') return
    }
  }

  enterCommit(oid: Oid): void {
    const { tree, parents } = this.#readCommit(oid)
    this.#enterTree(parents[0] === undefined ? undefined : this.#readCommit(parents[0]).tree, tree)
  }

  readTree(oid: Oid): Buffer {
    this.#checkObject(oid, 'tree')
    return this.#check.objects.readTree(oid)
  }

  #readCommit(oid: Oid) {
    this.#checkObject(oid, 'commit')
    return this.#check.objects.readCommit(oid)
  }

  #enterTree(before: Oid | undefined, after: Oid): void {
    if (before === after || !this.#isUnseen(after, '')) return
    for (const { kind, oid, name, folder } of newEntries(this, before, after, (tree, path) =>
      this.#isUnseen(tree, path),
    ))
      if (kind === 'blob') this.#checkFile(oid, name.toString(), folder)
  }

  /** Whether the folder was not read yet as one of its kind: a small tree can name the same folder again and again. */
  #isUnseen(tree: Oid, path: string): boolean {
    const key = `${tree} ${placeOf(path)}`
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    return true
  }

  #checkFile(oid: Oid, name: string, folder: string): void {
    if (this.#last.folder !== folder) this.#last = { folder, place: placeOf(folder) }
    const { type, size } = this.#check.objects.readHeader(oid)
    if (type !== 'blob') throw otherKind(oid, type)
    this.#checkSize(oid, size, maxFileBytes(name, this.#last.place, this.#check.sizes), `${folder}${name}`)
  }

  #checkObject(oid: Oid, kind: Exclude<ObjectType, 'blob'>): void {
    const { type, size } = this.#check.objects.readHeader(oid)
    if (type !== kind) throw otherKind(oid, type)
    const what = kind === 'tree' ? 'the list of files of a folder' : `the ${kind} ${oid}`
    this.#checkSize(oid, size, maxObjectBytes(kind), what)
  }

  #checkSize(oid: Oid, size: number, most: number, what: string): void {
    if (size <= most || this.#check.isOld(oid)) return
    throw refusal(`${what.replaceAll(/\p{Cc}/gu, '?')} has ${size} bytes: at most ${most} are accepted.`)
  }
}

function otherKind(oid: Oid, type: ObjectType): ObjectCorrupt {
  return new ObjectCorrupt(`object ${oid}`, `it is a ${type}, but what refers to it expects another type`, oid)
}
