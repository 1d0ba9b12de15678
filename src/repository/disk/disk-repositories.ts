// The sites' repositories in the data directory, as readers and writers use them. Every kind of service keeps its repositories on a disk.
// Tools for operators are functions that take a repository's folder, such as `maintainRepository`.

import { existsSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runGit } from '../../git/command.js'
import { syncDirectory } from '../../git/disk/durable.js'
import { clearPushes } from '../../git/disk/scratch.js'
import { clearUnfinished, unfinishedPath } from '../../git/disk/unfinished.js'
import type { ReadBudget } from '../../git/storage/object-reader.js'
import type { Oid } from '../../git/objects/oid.js'
import {
  createBorrower,
  createRepository,
  createRepositoryOf,
  lendTo,
  repairBorrower,
  repairRepository,
} from '../../git/repository/repository.js'
import { moveRef, readRef } from '../../git/repository/ref.js'
import { PublishedRequests } from '../protocol/published-requests.js'
import { installPackFiles } from '../../git/storage/pack-writer.js'
import { DRAFTS_HOOKS, hooksOfSite } from '../hooks/site-hooks.js'
import type { Repositories, Repository } from '../protocol/repository.js'
import { branchOf } from '../protocol/site-place.js'
import type { PackToInstall, SiteRef } from '../protocol/write.js'
import { firstCommitOf } from '../format/first-commit.js'
import { COMMITTER } from '../format/main-ref.js'
import { type BranchOptions, DiskRepository } from './disk-repository.js'
import { WritableDiskRepository } from './writable-disk-repository.js'
import { folderKeyOf, makeDurableHeads } from './durable-heads.js'
import { adoptRepository } from './import-repository.js'
import { markEnded } from './maintain-drafts.js'
import { openSigner, readAllowedSigners } from './signing-key.js'
import { DRAFTS, draftsGitdirOf, gitdirOf, retiredDraftsOf, retiredGitdirOf } from './site-folders.js'

export class DiskRepositories implements Repositories {
  readonly dataDir: string
  readonly #budget: ReadBudget | undefined
  readonly #durableHeads = makeDurableHeads()
  readonly #published = new PublishedRequests()
  /** Signs a commit as one of the service. */
  readonly sign: (commit: Buffer) => Buffer

  /** `budget` bounds the reads of repositories that are opened for reading. */
  constructor(dataDir: string, budget?: ReadBudget) {
    this.dataDir = dataDir
    this.#budget = budget
    this.sign = openSigner(dataDir)
  }

  gitdir(site: SiteRef): string {
    return gitdirOf(this.dataDir, site)
  }

  /** Returns the repository that the place borrows objects from; undefined for main, which borrows none. */
  lender({ slug, request }: SiteRef): string | undefined {
    return request === undefined ? undefined : gitdirOf(this.dataDir, { slug })
  }

  #branchOptions(site: SiteRef): BranchOptions {
    return { branch: branchOf(site), lender: this.lender(site) }
  }

  open(site: SiteRef): Repository {
    return new DiskRepository(this.gitdir(site), { ...this.#branchOptions(site), budget: this.#budget })
  }

  openForWriting(site: SiteRef): WritableDiskRepository {
    const requests = { gitdir: draftsGitdirOf(this.dataDir, site.slug), published: this.#published }
    return new WritableDiskRepository(this.gitdir(site), site, {
      ...this.#branchOptions(site),
      heads: this.#durableHeads,
      requests,
    })
  }

  create(site: SiteRef, time: number): void {
    const first = firstCommitOf(site, time)
    createRepository(this.gitdir(site), first, hooksOfSite(site.id))
    this.#durableHeads.set(folderKeyOf(this.gitdir(site)), first.commit.oid)
  }

  /** Makes the repository from the packs that `fetch` puts into a folder, which contain `main`: whole and durable, or not at all. */
  async createFrom(site: SiteRef, main: Oid, fetch: (folder: string) => Promise<PackToInstall[]>): Promise<void> {
    const folder = unfinishedPath(this.dataDir, 'import', `${site.slug}-packs`)
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
    adoptRepository(this.dataDir, gitdir, site)
  }

  follow(): void {
    // Nothing to do: commits are made in this repository.
  }

  exists(site: SiteRef): boolean {
    if (!existsSync(this.gitdir(site))) return false
    syncDirectory(this.dataDir)
    return true
  }

  retire(site: SiteRef): void {
    this.#retireDrafts(site)
    const gitdir = this.gitdir(site)
    if (!existsSync(gitdir)) return
    const retired = retiredGitdirOf(this.dataDir, site)
    // A push that a crash ended can leave this rest after the repository was moved (see `dropQuarantine`).
    const isRest = existsSync(retired) && !existsSync(join(gitdir, 'HEAD'))
    if (isRest) return rmSync(gitdir, { recursive: true, force: true })
    mkdirSync(dirname(retired), { recursive: true })
    clearPushes(gitdir)
    renameSync(gitdir, retired)
    syncDirectory(dirname(retired))
    syncDirectory(this.dataDir)
    // Removes what git wrote until the rename. Nothing is written here any more.
    clearPushes(retired)
  }

  /** Moves the change requests first: their repository borrows from the site's. */
  #retireDrafts(site: SiteRef): void {
    const gitdir = draftsGitdirOf(this.dataDir, site.slug)
    if (!existsSync(gitdir)) return
    const retired = retiredDraftsOf(this.dataDir, site)
    mkdirSync(dirname(retired), { recursive: true })
    renameSync(gitdir, retired)
    lendTo(retired, retiredGitdirOf(this.dataDir, site))
    syncDirectory(dirname(retired))
    syncDirectory(dirname(gitdir))
  }

  beginRequest(site: SiteRef, fork: Oid, time: number): void {
    const gitdir = this.gitdir(site)
    if (!existsSync(gitdir)) {
      const isNew = mkdirSync(dirname(gitdir), { recursive: true }) !== undefined
      createBorrower(gitdir, gitdirOf(this.dataDir, { slug: site.slug }), DRAFTS_HOOKS)
      if (isNew) syncDirectory(this.dataDir)
    }
    const branch = branchOf(site)
    if (readRef(gitdir, branch) !== undefined) return
    // The fork is the site's: its own writer makes it durable, and so does the first write here.
    moveRef(gitdir, branch, undefined, fork, { committer: { ...COMMITTER, time }, message: 'begin a change request' })
  }

  async endRequest(site: SiteRef): Promise<void> {
    const gitdir = this.gitdir(site)
    if (!existsSync(gitdir) || readRef(gitdir, branchOf(site)) === undefined) return
    markEnded(gitdir)
    await runGit(gitdir, ['update-ref', '-d', branchOf(site)])
    for (const folder of ['.', 'refs/heads']) syncDirectory(join(gitdir, folder))
  }

  repair(site: SiteRef): void {
    if (site.request === undefined) repairRepository(this.gitdir(site), hooksOfSite(site.id))
    else repairBorrower(this.gitdir(site), DRAFTS_HOOKS)
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.dataDir)
    return bavail * bsize
  }

  /** Removes unfinished repositories that crashed commands left. */
  clearUnfinished(): void {
    const drafts = join(this.dataDir, DRAFTS)
    for (const folder of [this.dataDir, ...(existsSync(drafts) ? [drafts] : [])]) clearUnfinished(folder)
  }

  /** Returns the public keys that sign or signed the service's commits, in the form of ssh-keygen(1); empty before the first write. */
  allowedSigners(): string {
    return readAllowedSigners(this.dataDir)
  }
}
