// Repositories as the service needs them: made durable in one step, and verified each time one is opened.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { formatConfig, readConfig, repairConfig } from './config-file.js'
import { syncDirectory, writeFileDurable } from '../disk/durable.js'
import { RepositoryInvalid } from '../objects/errors.js'
import { type Hooks, installHooks } from './hooks.js'
import type { NewObject } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import { encodePack, installPack } from '../storage/pack-writer.js'
import { borrowObjects, borrowsFrom, borrowsObjects, makePushMark } from './push-mark.js'
import { removeLocksOfEarlierBoot } from '../disk/abandoned.js'
import { clearScratch } from '../disk/scratch.js'
import { unfinishedPath } from '../disk/unfinished.js'

const HEAD = 'ref: refs/heads/main\n'
const MAIN = 'refs/heads/main'
const FOLDERS = [
  'hooks',
  'info',
  'logs/refs/heads',
  'objects/info',
  'objects/pack',
  'palimpsest',
  'refs/heads',
  'refs/tags',
]

/**
 * Creates a bare repository whose main is `first.commit`. It is built and synced under another name in the same folder and
 * then renamed, so that it exists complete or not at all. Throws EEXIST or ENOTEMPTY if the name is taken.
 */
export function createRepository(
  gitdir: string,
  first: { commit: NewObject; objects: readonly NewObject[] },
  hooks: Hooks,
): void {
  const install = (building: string) => installPack(building, encodePack(first.objects)).release()
  createRepositoryOf(gitdir, first.commit.oid, install, hooks)
}

/** Does the same with another main: `install` puts its objects into the given folder, durably. */
export function createRepositoryOf(gitdir: string, main: Oid, install: (building: string) => void, hooks: Hooks): void {
  build(gitdir, hooks, false, (building) => {
    makePushMark(building)
    install(building)
    writeFileDurable(join(building, MAIN), Buffer.from(`${main}\n`))
  })
}

/** Creates a bare repository without branches that borrows all objects of the repository `lender`. Throws as `createRepository` does. */
export function createBorrower(gitdir: string, lender: string, hooks: Hooks): void {
  build(gitdir, hooks, true, (building) => borrowObjects(building, lendersFolder(gitdir, lender)))
}

/** Has a borrower that was moved find the objects of its lender at another place. */
export function lendTo(gitdir: string, lender: string): void {
  borrowObjects(gitdir, lendersFolder(gitdir, lender))
}

/** Returns the path of the lender's objects from those of the borrower, so that both can be moved together. */
function lendersFolder(gitdir: string, lender: string): string {
  return relative(join(gitdir, 'objects'), join(lender, 'objects'))
}

function build(gitdir: string, hooks: Hooks, isBorrower: boolean, fill: (building: string) => void): void {
  const parent = dirname(gitdir)
  const building = unfinishedPath(parent, 'new', basename(gitdir))
  try {
    for (const folder of FOLDERS) mkdirSync(join(building, folder), { recursive: true })
    writeFileDurable(join(building, 'HEAD'), Buffer.from(HEAD))
    writeFileDurable(join(building, 'config'), Buffer.from(formatConfig(hooksPathOf(gitdir), isBorrower)))
    installHooks(building, hooks)
    fill(building)
    syncFolders(building)
    // rename(2) never replaces a folder that is not empty.
    renameSync(building, gitdir)
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    throw error
  }
  syncDirectory(parent)
}

/**
 * Verifies that the service can keep its promises here, restores its configuration and hooks if they were changed,
 * and clears the leftovers of a crash. In a process only the site's writer may call it; files in use by other running
 * processes stay. Throws RepositoryInvalid with the reason.
 */
export function openRepository(gitdir: string, hooks: Hooks): void {
  removeLocksOfEarlierBoot(gitdir)
  repairRepository(gitdir, hooks)
  clearScratch(gitdir)
}

/** Does the same for a repository that `createBorrower` made. */
export function openBorrower(gitdir: string, hooks: Hooks): void {
  removeLocksOfEarlierBoot(gitdir)
  repairBorrower(gitdir, hooks)
  clearScratch(gitdir)
}

/** Restores configuration and hooks of a borrower if they were changed. Throws RepositoryInvalid with the reason. */
export function repairBorrower(gitdir: string, hooks: Hooks): void {
  const config = readConfig(gitdir)
  refuseFormats(config)
  repairConfig(gitdir, config, hooksPathOf(gitdir), true)
  installHooks(gitdir, hooks)
}

/** Verifies, and restores configuration and hooks if they were changed. Throws RepositoryInvalid with the reason. */
export function repairRepository(gitdir: string, hooks: Hooks): void {
  const config = verifyRepository(gitdir)
  repairConfig(gitdir, config, hooksPathOf(gitdir))
  makePushMark(gitdir)
  installHooks(gitdir, hooks)
}

/** Returns the folder in which git must look for the hooks of a repository. */
export function hooksPathOf(gitdir: string): string {
  return join(resolve(gitdir), 'hooks')
}

/** Returns the configuration of a repository that can be a site. Changes nothing. Throws RepositoryInvalid with the reason. */
export function verifyRepository(gitdir: string): Map<string, string> {
  const config = verifyForm(gitdir)
  if (borrowsObjects(gitdir)) {
    throw new RepositoryInvalid(
      'the repository borrows objects from another: git repack -a -d, then remove objects/info/alternates',
    )
  }
  return config
}

/** Does the same for a borrower of `lender`. */
export function verifyBorrower(gitdir: string, lender: string): Map<string, string> {
  const config = verifyForm(gitdir)
  const folder = lendersFolder(gitdir, lender)
  if (!borrowsFrom(gitdir, folder))
    throw new RepositoryInvalid(`the repository does not borrow objects: write ${folder} into objects/info/alternates`)
  return config
}

function verifyForm(gitdir: string): Map<string, string> {
  const config = readConfig(gitdir)
  refuseFormats(config)
  for (const [path, reason] of REFUSED_FILES) if (existsSync(join(gitdir, path))) throw new RepositoryInvalid(reason)
  if (readHead(gitdir) !== HEAD.trim()) {
    throw new RepositoryInvalid('HEAD does not point to refs/heads/main: git symbolic-ref HEAD refs/heads/main')
  }
  return config
}

function refuseFormats(config: ReadonlyMap<string, string>): void {
  const version = config.get('core.repositoryformatversion') ?? '0'
  if (version !== '0' && version !== '1') {
    throw new RepositoryInvalid(`the repository has format version ${version}; only 0 and 1 are known`)
  }
  if ((config.get('extensions.objectformat') ?? 'sha1') !== 'sha1') {
    throw new RepositoryInvalid('the repository uses SHA-256; only SHA-1 repositories can be sites')
  }
  if ((config.get('extensions.refstorage') ?? 'files') !== 'files') {
    throw new RepositoryInvalid(
      'the repository keeps its refs in a reftable; only the files backend can be shared with it',
    )
  }
  const promisor = [...config].some(([name, value]) => /^remote\..*\.promisor$/.test(name) && value === 'true')
  if (promisor || config.has('extensions.partialclone')) {
    throw new RepositoryInvalid('the repository is a partial clone: fetch everything first, or make a full clone')
  }
}

/** Files that show that a part of the repository is elsewhere, or in a form that we do not read. */
const REFUSED_FILES: readonly (readonly [path: string, reason: string])[] = [
  ['reftable', 'the repository keeps its refs in a reftable; only the files backend can be shared with it'],
  ['shallow', 'the repository is a shallow clone: git fetch --unshallow'],
]

function readHead(gitdir: string): string {
  try {
    return readFileSync(join(gitdir, 'HEAD'), 'utf8').trim()
  } catch (error) {
    throw new RepositoryInvalid(`the repository's HEAD cannot be read: ${String(error)}`)
  }
}

/** Syncs every folder, innermost first. Files are synced when they are written. */
function syncFolders(root: string): void {
  const entries = readdirSync(root, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) syncFolders(join(root, entry.name))
  syncDirectory(root)
}
