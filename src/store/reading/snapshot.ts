// One site as of one commit: what readers see. Immutable, so that an answer is of one moment.

import { ObjectCorrupt } from '../../git/objects/errors.js'
import { entriesAlong, entryAt, firstParents } from '../../git/repository/history.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE, parseTree, type SkippedEntry, type TreeEntry } from '../../git/objects/tree.js'
import { toServiceError } from '../protocol/failure.js'
import { isFile } from '../format/file-mode.js'

/** Told what a read met, as git and the disk have it. */
export type OnFailure = (error: unknown) => void

export class Snapshot {
  readonly siteId: string
  readonly commit: Oid
  readonly tree: Oid
  /** Commit time, seconds. */
  readonly time: number
  readonly #odb: ObjectReader
  readonly #onFailure: OnFailure

  constructor(siteId: string, odb: ObjectReader, commit: Oid, onFailure: OnFailure = () => undefined) {
    this.siteId = siteId
    this.commit = commit
    this.#odb = odb
    this.#onFailure = onFailure
    // A head that cannot be read is named by who looks at main, and is over when main moves.
    const { tree, committer } = readable(
      () => odb.readCommit(commit),
      () => undefined,
    )
    this.tree = tree
    this.time = committer.time
  }

  /** The entry at a tree path, of whatever mode. Reads only the folders on the way. */
  entry(treePath: string): TreeEntry | undefined {
    return this.#read(() => entryAt(this.#odb, this.tree, treePath))
  }

  /** The regular file of that name in the folder ('' is the root) or in the nearest one above it. */
  nearestFile(folder: string, name: string): { path: string; oid: Oid } | undefined {
    return this.#read(() => {
      const files = [...entriesAlong(this.#odb, this.tree, folder, name)].filter(({ entry }) => isFile(entry.mode))
      const nearest = files.at(-1)
      return nearest && { path: nearest.path, oid: nearest.entry.oid }
    })
  }

  /** The bytes of a blob. */
  blob(oid: Oid): Buffer {
    return this.#read(() => this.#odb.readBlob(oid))
  }

  /** The bytes of a blob too large for memory, a piece at a time; they are checked before the first one comes. */
  async *pieces(oid: Oid): AsyncGenerator<Buffer> {
    try {
      yield* this.#odb.readLargeBlob(oid)
    } catch (error) {
      this.#onFailure(error)
      throw toServiceError(error)
    }
  }

  /** Bytes of a blob, without reading it where its pack says. */
  size(oid: Oid): number {
    return this.#read(() => {
      const { type, size } = this.#odb.readHeader(oid)
      if (type !== 'blob') throw new ObjectCorrupt(`object ${oid}`, `it is a ${type}, not a blob`, oid)
      return size
    })
  }

  /** The entries of a folder ('' is the root), in git's order; empty where there is none. */
  list(treePath: string): TreeEntry[] {
    return this.#read(() => this.#folder(treePath).entries)
  }

  /** The entries of a folder that are passed over, and why. */
  skipped(treePath: string): SkippedEntry[] {
    return this.#read(() => this.#folder(treePath).skipped)
  }

  /** The site as of another commit, undefined when the repository holds no commit with that id. */
  commitAt(oid: Oid): Snapshot | undefined {
    return this.#read(() => {
      if (!this.#odb.has(oid) || this.#odb.readHeader(oid).type !== 'commit') return undefined
      return new Snapshot(this.siteId, this.#odb, oid, this.#onFailure)
    })
  }

  #read<T>(read: () => T): T {
    return readable(read, this.#onFailure)
  }

  /** This commit and its first parents, newest first; times in seconds. */
  *firstParents(): Generator<{ oid: Oid; time: number }> {
    for (const { oid, commit } of readableEach(firstParents(this.#odb, this.commit), this.#onFailure)) {
      yield { oid, time: commit.committer.time }
    }
  }

  #folder(treePath: string): { entries: TreeEntry[]; skipped: SkippedEntry[] } {
    const entry = treePath === '' ? { mode: MODE_TREE, oid: this.tree } : entryAt(this.#odb, this.tree, treePath)
    return entry?.mode === MODE_TREE ? parseTree(this.#odb.readTree(entry.oid)) : { entries: [], skipped: [] }
  }
}

/** The same, for what is read a step at a time. */
export function* readableEach<T>(steps: Iterable<T>, onFailure: OnFailure): Generator<T> {
  try {
    yield* steps
  } catch (error) {
    onFailure(error)
    throw toServiceError(error)
  }
}

/** Errors of git and disk become the one that the site's visitors and clients are told. */
export function readable<T>(read: () => T, onFailure: OnFailure): T {
  try {
    return read()
  } catch (error) {
    onFailure(error)
    throw toServiceError(error)
  }
}
