// Brings the bare repository of a site on this machine to the head of its log. Its main tells how far it is, so no other state can be
// wrong after a crash. Replaying an entry twice changes nothing.

import { rmSync } from 'node:fs'
import { RefLocked } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import { firstParents } from '../../git/repository/history.js'
import { markOfTags, readTags } from '../../git/repository/tag-refs.js'
import type { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import type { WritableDiskRepository } from '../../repository/disk/writable-disk-repository.js'
import { COMMITTER, MAIN } from '../../repository/format/main-ref.js'
import type { PackToInstall, SiteRef } from '../../repository/protocol/write.js'
import { receiveJoined, receivePacks } from './pieces.js'
import { bringTags } from './replay-tags.js'
import type { SiteLog } from './site-log.js'
import type { Entry, LogHead } from './log-entries.js'

/** The limits for entries that become one move of main. */
const MAX_ENTRIES = 512
const MAX_BYTES = 16 * 1024 * 1024
/** The limit for walking commits of a main unknown to the log, to find one that it knows. Behind more, all entries are replayed. */
const MAX_FOREIGN_COMMITS = 1000

export class Replay {
  readonly #disk: DiskRepositories
  readonly #log: SiteLog

  constructor(disk: DiskRepositories, log: SiteLog) {
    this.#disk = disk
    this.#log = log
  }

  /**
   * Only one call at a time for a site; `open` is its repository if the caller has it open. A main that was moved by path is kept under
   * refs/palimpsest/lost/ and corrected. Throws OutcomeNotHeard, RefLocked and errors of the system; replayed entries then stay.
   */
  async bring(site: SiteRef, open?: WritableDiskRepository): Promise<void> {
    let target = await this.#log.head(site.id)
    if (target === undefined) return
    if (target.head === null) return this.#disk.retire(site)
    const gitdir = this.#disk.gitdir(site)
    const areTagsHere = markOfTags(readTags(gitdir)) === target.tags
    const tags = areTagsHere ? undefined : await this.#log.tags.all(site.id)
    // Reads the head again: tags name objects that main reached before they were set.
    if (tags !== undefined) target = (await this.#log.head(site.id)) ?? target
    const head = this.#headOf(site)
    if (head === target.head && tags === undefined) return
    if (head === undefined) await this.#create(site)
    const repository = open ?? this.#disk.openForWriting(site)
    try {
      if (head !== target.head) await this.#follow(site, repository, target)
      if (tags !== undefined) await bringTags(this.#log, { site, gitdir, repository }, tags)
    } finally {
      if (open === undefined) repository.close()
    }
  }

  #headOf(site: SiteRef): Oid | undefined {
    const repository = this.#disk.open(site)
    try {
      return repository.head()
    } finally {
      repository.close()
    }
  }

  /** Makes the repository from the log's first entry. */
  async #create(site: SiteRef): Promise<void> {
    const [first] = await this.#log.entriesAfter(site.id, 0, 1)
    if (first?.new == null) throw new Error(`the log of ${site.slug} does not begin with a first commit`)
    await this.#disk.createFrom(site, first.new, (folder) => receivePacks(this.#log, first, folder))
  }

  async #follow(site: SiteRef, repository: WritableDiskRepository, target: LogHead): Promise<void> {
    await repository.untilHeadIsDurable()
    let at = repository.headToBuildOn()
    let number = await this.#log.newestAt(site.id, [at])
    if (number === undefined) {
      this.#disk.keepLost(site, at)
      number = await this.#newestKnown(site, repository, at)
    }
    while (number < target.entries) {
      const entries = withinBytes(await this.#log.entriesAfter(site.id, number, MAX_ENTRIES))
      const last = entries.at(-1)
      if (last === undefined) break
      // Retired since: the next call sees it.
      if (last.new === null) return
      await this.#install(site, repository, at, entries)
      at = last.new
      number = last.number
    }
    if (number <= target.entries && target.head !== null && at !== target.head)
      move(repository, at, target.head, [], {
        time: Math.floor(Date.now() / 1000),
        message: 'put right: as in the log',
      })
  }

  /** Returns the number of the entry on which a main unknown to the log was built; 0 for none. */
  async #newestKnown(site: SiteRef, repository: WritableDiskRepository, head: Oid): Promise<number> {
    const commits: Oid[] = []
    for (const { oid } of firstParents(repository.objects, head)) {
      commits.push(oid)
      if (commits.length > MAX_FOREIGN_COMMITS) break
    }
    return (await this.#log.newestAt(site.id, commits)) ?? 0
  }

  async #install(site: SiteRef, repository: WritableDiskRepository, at: Oid, entries: readonly Entry[]): Promise<void> {
    const gitdir = this.#disk.gitdir(site)
    makeScratch(gitdir)
    const folder = scratchPath(gitdir, 'push')
    try {
      const packs = await receiveJoined(this.#log, entries, folder)
      const last = entries.at(-1)
      if (last?.new != null) move(repository, at, last.new, packs, last)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Moves main. Throws RefLocked if main was moved meanwhile; the next call then looks at everything again. */
function move(
  repository: WritableDiskRepository,
  expected: Oid,
  next: Oid,
  packs: readonly PackToInstall[],
  { time, message }: Pick<Entry, 'time' | 'message'>,
): void {
  const log = { committer: { ...COMMITTER, time }, message }
  if (repository.commit({ expected, next, objects: [], packs, log }) === 'moved') throw new RefLocked(MAIN)
}

/** Returns as many of the entries as one move takes, and at least one. */
function withinBytes(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0
  const past = entries.findIndex(({ packs }) => {
    bytes += packs.reduce((sum, pack) => sum + pack.bytes, 0)
    return bytes > MAX_BYTES
  })
  return past < 0 ? entries : entries.slice(0, Math.max(1, past))
}
