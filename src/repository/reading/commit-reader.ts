// Reads single commits of a site: their messages, and the files that they changed.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Commit, parseMessage } from '../../git/objects/commit.js'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { parseTagNote, type TagNote } from '../../git/objects/tag.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { operationOf } from '../../model/commits/operation.js'
import { messageOf, readCommitFacts } from '../format/commit-facts.js'
import type { SiteRef } from '../protocol/write.js'
import type { SiteReader } from './site-reader.js'
import { readable } from './snapshot.js'

export interface LoggedCommit {
  oid: Oid
  commit: Commit
  subject: string
  /** The operation that made it, or its subject. */
  operation: string
  /** Subject, body, and the operation if a person wrote the subject. */
  message: string
  /** They prove something only in commits that the service signed. */
  trailers: Readonly<Record<string, string>>
}

/** This many take a few milliseconds of the thread. */
const CHANGES_PER_TURN = 1_000

/** Reads commits. All methods throw `site_unreadable` if an object cannot be read. */
export class CommitReader {
  readonly #reader: SiteReader

  constructor(reader: SiteReader) {
    this.#reader = reader
  }

  /** Reads a commit that must be in the repository. */
  read(site: SiteRef, oid: Oid): LoggedCommit {
    const commit = this.#read(site, (objects) => objects.readCommit(oid))
    const parsed = parseMessage(commit.message)
    const { subject, trailers } = parsed
    return { oid, commit, subject, operation: operationOf(parsed), message: messageOf(parsed), trailers }
  }

  /** Returns the facts of the commit; undefined if the repository has no commit with that id. */
  factsOf(site: SiteRef, oid: Oid): CommitFacts | undefined {
    const known = this.#reader.snapshot(site).commitAt(oid)
    return known && this.#read(site, (objects) => readCommitFacts(objects, oid))
  }

  /** Returns the files in which a commit differs from its first parent. There may be very many, so others get turns in between. */
  async changes(site: SiteRef, oid: Oid): Promise<TreeChange[]> {
    const changes = this.#read(site, (objects) => {
      const { parents, tree } = objects.readCommit(oid)
      const [parent] = parents
      return diffTrees(objects, parent === undefined ? undefined : objects.readCommit(parent).tree, tree)
    })
    const all: TreeChange[] = []
    while (this.#read(site, () => moveSome(changes, all))) await nextTurn()
    return all
  }

  /** Returns the files in which two commits differ; none if the repository has no commit `from`. */
  changesSince(site: SiteRef, from: Oid, to: Oid): TreeChange[] {
    const before = this.#reader.snapshot(site).commitAt(from)
    if (before === undefined) return []
    return this.#read(site, (objects) => [...diffTrees(objects, before.tree, objects.readCommit(to).tree)])
  }

  /** Returns the message of an annotated tag; undefined for an object that is no tag. */
  tagNote(site: SiteRef, oid: Oid): TagNote | undefined {
    return this.#read(site, (objects) =>
      objects.readHeader(oid).type === 'tag' ? parseTagNote(objects.read(oid).content) : undefined,
    )
  }

  #read<T>(site: SiteRef, read: (objects: ObjectReader) => T): T {
    return readable(() => read(this.#reader.objects(site)), this.#reader.noteFailure(site))
  }
}

/** Moves the next changes. Returns false once there are no more. */
function moveSome(from: Iterator<TreeChange>, to: TreeChange[]): boolean {
  for (let n = 0; n < CHANGES_PER_TURN; n++) {
    const { done, value } = from.next()
    if (done === true) return false
    to.push(value)
  }
  return true
}
