// One site as of one commit, as readers see it. A snapshot never changes, so that an answer describes one moment.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import { ObjectCorrupt } from '../../git/objects/errors.js'
import { firstParents } from '../../git/repository/history.js'
import type { BlobSpan, ObjectReader } from '../../git/storage/object-reader.js'
import type { Oid } from '../../git/objects/oid.js'
import { eachEntry, MODE_TREE, parseTree, type SkippedEntry, type TreeEntry } from '../../git/objects/tree.js'
import { Pending, untilDone } from '../../threads/pending.js'
import { toServiceError } from '../protocol/failure.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { MAX_BLOB_BYTES, MAX_PIECE_BYTES } from '../../model/bytes.js'
import { ServiceError } from '../../model/errors.js'
import { readCommitFacts } from '../format/commit-facts.js'
import { isFile } from '../format/file-mode.js'
import { MAX_TITLED_BYTES, readTitle } from '../format/html-title.js'
import { holdRebuilt } from './rebuilt-blobs.js'
import { WalkedFolders } from './walked-folders.js'

/** Takes the error of a failed read, before it is translated for clients. */
export type OnFailure = (error: unknown) => void

export class Snapshot {
  readonly siteId: string
  readonly commit: Oid
  readonly tree: Oid
  /** Commit time, seconds. */
  readonly time: number
  readonly #odb: ObjectReader
  readonly #folders: WalkedFolders
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
  }

  /** The entry at a tree path, of whatever mode. Reads only the folders on the way. */
  entry(treePath: string): TreeEntry | undefined {
    return this.#read(() => this.#folders.entry(treePath))
  }

  /** The regular file of that name in the folder ('' is the root) or in the nearest one above it. */
  nearestFile(folder: string, name: string): { path: string; oid: Oid } | undefined {
    return this.#read(() => this.#folders.nearest(folder, name, ({ mode }) => isFile(mode)))
  }

  /** The bytes of a blob. Throws `too_costly` where there are more than that: what was pushed may have any size. */
  blob(oid: Oid, maxBytes = MAX_BLOB_BYTES): Buffer {
    const bytes = this.blobWithin(oid, maxBytes)
    if (bytes !== undefined) return bytes
    throw new ServiceError(
      'too_costly',
      `The file has more than ${maxBytes} bytes, which the API does not read. It is served at its URL; replace it by a smaller one.`,
      { maximum: maxBytes },
    )
  }

  /** Undefined for a longer blob. */
  blobWithin(oid: Oid, maxBytes: number): Buffer | undefined {
    return this.#read(() => this.#odb.readBlobWithin(oid, maxBytes))
  }

  /** The title of a document; null where it has none, or is too long to be read for it. */
  title(oid: Oid): string | null {
    const html = this.blobWithin(oid, MAX_TITLED_BYTES)
    return html === undefined ? null : readTitle(html)
  }

  /** The bytes of a blob, read wherever that holds up nobody. */
  async load(oid: Oid): Promise<Buffer> {
    try {
      return await this.#odb.loadBlob(oid)
    } catch (error) {
      this.#onFailure(error)
      throw toServiceError(error)
    }
  }

  /**
   * The bytes of a blob, or a span of them, a piece at a time; they are checked before the first one comes. One of up to MAX_PIECE_BYTES
   * is read whole: a program of git, which reads larger ones where they are stored deflated, costs more than that. Throws `site_busy` too.
   */
  async *pieces(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer> {
    try {
      const size = await untilDone(this.siteId, () => this.size(oid))
      if (size > MAX_PIECE_BYTES) yield* this.#largePieces(oid, size, span)
      else yield (await this.#odb.loadBlob(oid)).subarray(span?.start, span?.end)
    } catch (error) {
      this.#onFailure(error)
      throw toServiceError(error)
    }
  }

  async *#largePieces(oid: Oid, size: number, span?: BlobSpan): AsyncGenerator<Buffer> {
    const isDelta = await untilDone(this.siteId, () => this.#odb.isDelta(oid))
    const release = isDelta ? await holdRebuilt(this.siteId, size) : undefined
    try {
      yield* this.#odb.readLargeBlob(oid, span)
    } finally {
      release?.()
    }
  }

  /** The size of a blob in bytes, read from its header alone where possible. */
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

  /** The same, one by one: a folder may have 500,000. */
  *eachEntry(treePath: string): Generator<TreeEntry> {
    const bytes = this.#read(() => this.#treeAt(treePath))
    if (bytes !== undefined) yield* readableEach(eachEntry(bytes), this.#onFailure)
  }

  /** The entries of a folder that the service ignores, and why. */
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

  /** The files in which it differs from another commit of the site. */
  changesSince({ tree }: Snapshot): TreeChange[] {
    return this.#read(() => [...diffTrees(this.#odb, tree, this.tree)])
  }

  /** What its commit did. */
  facts(): CommitFacts {
    return this.#read(() => readCommitFacts(this.#odb, this.commit))
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
    const bytes = this.#treeAt(treePath)
    return bytes === undefined ? { entries: [], skipped: [] } : parseTree(bytes)
  }

  #treeAt(treePath: string): Buffer | undefined {
    const entry = treePath === '' ? { mode: MODE_TREE, oid: this.tree } : this.#folders.entry(treePath)
    return entry?.mode === MODE_TREE ? this.#odb.readTree(entry.oid) : undefined
  }
}

/** `readable` for what is read step by step. */
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
  if (error instanceof Pending) return error
  onFailure(error)
  return toServiceError(error)
}
