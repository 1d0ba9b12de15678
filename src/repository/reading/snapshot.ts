// One site at one commit, as readers see it. A snapshot never changes, so an answer describes one moment.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import { ObjectCorrupt } from '../../git/objects/errors.js'
import { firstParents } from '../../git/repository/history.js'
import type { BlobSpan, ObjectReader } from '../../git/storage/object-reader.js'
import type { Oid } from '../../git/objects/oid.js'
import { eachEntry, MODE_TREE, parseTree, type SkippedEntry, type TreeEntry } from '../../git/objects/tree.js'
import { toServiceError } from '../protocol/failure.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { MAX_BLOB_BYTES, MAX_PIECE_BYTES } from '../../model/bytes.js'
import { ServiceError } from '../../model/errors.js'
import { readCommitFacts } from '../format/commit-facts.js'
import { MAX_DOCUMENT_BYTES, readHead } from '../format/document-head.js'
import { holdRebuilt } from './rebuilt-blobs.js'
import { LinkedFolders } from '../format/linked-folders.js'
import { type WalkedEntry, WalkedFolders } from '../format/walked-folders.js'

/** Takes the error of a failed read, before it is translated for clients. */
export type OnFailure = (error: unknown) => void

export class Snapshot {
  readonly siteId: string
  readonly commit: Oid
  readonly tree: Oid
  /** Commit time in seconds. */
  readonly time: number
  readonly #odb: ObjectReader
  readonly #folders: WalkedFolders
  readonly #linked: LinkedFolders
  readonly #onFailure: OnFailure

  constructor(siteId: string, odb: ObjectReader, commit: Oid, onFailure: OnFailure = () => undefined) {
    this.siteId = siteId
    this.commit = commit
    this.#odb = odb
    this.#onFailure = onFailure
    // The patrol reports a head that cannot be read, and clears that report when main moves.
    const { tree, committer } = readable(
      () => odb.readCommit(commit),
      () => undefined,
    )
    this.tree = tree
    this.time = committer.time
    this.#folders = new WalkedFolders(odb, tree)
    this.#linked = new LinkedFolders(odb, tree)
  }

  /** Returns the entry at a tree path, of any mode. Reads only the folders on the way. */
  entry(treePath: string): TreeEntry | undefined {
    return this.#read(() => this.#folders.entry(treePath))
  }

  /** Does the same as `entry` for visitors: symbolic links are followed. */
  linkedEntry(treePath: string): WalkedEntry | undefined {
    return this.#read(() => this.#linked.entry(treePath))
  }

  /** Finds the file of that name for visitors, in the folder ('' is the root) or in the nearest one above it. */
  nearestFile(folder: string, name: string): { path: string; entry: WalkedEntry } | undefined {
    return this.#read(() => this.#linked.nearestFile(folder, name))
  }

  /** Returns the bytes of a blob. Throws `too_costly` for a longer blob: a push may bring any size. */
  blob(oid: Oid, maxBytes = MAX_BLOB_BYTES): Buffer {
    const bytes = this.blobWithin(oid, maxBytes)
    if (bytes !== undefined) return bytes
    throw new ServiceError(
      'too_costly',
      `The file has more than ${maxBytes} bytes, which the API does not read. It is served at its URL; replace it by a smaller one.`,
      { maximum: maxBytes },
    )
  }

  /** Returns undefined for a longer blob. */
  blobWithin(oid: Oid, maxBytes: number): Buffer | undefined {
    return this.#read(() => this.#odb.readBlobWithin(oid, maxBytes))
  }

  /** Returns the title of a document; null if it has none or is too long to be read. */
  title(oid: Oid): string | null {
    const html = this.blobWithin(oid, MAX_DOCUMENT_BYTES)
    return html === undefined ? null : readHead(html).title
  }

  /**
   * Yields the bytes of a blob, or a span of them, in pieces, after all are checked. Reads up to MAX_PIECE_BYTES whole: a git process,
   * which reads larger ones that are stored deflated, would cost more. Throws `site_busy` too.
   */
  async *pieces(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer> {
    try {
      const size = this.size(oid)
      if (size > MAX_PIECE_BYTES) yield* this.#largePieces(oid, size, span)
      else yield this.#odb.readBlob(oid).subarray(span?.start, span?.end)
    } catch (error) {
      this.#onFailure(error)
      throw toServiceError(error)
    }
  }

  async *#largePieces(oid: Oid, size: number, span?: BlobSpan): AsyncGenerator<Buffer> {
    const release = this.#odb.storedAs(oid) === 'delta' ? await holdRebuilt(this.siteId, size) : undefined
    try {
      yield* this.#odb.readLargeBlob(oid, span)
    } finally {
      release?.()
    }
  }

  /** Tells how a blob is stored; see `ObjectReader.storedAs`. */
  storedAs(oid: Oid): 'whole' | 'delta' | 'draft' {
    return this.#read(() => this.#odb.storedAs(oid))
  }

  /** Returns up to `length` bytes of a blob from `start` on, unchecked; undefined if only git can read a part of it. */
  piece(oid: Oid, start: number, length: number): Buffer | undefined {
    return this.#read(() => this.#odb.readStored(oid, start, length))
  }

  /** Returns the size of a blob in bytes, from its header alone if possible. */
  size(oid: Oid): number {
    return this.#read(() => {
      const { type, size } = this.#odb.readHeader(oid)
      if (type !== 'blob') throw new ObjectCorrupt(`object ${oid}`, `it is a ${type}, not a blob`, oid)
      return size
    })
  }

  /** Returns the entries of a folder ('' is the root), in git's order; empty if there is no folder. */
  list(treePath: string): TreeEntry[] {
    return this.#read(() => this.#folder(treePath).entries)
  }

  /** Yields the entries of a folder one by one, since it may have 500,000. */
  *eachEntry(treePath: string): Generator<TreeEntry> {
    const bytes = this.#read(() => this.#treeAt(treePath))
    if (bytes !== undefined) yield* readableEach(eachEntry(bytes), this.#onFailure)
  }

  /** Returns the entries of a folder that the service ignores, with the reasons. */
  skipped(treePath: string): SkippedEntry[] {
    return this.#read(() => this.#folder(treePath).skipped)
  }

  /** Returns the site at another commit; undefined if the repository has no commit with that id. */
  commitAt(oid: Oid): Snapshot | undefined {
    return this.#read(() => {
      if (!this.#odb.has(oid) || this.#odb.readHeader(oid).type !== 'commit') return undefined
      return new Snapshot(this.siteId, this.#odb, oid, this.#onFailure)
    })
  }

  /** Returns the files in which it differs from another commit of the site. */
  changesSince({ tree }: Snapshot): TreeChange[] {
    return this.#read(() => [...diffTrees(this.#odb, tree, this.tree)])
  }

  /** Returns the facts of its commit. */
  facts(): CommitFacts {
    return this.#read(() => readCommitFacts(this.#odb, this.commit))
  }

  #read<T>(read: () => T): T {
    return readable(read, this.#onFailure)
  }

  /** Lists this commit and its first parents, newest first; times in seconds. */
  *firstParents(): Generator<{ oid: Oid; time: number; merged: readonly Oid[] }> {
    for (const { oid, commit } of readableEach(firstParents(this.#odb, this.commit), this.#onFailure)) {
      yield { oid, time: commit.committer.time, merged: commit.parents.slice(1) }
    }
  }

  #folder(treePath: string): { entries: TreeEntry[]; skipped: SkippedEntry[] } {
    const bytes = this.#treeAt(treePath)
    return bytes === undefined ? { entries: [], skipped: [] } : parseTree(bytes)
  }

  #treeAt(treePath: string): Buffer | undefined {
    const entry = treePath === '' ? { mode: MODE_TREE, oid: this.tree } : this.#folders.entry(treePath)
    return entry?.mode === MODE_TREE ? this.#odb.readTree(entry.oid) : undefined
  }
}

/** Does the same as `readable` for values that are read step by step. */
export function* readableEach<T>(steps: Iterable<T>, onFailure: OnFailure): Generator<T> {
  try {
    yield* steps
  } catch (error) {
    throw translated(error, onFailure)
  }
}

/** Translates errors of git and the disk into the ServiceError that clients and visitors get. */
export function readable<T>(read: () => T, onFailure: OnFailure): T {
  try {
    return read()
  } catch (error) {
    throw translated(error, onFailure)
  }
}

function translated(error: unknown, onFailure: OnFailure): Error {
  onFailure(error)
  return toServiceError(error)
}
