// Copies a site's repository into a backup while writes go on. The fetch of git reads the refs first and then the objects that they reach,
// so the copy shows one moment. Objects that the copy already has are not sent again.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { lendTo } from '../../git/repository/repository.js'
import { draftsOf } from '../protocol/site-place.js'
import type { SiteRef } from '../protocol/write.js'
import type { DiskRepositories } from './disk-repositories.js'
import { pruneBorrower } from './maintain-drafts.js'
import { maintainRepository } from './maintain.js'
import { retiredGitdirOf } from './site-folders.js'

/** Each run adds a pack; above this number the packs are joined. */
const MAX_PACKS = 50
/** One pack syncs faster than the loose files that a small fetch would leave. The user's hooks do not run for backups. */
const SETTINGS = ['-c', 'fetch.unpackLimit=1', '-c', 'fetch.prune=false', '-c', 'core.hooksPath=/dev/null']
const SOURCE: GitOptions = { configuration: 'user', maxMs: MAX_WHOLE_REPOSITORY_MS }
const ALL_REFS = '+refs/*:refs/*'

/** Brings `target` to all refs of the site, which may be deleted before or meanwhile. Otherwise as `backUpRepository`. */
export async function backUpSite(
  repositories: Pick<DiskRepositories, 'dataDir' | 'gitdir'>,
  site: SiteRef,
  target: string,
): Promise<void> {
  const retired = retiredGitdirOf(repositories.dataDir, site)
  const isRetired = existsSync(retired)
  try {
    await backUpRepository(isRetired ? retired : repositories.gitdir(site), target)
  } catch (error) {
    if (isRetired || !existsSync(retired)) throw error
    await backUpRepository(retired, target)
  }
}

/**
 * Brings `target` to all change requests of the site, and makes it borrow from `siteTarget`, the copy of the site. Objects that the
 * copy of the site lacks are copied too. Does nothing for a site without change requests. Otherwise as `backUpRepository`.
 */
export async function backUpDrafts(
  repositories: Pick<DiskRepositories, 'gitdir'>,
  site: SiteRef,
  { target, siteTarget }: { target: string; siteTarget: string },
): Promise<void> {
  const source = repositories.gitdir(draftsOf(site))
  if (existsSync(source)) await backUpRepository(source, target, siteTarget)
}

/**
 * Brings the bare repository `target` to exactly the refs of `source`; makes it if it is missing. Rejects with git's message:
 * `target` is then unchanged, except for refs that the source no longer has; a new one is removed. The caller makes it durable.
 */
async function backUpRepository(source: string, target: string, lender?: string): Promise<void> {
  const isNew = !existsSync(target)
  try {
    if (isNew) await runGit(target, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'])
    else await prune(source, target)
    if (lender !== undefined) lendTo(target, lender)
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-auto-gc', '--atomic', source, ALL_REFS]
    await runGit(target, [...SETTINGS, ...fetch], SOURCE)
  } catch (error) {
    if (isNew) rmSync(target, { recursive: true, force: true })
    throw error
  }
  const packs = readdirSync(join(target, 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
  if (packs.length <= MAX_PACKS) return
  if (lender === undefined) await maintainRepository(target)
  else await pruneBorrower(target, lender)
}

/** Runs before the fetch: git does not make `feature/x` in the transaction that deletes `feature`. */
async function prune(source: string, target: string): Promise<void> {
  const remote = ['-c', `remote.source.url=${source}`, '-c', `remote.source.fetch=${ALL_REFS}`]
  await runGit(target, [...SETTINGS, ...remote, 'remote', 'prune', 'source'], SOURCE)
}
