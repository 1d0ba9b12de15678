// One site in its writer thread: a batch of writes becomes commits, one pack, and one move of main.
// Promise: what is answered as written survives kill -9 and a power cut; what is not is all or nothing.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { encodeCommit, formatMessage, type Identity } from '../../git/objects/commit.js'
import { syncDirectory, syncFilesystem } from '../../git/disk/durable.js'
import { OutcomeUnknown, RefLocked, RefMoved, RepositoryInvalid } from '../../git/objects/errors.js'
import { isFirstParentAncestor } from '../../git/repository/history.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { type NewObject, newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { encodePack, type InstalledPack, installPack } from '../../git/storage/pack-writer.js'
import { type LockedRef, lockRef, moveRef, readRef } from '../../git/repository/ref.js'
import { openRepository } from '../../git/repository/repository.js'
import type { CommitFacts } from '../../model/facts.js'
import { readCommitFacts } from '../format/commit-facts.js'
import { SITE_HOOKS } from '../hooks/site-hooks.js'
import { toFailure } from '../protocol/failure.js'
import type { Failure } from '../../threads/messages.js'
import { keepLost } from '../repositories/keep-lost.js'
import { COMMITTER, MAIN } from '../format/main-ref.js'
import { applyOperation } from '../operations/apply.js'
import type { Outcome } from '../operations/outcome.js'
import { SiteState } from '../operations/site-state.js'
import type { Drafted, SiteRef, Write, Written } from '../protocol/write.js'
import type { SharedTree } from '../protocol/writer-messages.js'

/** How often a batch is built on a head that then moved, before it is built under the lock. */
const FREE_ATTEMPTS = 2
const LOCK_WAIT_MS = 50
/** Measured: thousands of packs make `git log -- path` ten times slower, and a clone thirteen. */
const PACKS_DUE = 200
const PACK_BYTES_DUE = 256 * 1024 * 1024

export type WriteResult = { written: Written } | { failure: Failure }

/** A batch built on `base`, not yet on disk. */
interface Draft {
  base: Oid
  tip: Oid
  objects: NewObject[]
  results: ({ written: Written } | { failure: Failure })[]
}

export class SiteWriter {
  readonly #site: SiteRef
  readonly #gitdir: string
  readonly #odb: ObjectDatabase
  #state: SiteState | undefined
  /** Heads known to be on disk with everything under them. */
  #durable: Oid | undefined
  /** A ref was renamed but its folder not synced: nothing is built on it until a sync succeeds. */
  #unsynced = false
  /** Packs of batches whose outcome is unknown: a pack that may be published stays out of an operator's gc. */
  #held: InstalledPack[] = []
  /** Packs since maintenance was last due; undefined until the first are counted. */
  #packs: number | undefined
  #packBytes = 0
  #sharedTrees: SharedTree[] = []

  constructor(site: SiteRef, gitdir: string) {
    openRepository(gitdir, SITE_HOOKS)
    this.#site = site
    this.#gitdir = gitdir
    this.#odb = new ObjectDatabase(gitdir)
  }

  close(): void {
    this.#odb.close()
  }

  /** Once for every 200 packs, those there at the start and those of our batches since, or 256 MiB of the latter. */
  isMaintenanceDue(): boolean {
    this.#packs ??= countPacks(this.#gitdir)
    if (this.#packs < PACKS_DUE && this.#packBytes < PACK_BYTES_DUE) return false
    this.#packs = 0
    this.#packBytes = 0
    return true
  }

  /** The large folders of the newest commit that the batches since the last call made. */
  takeSharedTrees(): SharedTree[] {
    return this.#sharedTrees.splice(0)
  }

  /** Writes in order, each its own commit; every answer is durable or a failure. Throws RefLocked alone: ask again. */
  writeBatch(writes: readonly Write[]): WriteResult[] {
    try {
      return this.#publish(writes)
    } catch (error) {
      this.#state = undefined
      if (error instanceof RefLocked) throw error
      if (error instanceof OutcomeUnknown) this.#unsynced = true
      const failure = toFailure(error)
      return writes.map(() => ({ failure }))
    }
  }

  /** Builds the commit of a write on the head, and leaves no trace of it. Throws what the write would be refused with. */
  draft(write: Write): Drafted {
    const base = readRef(this.#gitdir, MAIN)
    if (base === undefined) throw new RepositoryInvalid('refs/heads/main does not exist')
    const draft: Draft = { base, tip: base, objects: [], results: [] }
    const written = this.#buildCommit(new SiteState(this.#site.id, this.#odb, base), write, draft)
    return { written, base, objects: draft.objects }
  }

  #publish(writes: readonly Write[]): WriteResult[] {
    this.#syncIfOwed()
    for (let attempt = 0; ; attempt++) {
      const locked = attempt < FREE_ATTEMPTS ? undefined : lockRef(this.#gitdir, MAIN, LOCK_WAIT_MS)
      try {
        const head = this.#headToBuildOn(locked)
        const draft = this.#build(head, writes)
        if (draft.objects.length > 0) this.#move(draft, writes, locked)
        return this.#withFacts(draft)
      } catch (error) {
        if (!(error instanceof RefMoved) || locked !== undefined) throw error
        this.#state = undefined
      } finally {
        locked?.release()
      }
    }
  }

  #syncIfOwed(): void {
    if (!this.#unsynced) return
    syncDirectory(join(this.#gitdir, 'refs', 'heads'))
    this.#unsynced = false
    for (const pack of this.#held.splice(0)) pack.release()
  }

  /** The head, made durable first when somebody else put it there: a synced commit on an unsynced parent is lost. */
  #headToBuildOn(locked: LockedRef | undefined): Oid {
    const head = locked === undefined ? readRef(this.#gitdir, MAIN) : locked.read()
    if (head === undefined) throw new RepositoryInvalid('refs/heads/main does not exist')
    if (head === this.#state?.head) return head
    if (head !== this.#durable) syncFilesystem(this.#gitdir)
    const last = this.#durable
    this.#durable = head
    this.#state = undefined
    if (last !== undefined && last !== head && !isFirstParentAncestor(this.#odb, last, head)) {
      keepLost(this.#gitdir, last)
    }
    return head
  }

  #build(head: Oid, writes: readonly Write[]): Draft {
    const state = this.#state ?? new SiteState(this.#site.id, this.#odb, head)
    this.#state = state
    const draft: Draft = { base: head, tip: head, objects: [], results: [] }
    for (const write of writes) {
      try {
        draft.results.push({ written: this.#buildCommit(state, write, draft) })
      } catch (error) {
        draft.results.push({ failure: toFailure(error) })
      }
    }
    return draft
  }

  /** One write on the state the one before it left. A refusal leaves the state as it was. */
  #buildCommit(state: SiteState, write: Write, draft: Draft): Written {
    const outcome = applyOperation(state, write.operation)
    const { subject } = outcome
    const result = resultOf(outcome)
    if (subject === null) return { ...result, changed: false, commit: draft.tip }
    const paths = new Set(state.tree.editedPaths)
    const objects = state.tree.flush()
    const commit = newObject(
      'commit',
      encodeCommit({
        tree: state.tree.root,
        parents: [draft.tip],
        author: { ...COMMITTER, name: write.author, time: write.time },
        committer: this.#committer(write.time),
        message: formatMessage(subject, outcome.body, [...(outcome.trailers ?? []), ...write.trailers]),
      }),
    )
    draft.objects.push(...objects, commit)
    draft.tip = commit.oid
    state.advance(commit.oid, paths)
    return { ...result, changed: true, commit: commit.oid }
  }

  /** The pack first, then the rename of the ref: the instant of publication. */
  #move(draft: Draft, writes: readonly Write[], locked: LockedRef | undefined): void {
    const encoded = encodePack(draft.objects)
    const pack = installPack(this.#gitdir, encoded)
    const log = { committer: this.#committer(writes.at(-1)?.time ?? 0), message: `publish: ${writes.length} writes` }
    try {
      if (locked === undefined) moveRef(this.#gitdir, MAIN, draft.base, draft.tip, log, LOCK_WAIT_MS)
      else locked.commit(draft.tip, log)
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#held.push(pack)
      else pack.discard()
      throw error
    }
    pack.release()
    if (this.#packs !== undefined) this.#packs++
    this.#packBytes += encoded.pack.length
    this.#durable = draft.tip
    this.#odb.remember(draft.objects)
    this.#state?.tree.settle()
    this.#sharedTrees = sharedTreesOf(draft.objects)
  }

  #withFacts(draft: Draft): WriteResult[] {
    return draft.results.map((result) =>
      'written' in result && result.written.changed
        ? { written: { ...result.written, facts: this.#factsOf(result.written.commit) } }
        : result,
    )
  }

  /** The write is durable by now: trouble in describing it must not look like a failure. The index reads git instead. */
  #factsOf(commit: Oid): CommitFacts | null {
    try {
      return readCommitFacts(this.#odb, commit)
    } catch {
      return null
    }
  }

  #committer(time: number): Identity {
    return { ...COMMITTER, time }
  }
}

/** What an outcome says beside its commit. */
function resultOf({ id, created, items }: Outcome): Pick<Written, 'id' | 'created' | 'facts' | 'items'> {
  const each = items?.map((item) => ({ id: item.id, created: item.created, changed: item.subject !== null }))
  return { id, created, facts: null, ...(each && { items: each }) }
}

/** What a later commit of the batch replaced is left out. */
function sharedTreesOf(objects: readonly NewObject[]): SharedTree[] {
  const replaced = new Set(objects.map(({ previous }) => previous))
  return objects
    .filter(({ oid, content }) => content.buffer instanceof SharedArrayBuffer && !replaced.has(oid))
    .map(({ oid, content }) => ({ oid, bytes: content }))
}

function countPacks(gitdir: string): number {
  return readdirSync(join(gitdir, 'objects', 'pack')).filter((file) => file.endsWith('.pack')).length
}
