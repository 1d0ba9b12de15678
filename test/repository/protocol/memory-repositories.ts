// Repositories in memory behind a network: a second implementation, so that the contract is one of the interface and not of the
// disk. A commit is kept at once and confirmed when the network lets the answer through.

import { ObjectMissing, OutcomeUnknown, RefLocked, RepositoryInvalid } from '../../../src/git/objects/errors.js'
import type { GitObject, NewObject } from '../../../src/git/objects/object.js'
import { ObjectReader } from '../../../src/git/storage/object-reader.js'
import { firstCommitOf } from '../../../src/repository/format/first-commit.js'
import type {
  CommitOutcome,
  NextCommit,
  Repositories,
  WritableRepository,
} from '../../../src/repository/protocol/repository.js'
import { isOfSite, placeOf } from '../../../src/repository/protocol/site-place.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'

class MemoryObjects extends ObjectReader {
  readonly #objects = new Map<string, GitObject>()
  readonly #lender: MemoryObjects | undefined

  constructor(lender?: MemoryObjects) {
    super()
    this.#lender = lender
  }

  add(objects: readonly NewObject[]): void {
    for (const { oid, type, content } of objects) this.#objects.set(oid, { type, content: Buffer.from(content) })
  }

  override read(oid: string): GitObject {
    const object = this.#objects.get(oid)
    if (object !== undefined) return object
    if (this.#lender === undefined) throw new ObjectMissing(oid)
    return this.#lender.read(oid)
  }

  override readHeader(oid: string) {
    const { type, content } = this.read(oid)
    return { type, size: content.length }
  }

  override async *readLargeBlob(oid: string): AsyncGenerator<Buffer> {
    yield this.readBlob(oid)
  }
}

interface Kept {
  main: string | undefined
  objects: MemoryObjects
  holder: object | undefined
}

/** Resolves when the answer to a commit, or to the question what became of one, has come; rejects where it is lost. */
export type Network = (site: SiteRef) => Promise<void>

class MemoryRepository implements WritableRepository {
  readonly #site: SiteRef
  readonly #kept: () => Kept
  readonly #network: Network
  /** Why the outcome of the last commit is unknown. */
  #unsettled: unknown
  #hasAsked = false

  constructor(site: SiteRef, kept: () => Kept, network: Network) {
    this.#site = site
    this.#kept = kept
    this.#network = network
  }

  get objects(): ObjectReader {
    return this.#kept().objects
  }

  head(): string | undefined {
    return this.#kept().main
  }

  headMark(): string | undefined {
    return this.head()
  }

  tags(): [] {
    return []
  }

  untilHeadIsDurable(): Promise<void> | undefined {
    if (this.#unsettled === undefined || this.#hasAsked) return undefined
    this.#hasAsked = true
    return this.#network(this.#site).then(
      () => void (this.#unsettled = undefined),
      () => undefined,
    )
  }

  settle(): void {
    this.#hasAsked = false
    if (this.#unsettled !== undefined) throw this.#unsettled
  }

  headToBuildOn(): string {
    this.settle()
    const head = this.head()
    if (head === undefined) throw new RepositoryInvalid('there is no main branch')
    return head
  }

  async commit({ expected, next, objects }: NextCommit): Promise<CommitOutcome> {
    const kept = this.#kept()
    if (kept.holder !== undefined && kept.holder !== this) throw new RefLocked('main')
    if (kept.main !== expected) return 'moved'
    kept.objects.add(objects)
    kept.main = next
    try {
      await this.#network(this.#site)
    } catch (error) {
      this.#unsettled = error
      throw new OutcomeUnknown('main', error)
    }
    return 'done'
  }

  async holdMain<T>(work: () => Promise<T>): Promise<T> {
    const kept = this.#kept()
    kept.holder = this
    try {
      return await work()
    } finally {
      kept.holder = undefined
    }
  }

  pauseFor(): number {
    return 0
  }

  expectPush(): number {
    return 0
  }

  endPush(): void {
    // Nothing is held back.
  }

  takeMaintenanceDue(): boolean {
    return false
  }

  remember(): void {
    // Everything is in memory.
  }

  close(): void {
    // Nothing is open.
  }
}

export class MemoryRepositories implements Repositories {
  readonly #sites = new Map<string, Kept>()
  readonly #network: Network

  constructor(network: Network = () => Promise.resolve()) {
    this.#network = network
  }

  open(site: SiteRef): WritableRepository {
    const missing: Kept = { main: undefined, objects: new MemoryObjects(), holder: undefined }
    return new MemoryRepository(site, () => this.#sites.get(placeOf(site)) ?? missing, this.#network)
  }

  openForWriting(site: SiteRef): WritableRepository {
    return this.open(site)
  }

  create(site: SiteRef, time: number): void {
    if (this.exists(site)) throw new Error(`${site.slug} is there`)
    const { commit, objects } = firstCommitOf(site, time)
    const kept: Kept = { main: commit.oid, objects: new MemoryObjects(), holder: undefined }
    kept.objects.add(objects)
    this.#sites.set(site.slug, kept)
  }

  beginRequest(site: SiteRef, fork: string): void {
    const objects = new MemoryObjects(this.#sites.get(site.slug)?.objects)
    if (!this.#sites.has(placeOf(site))) this.#sites.set(placeOf(site), { main: fork, objects, holder: undefined })
  }

  endRequest(site: SiteRef): void {
    this.#sites.delete(placeOf(site))
  }

  follow(): void {
    // There is one memory.
  }

  exists(site: SiteRef): boolean {
    return this.#sites.has(site.slug)
  }

  retire(site: SiteRef): void {
    for (const place of this.#sites.keys()) if (isOfSite(place, site)) this.#sites.delete(place)
  }

  repair(): void {
    // Nothing breaks.
  }

  freeBytes(): number {
    return Number.MAX_SAFE_INTEGER
  }
}
