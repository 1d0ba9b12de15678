// The sites' repositories on a node: PostgreSQL keeps the log of each, and this machine's disk holds ordinary bare repositories that
// are replayed from it.

import { randomUUID } from 'node:crypto'
import type { Oid } from '../../git/objects/oid.js'
import { encodePack } from '../../git/storage/pack-writer.js'
import type { DiskRepositories } from '../disk/disk-repositories.js'
import { firstCommitOf } from '../format/first-commit.js'
import { COMMITTER } from '../format/main-ref.js'
import type { Repositories, Repository, WritableRepository } from '../protocol/repository.js'
import type { SiteRef } from '../protocol/write.js'
import { LogRepository } from './log-repository.js'
import { loggedPack } from './pieces.js'
import { Replay } from './replay.js'
import type { SiteLog } from './site-log.js'

const MAX_UNKNOWN_MS = 3000

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

  /** Where a node stopped between log and disk, the log's first commit counts. */
  async create(site: SiteRef, time: number): Promise<void> {
    if (this.#disk.exists(site)) throw new Error(`the repository of ${site.slug} is there`)
    const { commit, objects } = firstCommitOf(site, time)
    const encoded = encodePack(objects)
    const log = { committer: { ...COMMITTER, time }, message: 'created' }
    const bytes = Buffer.concat([encoded.pack, encoded.index])
    await this.#log.create(site.id, commit.oid, randomUUID(), loggedPack(encoded), bytes, log)
    await this.#replay.bring(site)
  }

  async follow(site: SiteRef): Promise<void> {
    await this.#replay.bring(site)
  }

  exists(site: SiteRef): boolean {
    return this.#disk.exists(site)
  }

  async retire(site: SiteRef): Promise<void> {
    await this.#log.retire(site.id, randomUUID(), Math.floor(Date.now() / 1000))
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
