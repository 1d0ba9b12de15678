// The sites' repositories on a node: PostgreSQL keeps the log of each site, and this machine's disk holds ordinary bare repositories
// that are replayed from it.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { OutcomeUnknown, RepositoryInvalid } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { readRef } from '../../git/repository/ref.js'
import { encodePack } from '../../git/storage/pack-writer.js'
import type { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import { firstCommitOf } from '../../repository/format/first-commit.js'
import { COMMITTER, MAIN } from '../../repository/format/main-ref.js'
import type { Repositories, Repository, WritableRepository } from '../../repository/protocol/repository.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { OutcomeNotHeard } from './database.js'
import { LogRepository, storageError } from './log-repository.js'
import { packAll } from './pack-all.js'
import { loggedPack, sendPacks } from './pieces.js'
import { Replay } from './replay.js'
import type { SiteLog } from './site-log.js'
import type { FirstEntry } from './log-entries.js'

const MAX_UNKNOWN_MS = 3000
const LOOK_AGAIN_MS = 100

export class LogRepositories implements Repositories {
  readonly #disk: DiskRepositories
  readonly #log: SiteLog
  readonly #replay: Replay
  readonly #unknownAfterMs: number

  constructor(disk: DiskRepositories, log: SiteLog, unknownAfterMs = MAX_UNKNOWN_MS) {
    this.#unknownAfterMs = unknownAfterMs
    this.#disk = disk
    this.#log = log
    this.#replay = new Replay(disk, log)
  }

  open(site: SiteRef): Repository {
    return this.#disk.open(site)
  }

  openForWriting(site: SiteRef): WritableRepository {
    return new LogRepository({
      site,
      disk: this.#disk.openForWriting(site),
      log: this.#log,
      replay: this.#replay,
      unknownAfterMs: this.#unknownAfterMs,
    })
  }

  /** Makes the repository. If a node stopped between log and disk before, the log's first commit counts. */
  async create(site: SiteRef, time: number): Promise<void> {
    if (this.#disk.exists(site)) throw new Error(`the repository of ${site.slug} is there`)
    const { commit, objects } = firstCommitOf(site, time)
    const encoded = encodePack(objects)
    const log = { committer: { ...COMMITTER, time }, message: 'created' }
    const bytes = Buffer.concat([encoded.pack, encoded.index])
    const first = { batch: randomUUID(), head: commit.oid, packs: [loggedPack(encoded)], piece: bytes, log }
    await this.#begin(site, first)
    await this.#replay.bring(site)
  }

  /** Writes the log first. A repeated import finds the packs that it has already sent there. */
  async adopt(site: SiteRef, gitdir: string): Promise<void> {
    const head = readRef(gitdir, MAIN)
    if (head === undefined) throw new RepositoryInvalid(`${MAIN} does not exist`)
    const batch = randomUUID()
    const sent = await sendPacks(this.#log, batch, undefined, await packAll(gitdir))
    const log = { committer: { ...COMMITTER, time: await this.#log.time() }, message: 'import' }
    await this.#begin(site, { batch, head, ...sent, log })
    const begun = await this.#log.head(site.id)
    if (begun?.head !== head) throw new Error(`the log of ${site.slug} began with another commit`)
    this.#disk.adopt(site, gitdir)
  }

  /** Begins the log. If the answer is lost, asks the log whether it has the entry. Throws OutcomeUnknown if it does not answer in time. */
  async #begin(site: SiteRef, first: FirstEntry): Promise<void> {
    const end = performance.now() + this.#unknownAfterMs
    try {
      await this.#log.create(site.id, first)
    } catch (error) {
      if (!(error instanceof OutcomeNotHeard)) throw storageError(error)
      for (; performance.now() < end; await pause(LOOK_AGAIN_MS)) {
        const found = await this.#log.head(site.id).catch(() => undefined)
        if (found !== undefined) return
      }
      throw new OutcomeUnknown(MAIN, error)
    }
  }

  async follow(site: SiteRef): Promise<void> {
    await this.#replay.bring(site)
  }

  exists(site: SiteRef): boolean {
    return this.#disk.exists(site)
  }

  async retire(site: SiteRef): Promise<void> {
    await this.#log.retire(site.id, randomUUID())
    this.#disk.retire(site)
  }

  keepLost(site: SiteRef, commit: Oid): void {
    this.#disk.keepLost(site, commit)
  }

  repair(site: SiteRef): void {
    this.#disk.repair(site)
  }

  freeBytes(): number {
    return this.#disk.freeBytes()
  }
}
