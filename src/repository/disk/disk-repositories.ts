// The sites' repositories in the data directory. The class also has tools for operators, beyond the interface: they need packs,
// locks and git's own commands, which only a repository on a disk has. Every kind of service keeps its repositories on a disk.

import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GitOptions, runGit } from '../../git/command.js'
import { syncDirectory } from '../../git/disk/durable.js'
import { clearPushes } from '../../git/disk/scratch.js'
import { clearUnfinished, unfinishedPath } from '../../git/disk/unfinished.js'
import type { ReadBudget } from '../../git/storage/object-reader.js'
import type { Oid } from '../../git/objects/oid.js'
import { RefWatch } from '../../git/repository/ref-watch.js'
import { createRepository, createRepositoryOf, repairRepository } from '../../git/repository/repository.js'
import { installPackFiles } from '../../git/storage/pack-writer.js'
import { hooksOfSite } from '../hooks/site-hooks.js'
import type { Repositories, Repository } from '../protocol/repository.js'
import type { Trouble } from '../protocol/trouble.js'
import type { PackToInstall, SiteRef } from '../protocol/write.js'
import { backUpRepository } from './back-up.js'
import { firstCommitOf } from '../format/first-commit.js'
import { DiskRepository } from './disk-repository.js'
import { WritableDiskRepository } from './writable-disk-repository.js'
import { folderKeyOf, makeDurableHeads } from './durable-heads.js'
import { Checker } from './checks/checker.js'
import { FormCheck } from './checks/form-check.js'
import { gitFsck } from './checks/git-fsck.js'
import { inspectRepository } from './checks/inspect-repository.js'
import { withLinkedCopy } from './checks/linked-copy.js'
import {
  adoptRepository,
  fetchFrom,
  type FetchMain,
  type ImportedRepository,
  importRepository,
  restoreRepository,
  type SiteNaming,
} from './import-repository.js'
import { keepLost } from './keep-lost.js'
import { isMaintenanceDue, maintainRepository } from './maintain.js'
import { FetchServer } from './fetching/serve-fetch.js'
import { allowedSignersIn, readAllowedSigners } from './signing-key.js'
import { gitdirOf, retiredGitdirOf } from './site-folders.js'
import { sumBytes } from './sum-bytes.js'

export class DiskRepositories implements Repositories {
  readonly #dataDir: string
  readonly #budget: ReadBudget | undefined
  readonly #form = new FormCheck()
  readonly #durableHeads = makeDurableHeads()
  readonly fetches = new FetchServer()

  /** `budget` bounds the reads of repositories that are opened for reading. */
  constructor(dataDir: string, budget?: ReadBudget) {
    this.#dataDir = dataDir
    this.#budget = budget
  }

  gitdir(site: SiteRef): string {
    return gitdirOf(this.#dataDir, site.slug)
  }

  open(site: SiteRef): Repository {
    return new DiskRepository(this.gitdir(site), this.#budget)
  }

  /** Calls `onMoved` after main or a tag may have moved. Returns a function that ends the watch. Throws errors of the system. */
  watch(site: SiteRef, onMoved: () => void): () => void {
    const watch = new RefWatch(this.gitdir(site), onMoved)
    return () => watch.close()
  }

  openForWriting(site: SiteRef): WritableDiskRepository {
    return new WritableDiskRepository(this.gitdir(site), site, this.#durableHeads)
  }

  create(site: SiteRef, time: number): void {
    const first = firstCommitOf(site, time)
    createRepository(this.gitdir(site), first, hooksOfSite(site.id))
    this.#durableHeads.set(folderKeyOf(this.gitdir(site)), first.commit.oid)
  }

  /** Makes the repository from the packs that `fetch` puts into a folder, which contain `main`: whole and durable, or not at all. */
  async createFrom(site: SiteRef, main: Oid, fetch: (folder: string) => Promise<PackToInstall[]>): Promise<void> {
    const folder = unfinishedPath(this.#dataDir, 'import', `${site.slug}-packs`)
    try {
      const packs = await fetch(folder)
      const install = (gitdir: string) => packs.forEach((files) => installPackFiles(gitdir, files).release())
      createRepositoryOf(this.gitdir(site), main, install, hooksOfSite(site.id))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    this.#durableHeads.set(folderKeyOf(this.gitdir(site)), main)
  }

  adopt(site: SiteRef, gitdir: string): void {
    adoptRepository(this.#dataDir, gitdir, site)
  }

  follow(): void {
    // Nothing to do: commits are made in this repository.
  }

  exists(site: SiteRef): boolean {
    if (!existsSync(this.gitdir(site))) return false
    syncDirectory(this.#dataDir)
    return true
  }

  retire(site: SiteRef): void {
    const gitdir = this.gitdir(site)
    if (!existsSync(gitdir)) return
    const retired = retiredGitdirOf(this.#dataDir, site)
    // A push that a crash ended can leave this rest after the repository was moved (see `dropQuarantine`).
    const isRest = existsSync(retired) && !existsSync(join(gitdir, 'HEAD'))
    if (isRest) return rmSync(gitdir, { recursive: true, force: true })
    mkdirSync(dirname(retired), { recursive: true })
    clearPushes(gitdir)
    renameSync(gitdir, retired)
    syncDirectory(dirname(retired))
    syncDirectory(this.#dataDir)
    // Removes what git wrote until the rename. Nothing is written here any more.
    clearPushes(retired)
  }

  keepLost(site: SiteRef, commit: Oid): void {
    const repository = this.open(site)
    try {
      if (repository.objects.has(commit)) keepLost(this.gitdir(site), commit)
    } finally {
      repository.close()
    }
  }

  repair(site: SiteRef): void {
    repairRepository(this.gitdir(site), hooksOfSite(site.id))
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#dataDir)
    return bavail * bsize
  }

  /** Removes unfinished repositories that crashed commands left. */
  clearUnfinished(): void {
    clearUnfinished(this.#dataDir)
  }

  /** Finds faults of the repository that show without reading all of it. */
  async inspect(site: SiteRef): Promise<Trouble[]> {
    return await inspectRepository(this.gitdir(site), site.id, this.#form)
  }

  /** Makes a thread that inspects repositories and compares objects with their ids; the caller closes it. */
  makeChecker(): Checker {
    return new Checker((site) => this.gitdir(site))
  }

  /** Lists the head's first-parent history back to `commit`, which comes last; empty if the history does not contain it. */
  async historyFrom(site: SiteRef, commit: Oid, head: Oid): Promise<Oid[]> {
    if (commit === head) return [head]
    const range = `${commit}..${head}`
    const listed = await runGit(this.gitdir(site), ['rev-list', '--first-parent', '--parents', range])
    const commits = listed
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
    const [, parent] = commits.at(-1) ?? []
    return parent === commit ? [...commits.map(([oid = '']) => oid), commit] : []
  }

  /** Returns the public keys that sign or signed the service's commits, in the form of ssh-keygen(1); empty before the first write. */
  allowedSigners(): string {
    return readAllowedSigners(this.#dataDir)
  }

  /** Copies the public signing keys, old ones included; none before the first write. The private key is in no backup. */
  backUpSigners(target: string): void {
    if (existsSync(allowedSignersIn(this.#dataDir))) copyFileSync(allowedSignersIn(this.#dataDir), target)
  }

  /** Restores the public keys by which the service recognizes its older commits. It signs with a new key from now on. */
  restoreSigners(source: string): void {
    if (!existsSync(source)) return
    mkdirSync(dirname(allowedSignersIn(this.#dataDir)), { recursive: true })
    copyFileSync(source, allowedSignersIn(this.#dataDir))
  }

  /** Returns the bytes that the repository's objects take on the disk, history included. */
  storageBytes(site: SiteRef): Promise<number> {
    return sumBytes(join(this.gitdir(site), 'objects'))
  }

  /** Whether there is something to maintain, after writes, pushes, or a repack that was killed. */
  isMaintenanceDue(site: SiteRef): boolean {
    return isMaintenanceDue(this.gitdir(site))
  }

  /** Maintains the repository. Returns false if a `git gc` or another maintenance is at work. Rejects with git's message. */
  maintain(site: SiteRef, signal?: AbortSignal): Promise<boolean> {
    return maintainRepository(this.gitdir(site), signal)
  }

  /** Returns all that `git fsck` prints; empty if it finds no fault. Rejects with GitFailed if git was stopped or did not start. */
  gitFsck(site: SiteRef): Promise<string> {
    return gitFsck(this.gitdir(site))
  }

  /** Calls `work` with the folder of a bare copy that shares the repository's files, and does not change while others write and repack. */
  withStillCopy<T>(site: SiteRef, work: (gitdir: string) => Promise<T>): Promise<T> {
    return withLinkedCopy(this.gitdir(site), work)
  }

  /** Brings `target` to all refs of the site, which may be deleted before or meanwhile. Rejects with git's message. */
  async backUp(site: SiteRef, target: string): Promise<void> {
    const retired = retiredGitdirOf(this.#dataDir, site)
    const isRetired = existsSync(retired)
    try {
      await backUpRepository(isRetired ? retired : this.gitdir(site), target)
    } catch (error) {
      if (isRetired || !existsSync(retired)) throw error
      await backUpRepository(retired, target)
    }
  }

  /** Imports a repository's folder, a bundle file or a URL that git can fetch, with the operator's own configuration. */
  import(source: string, newId: string, time: number): Promise<ImportedRepository> {
    const naming = { newId, mayKeep: async () => true }
    return importRepository(this.#dataDir, fetchFrom(source), naming, time)
  }

  /** Imports the objects that `fetchMain` brings. `limits` may end the process that judges them. */
  importFetched(
    fetchMain: FetchMain,
    naming: SiteNaming,
    time: number,
    limits: Pick<GitOptions, 'signal'>,
  ): Promise<ImportedRepository> {
    return importRepository(this.#dataDir, fetchMain, naming, time, limits)
  }

  /** Makes the site's repository from its backup. Rejects with the reason if that fails. */
  restore(site: SiteRef, source: string): Promise<void> {
    return restoreRepository(this.#dataDir, source, site)
  }
}
