// Makes a site of an existing repository or bundle, with its ids and its history. Everything is copied and checked under another
// name first; the rename at the end makes it the site.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { GitFailed, type GitOptions, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import { encodeCommit, formatMessage } from '../../git/objects/commit.js'
import { syncDirectory, syncFilesystem } from '../../git/disk/durable.js'
import { entryAt } from '../../git/repository/history.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { newObject } from '../../git/objects/object.js'
import { encodePack, installPack } from '../../git/storage/pack-writer.js'
import { moveRef, readRef } from '../../git/repository/ref.js'
import { lendTo, openBorrower, openRepository } from '../../git/repository/repository.js'
import { unfinishedPath } from '../../git/disk/unfinished.js'
import { MODE_BLOB, patchTree } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { isFile } from '../format/file-mode.js'
import { toleratedSettings } from '../../git/tolerated-faults.js'
import { COMMITTER, MAIN } from '../format/main-ref.js'
import { assertOwnTree } from '../format/site-identity.js'
import { encodeSiteFile, parseSiteFile, SITE_FILE } from '../format/site-format.js'
import { judgeByHook } from '../hooks/judge-by-hook.js'
import { DRAFTS_HOOKS, hooksOfSite, SITE_HOOKS } from '../hooks/site-hooks.js'
import { PushRefused, sentenceOf } from '../pushing/judge/push-messages.js'
import type { SiteRef } from '../protocol/write.js'
import { branchesOf } from '../protocol/request-branches.js'
import { draftsGitdirOf, gitdirOf } from './site-folders.js'

/** A remote repository may need the user's credentials. The user's hooks do not run for imports. */
const REMOTE: GitOptions = { configuration: 'user', maxMs: MAX_WHOLE_REPOSITORY_MS }
const SETTINGS = [
  ['fetch.fsckObjects', 'true'],
  ['core.hooksPath', '/dev/null'],
  ...toleratedSettings('fetch.fsck'),
].flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Brings refs/heads/main and its objects into the empty repository at `gitdir`. */
export type FetchMain = (gitdir: string) => Promise<void>

/** The id of the site that is made of a repository. */
export interface SiteNaming {
  /** The id to use if the tree holds none, or may not keep its own. A commit then records it, so that every later clone has it. */
  newId: string
  /** Whether the site may have the id that the tree holds. */
  mayKeep: (id: string) => Promise<boolean>
}

export interface ImportedRepository {
  siteId: string
  /** Content that is imported but cannot be served as it is. */
  warnings: readonly string[]
  /** Its folder until it is adopted. */
  gitdir: string
  drop(): void
}

/** Makes a repository from what `fetchMain` brings, judged as a push would be. Throws `conflict` if it is refused. */
export async function importRepository(
  dataDir: string,
  fetchMain: FetchMain,
  naming: SiteNaming,
  time: number,
  limits: JudgeLimits = {},
): Promise<ImportedRepository> {
  return await copyRepository(dataDir, async (gitdir) => {
    await fetchMain(gitdir)
    openRepository(gitdir, SITE_HOOKS)
    const warnings = await judgeAsPushed(gitdir, limits)
    return { siteId: await ensureSiteFile(gitdir, naming, time), warnings }
  })
}

/** Imports a repository's folder, a bundle file or a URL that git can fetch, with the operator's own configuration. It keeps its id. */
export async function importFrom(
  dataDir: string,
  source: string,
  newId: string,
  time: number,
): Promise<ImportedRepository> {
  return await importRepository(dataDir, fetchFrom(source), { newId, mayKeep: async () => true }, time)
}

/** Copies the main branch and kept lost history from a repository's folder, a bundle file, or a URL that git can fetch. */
function fetchFrom(source: string): FetchMain {
  return async (gitdir) => {
    const branch = await findBranch(gitdir, source)
    await fetchRefs(gitdir, source, [`+${branch}:${MAIN}`, '+refs/palimpsest/lost/*:refs/palimpsest/lost/*'])
  }
}

/**
 * Copies the repository of a backup with all its refs and adds no commit. It was served before, so it is not judged again. Throws
 * OtherSitesRepository if it is that of another site.
 */
export async function restoreRepository(dataDir: string, source: string, site: SiteRef): Promise<void> {
  const restored = await copyRepository(dataDir, async (gitdir) => {
    await findBranch(gitdir, source)
    await fetchRefs(gitdir, source, ['+refs/*:refs/*'])
    const head = readRef(gitdir, MAIN)
    if (head === undefined) throw new ServiceError('conflict', `${source} has no branch main.`)
    const objects = new ObjectDatabase(gitdir)
    try {
      assertOwnTree(objects, objects.readCommit(head).tree, site.id)
    } finally {
      objects.close()
    }
    openRepository(gitdir, SITE_HOOKS)
    return { siteId: site.id, warnings: [] }
  })
  adoptRepository(dataDir, restored.gitdir, site)
}

/**
 * Copies the branches of change requests of a backup, for a site whose repository is in its place. Leaves out branches that are not
 * named. Returns the ids of the others.
 */
export async function restoreDrafts(
  dataDir: string,
  source: string,
  { slug }: SiteRef,
  ids: readonly string[],
): Promise<string[]> {
  const found = existsSync(source) ? branchesOf(source).filter((id) => ids.includes(id)) : []
  if (found.length === 0) return []
  const drafts = draftsGitdirOf(dataDir, slug)
  mkdirSync(dirname(drafts), { recursive: true })
  const { gitdir } = await copyRepository(dirname(drafts), async (building) => {
    lendTo(building, gitdirOf(dataDir, { slug }))
    await fetchRefs(
      building,
      source,
      found.map((id) => `+refs/heads/${id}:refs/heads/${id}`),
    )
    return { siteId: slug, warnings: [] }
  })
  renameSync(gitdir, drafts)
  openBorrower(drafts, DRAFTS_HOOKS)
  syncDirectory(dirname(drafts))
  syncDirectory(dataDir)
  return found
}

/** Renames a repository that was made under another name to the site's name: from then on it is the site's. */
export function adoptRepository(dataDir: string, gitdir: string, { id, slug }: SiteRef): void {
  renameSync(gitdir, gitdirOf(dataDir, { slug }))
  syncDirectory(dataDir)
  // The hooks' path is absolute and follows the new name. From now on the hooks know the site.
  openRepository(gitdirOf(dataDir, { slug }), hooksOfSite(id))
}

/** Makes a repository under another name. It is durable when this resolves. */
async function copyRepository(
  dataDir: string,
  fill: (gitdir: string) => Promise<Pick<ImportedRepository, 'siteId' | 'warnings'>>,
): Promise<ImportedRepository> {
  const gitdir = unfinishedPath(dataDir, 'import', `${randomUUID()}.git`)
  const drop = () => rmSync(gitdir, { recursive: true, force: true })
  try {
    await git(gitdir, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'])
    const filled = await fill(gitdir)
    syncFilesystem(gitdir)
    return { ...filled, gitdir, drop }
  } catch (error) {
    drop()
    throw error
  }
}

/** Finds the branch that becomes main. */
async function findBranch(gitdir: string, source: string): Promise<string> {
  const advertised = await git(gitdir, ['ls-remote', source], REMOTE)
  const refs = new Map(advertised.split('\n').map((line) => line.split('\t').toReversed() as [string, string]))
  const branch = [MAIN, 'refs/heads/master', 'HEAD'].find((name) => refs.has(name))
  if (branch === undefined) {
    throw new ServiceError('not_found', `${source} has no branch main or master to import.`)
  }
  if (refs.get(branch)?.length !== 40) {
    throw new ServiceError('conflict', `${source} is a SHA-256 repository; only SHA-1 ones can be sites.`)
  }
  return branch
}

/** Fetches the refs. Every object is checked on the way in. */
async function fetchRefs(gitdir: string, source: string, refs: string[]): Promise<void> {
  await git(gitdir, [...SETTINGS, 'fetch', '--quiet', '--no-tags', source, ...refs], REMOTE)
}

type JudgeLimits = Pick<GitOptions, 'signal'>

/** Returns the judge's warnings. Throws `conflict` with its reason. */
async function judgeAsPushed(gitdir: string, limits: JudgeLimits): Promise<string[]> {
  const update = { ref: MAIN, before: null, after: readRef(gitdir, MAIN) ?? null }
  try {
    const options = { maxMs: MAX_WHOLE_REPOSITORY_MS, niceness: SERVING_NICENESS, ...limits }
    return (await judgeByHook(gitdir, [update], options)).map(sentenceOf)
  } catch (error) {
    throw asConflict(error)
  }
}

async function git(gitdir: string, args: string[], options?: GitOptions): Promise<string> {
  try {
    return (await runGit(gitdir, args, { niceness: SERVING_NICENESS, ...options })).toString()
  } catch (error) {
    throw asConflict(error)
  }
}

function asConflict(error: unknown): unknown {
  if (!(error instanceof GitFailed || error instanceof PushRefused)) return error
  const refusal = new ServiceError('conflict', `The repository cannot be imported: ${error.message}`)
  return Object.assign(refusal, { cause: error })
}

async function ensureSiteFile(gitdir: string, { newId, mayKeep }: SiteNaming, time: number): Promise<string> {
  const odb = new ObjectDatabase(gitdir)
  try {
    const head = readRef(gitdir, MAIN)
    if (head === undefined) throw new ServiceError('conflict', 'The repository has no commit on its main branch.')
    const { tree } = odb.readCommit(head)
    const entry = entryAt(odb, tree, SITE_FILE)
    const known = entry !== undefined && isFile(entry.mode) ? parseSiteFile(odb.readBlob(entry.oid)) : undefined
    if (known !== undefined && (await mayKeep(known.id))) return known.id
    const blob = newObject('blob', encodeSiteFile(newId))
    const root = newObject('tree', patchTree(odb.readTree(tree), [{ name: SITE_FILE, mode: MODE_BLOB, oid: blob.oid }]))
    const identity = { ...COMMITTER, time }
    const message = formatMessage('Name the site', undefined, [])
    const commit = newObject(
      'commit',
      encodeCommit({ tree: root.oid, parents: [head], author: identity, committer: identity, message }),
    )
    installPack(gitdir, encodePack([blob, root, commit])).release()
    moveRef(gitdir, MAIN, head, commit.oid, { committer: identity, message: 'import' })
    return newId
  } finally {
    odb.close()
  }
}
