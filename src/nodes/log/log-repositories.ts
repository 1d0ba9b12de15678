// The sites' repositories on a node. PostgreSQL keeps the log of each site and of each change request. This machine's disk holds ordinary
// bare repositories, which are replayed from them.

import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { OutcomeUnknown, RefLocked, RepositoryInvalid } from '../../git/objects/errors.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import type { Oid } from '../../git/objects/oid.js'
import { isFirstParentAncestor } from '../../git/repository/history.js'
import { readRef } from '../../git/repository/ref.js'
import { encodePack } from '../../git/storage/pack-writer.js'
import { ServiceError } from '../../model/errors.js'
import type { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import { firstCommitOf } from '../../repository/format/first-commit.js'
import { COMMITTER, MAIN } from '../../repository/format/main-ref.js'
import type { Repositories, Repository, WritableRepository } from '../../repository/protocol/repository.js'
import { placeIdOf } from '../../repository/protocol/site-place.js'
import type { PackToInstall, SiteRef } from '../../repository/protocol/write.js'
import { OutcomeNotHeard } from './database.js'
import { heard, LogRepository, storageError } from './log-repository.js'
import { loggedPack, sendPacks } from './pieces.js'
import { Replay } from './replay.js'
import type { SiteLog } from './site-log.js'
import type { FirstEntry } from './log-entries.js'

const MAX_UNKNOWN_MS = 3000
const LOOK_AGAIN_MS = 100
/** The limit for walking commits from main to the one that a change request forks from: that is nearly always main itself. */
const MAX_SINCE_FORK = 1000

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
      await this.#log.create(placeIdOf(site), first)
    } catch (error) {
      if (!(error instanceof OutcomeNotHeard)) throw storageError(error)
      for (; performance.now() < end; await pause(LOOK_AGAIN_MS)) {
        const found = await this.#log.head(placeIdOf(site)).catch(() => undefined)
        if (found !== undefined) return
      }
      throw new OutcomeUnknown(MAIN, error)
    }
  }

  /** Begins the log of the change request first. Throws RefLocked while main here is not as in its log: then its commits may be undone. */
  async beginRequest(site: SiteRef, fork: Oid, time: number): Promise<void> {
    if (!(await heard(() => this.#isInLog(site, fork)))) throw new RefLocked(MAIN)
    const log = { committer: { ...COMMITTER, time }, message: 'begin a change request' }
    await this.#begin(site, { requestOf: site.id, batch: randomUUID(), head: fork, packs: [], piece: undefined, log })
    await heard(async () => {
      if ((await this.#log.head(placeIdOf(site))) === undefined)
        throw new ServiceError('site_not_found', 'This site was deleted.')
      await this.#replay.bring(site)
    })
  }

  /** Whether the commit is in the history of a main that the site's log knows. */
  async #isInLog({ id, slug }: SiteRef, commit: Oid): Promise<boolean> {
    const main = this.#disk.open({ id, slug })
    try {
      const head = main.head()
      if (head === undefined || isFirstParentAncestor(main.objects, commit, head, MAX_SINCE_FORK) === false)
        return false
      return (await this.#log.newestAt(id, [head])) !== undefined
    } finally {
      main.close()
    }
  }

  async endRequest(site: SiteRef): Promise<void> {
    await heard(() => this.#log.retire(placeIdOf(site)))
    await this.#disk.endRequest(site)
  }

  /** Brings a change request as far as the main that is here allows. */
  async follow(site: SiteRef): Promise<void> {
    await this.#replay.bring(site)
  }

  exists(site: SiteRef): boolean {
    return this.#disk.exists(site)
  }

  async retire(site: SiteRef): Promise<void> {
    await heard(() => this.#log.retire(site.id))
    this.#disk.retire(site)
  }

  repair(site: SiteRef): void {
    this.#disk.repair(site)
  }

  freeBytes(): number {
    return this.#disk.freeBytes()
  }
}

/** Lists all objects of a repository as packs. Packs loose ones first: git keeps the fetched objects of a small repository loose. Rejects with GitFailed. */
async function packAll(gitdir: string): Promise<PackToInstall[]> {
  await runGit(gitdir, ['repack', '-d', '--quiet'], { maxMs: MAX_WHOLE_REPOSITORY_MS, niceness: SERVING_NICENESS })
  const folder = join(gitdir, 'objects', 'pack')
  return readdirSync(folder).flatMap((file) => {
    const [, id] = /^pack-([0-9a-f]{40})\.pack$/.exec(file) ?? []
    if (id === undefined) return []
    const path = join(folder, `pack-${id}`)
    return [{ id, path, bytes: statSync(`${path}.pack`).size }]
  })
}
