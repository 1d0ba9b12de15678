// Brings the bare repository of a site, or the branch of a change request, on this machine to the head of its log. Main, or the branch,
// tells how far it is, so no other state can be wrong after a crash. Replaying an entry twice changes nothing.

import type { Oid } from '../../git/objects/oid.js'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import { firstParents } from '../../git/repository/history.js'
import { markOfTags, readTags } from '../../git/repository/tag-refs.js'
import type { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import { keepLost } from '../../repository/disk/keep-lost.js'
import type { WritableDiskRepository } from '../../repository/disk/writable-disk-repository.js'
import { placeIdOf } from '../../repository/protocol/site-place.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { receiveJoined, receivePacks } from './pieces.js'
import { moveIfWhole, moveBranch } from './replay-moves.js'
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
   * refs/palimpsest/lost/ and corrected. Returns false if a change request needs a commit of main that is not here yet: it then stops before
   * that. Throws OutcomeNotHeard, RefLocked and errors of the system; replayed entries then stay.
   */
  async bring(site: SiteRef, open?: WritableDiskRepository): Promise<boolean> {
    const id = placeIdOf(site)
    let target = await this.#log.head(id)
    if (target === undefined) return true
    if (target.head === null) return await this.#end(site)
    const gitdir = this.#disk.gitdir(site)
    const areTagsHere = markOfTags(readTags(gitdir)) === target.tags
    const tags = areTagsHere ? undefined : await this.#log.tags.all(id)
    // Reads the head again: tags name objects that main reached before they were set.
    if (tags !== undefined) target = (await this.#log.head(id)) ?? target
    const head = this.#headOf(site)
    if (head === target.head && tags === undefined) return true
    if (head === undefined && !(await this.#create(site))) return false
    const repository = open ?? this.#disk.openForWriting(site)
    try {
      if (head !== target.head && !(await this.#follow(site, repository, target))) return false
      if (tags !== undefined) await bringTags(this.#log, { site, gitdir, repository }, tags)
      return true
    } finally {
      if (open === undefined) repository.close()
    }
  }

  async #end(site: SiteRef): Promise<true> {
    if (site.request === undefined) this.#disk.retire(site)
    else await this.#disk.endRequest(site)
    return true
  }

  #headOf(site: SiteRef): Oid | undefined {
    const repository = this.#disk.open(site)
    try {
      return repository.head()
    } finally {
      repository.close()
    }
  }

  /** Makes the repository, or the branch, from the log's first entry. Returns false if main lacks the commit that the branch forks from. */
  async #create(site: SiteRef): Promise<boolean> {
    const [first] = await this.#log.entriesAfter(placeIdOf(site), 0, 1)
    if (first?.new == null) throw new Error(`the log of ${site.slug} does not begin with a first commit`)
    if (site.request === undefined)
      await this.#disk.createFrom(site, first.new, (folder) => receivePacks(this.#log, first, folder))
    else if (this.#hasOnMain(site, first.new)) this.#disk.beginRequest(site, first.new, first.time)
    else return false
    return true
  }

  #hasOnMain({ id, slug }: SiteRef, commit: Oid): boolean {
    const main = this.#disk.open({ id, slug })
    try {
      return main.objects.has(commit)
    } finally {
      main.close()
    }
  }

  async #follow(site: SiteRef, repository: WritableDiskRepository, target: LogHead): Promise<boolean> {
    const id = placeIdOf(site)
    await repository.untilHeadIsDurable()
    let at = repository.headToBuildOn()
    let number = await this.#log.newestAt(id, [at])
    if (number === undefined) {
      keepLost(this.#disk.gitdir(site), at)
      number = await this.#newestKnown(site, repository, at)
    }
    let limit = MAX_ENTRIES
    while (number < target.entries) {
      const entries = withinBytes(await this.#log.entriesAfter(id, number, limit))
      const last = entries.at(-1)
      if (last === undefined) break
      // Ended since: the next call sees it.
      if (last.new === null) return true
      if (await this.#install(site, repository, at, entries)) {
        at = last.new
        number = last.number
      } else if (entries.length === 1) return false
      else limit = 1
    }
    if (number <= target.entries && target.head !== null && at !== target.head)
      moveBranch(repository, at, target.head, [], {
        time: Math.floor(Date.now() / 1000),
        message: 'put right: as in the log',
      })
    return true
  }

  /** Returns the number of the entry on which a main unknown to the log was built; 0 for none. */
  async #newestKnown(site: SiteRef, repository: WritableDiskRepository, head: Oid): Promise<number> {
    const commits: Oid[] = []
    for (const { oid } of firstParents(repository.objects, head)) {
      commits.push(oid)
      if (commits.length > MAX_FOREIGN_COMMITS) break
    }
    return (await this.#log.newestAt(placeIdOf(site), commits)) ?? 0
  }

  /** Returns false, and moves nothing, if a commit merged one of main that is not here. */
  async #install(
    site: SiteRef,
    repository: WritableDiskRepository,
    at: Oid,
    entries: readonly Entry[],
  ): Promise<boolean> {
    const gitdir = this.#disk.gitdir(site)
    makeScratch(gitdir)
    const folder = scratchPath(gitdir, 'push')
    try {
      const packs = await receiveJoined(this.#log, entries, folder)
      const [first, last] = [entries[0], entries.at(-1)]
      if (first === undefined || last?.new == null) return true
      // All that main reaches is in its own log.
      if (site.request !== undefined) return moveIfWhole(repository, at, [first.old, last.new], packs, last)
      moveBranch(repository, at, last.new, packs, last)
      return true
    } finally {
      await dropTemporary(folder)
    }
  }
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
