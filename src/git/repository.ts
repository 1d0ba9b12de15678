// Repositories as the service needs them: made durable in one step, and verified whenever one is opened.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { formatConfig, readConfig, repairConfig } from './config-file.js'
import { syncDirectory, writeFileDurable } from './durable.js'
import { RepositoryInvalid } from './errors.js'
import { installHooks } from './hooks.js'
import type { NewObject } from './object.js'
import { encodePack, installPack, isOurKeep } from './pack-writer.js'
import { removeStaleLock } from './ref.js'

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
 * Makes a bare repository whose main is `first.commit`. It is built and synced under another name in the same folder and
 * then renamed, so that it is there whole or not at all. Throws EEXIST or ENOTEMPTY when the name is taken.
 */
export function createRepository(gitdir: string, first: { commit: NewObject; objects: readonly NewObject[] }): void {
  const parent = dirname(gitdir)
  const building = join(parent, `.new-${basename(gitdir)}`)
  rmSync(building, { recursive: true, force: true })
  try {
    for (const folder of FOLDERS) mkdirSync(join(building, folder), { recursive: true })
    writeFileDurable(join(building, 'HEAD'), Buffer.from(HEAD))
    writeFileDurable(join(building, 'config'), Buffer.from(formatConfig(join(resolve(gitdir), 'hooks'))))
    installHooks(building)
    installPack(building, encodePack(first.objects)).release()
    writeFileDurable(join(building, MAIN), Buffer.from(`${first.commit.oid}\n`))
    syncFolders(building)
    // A folder that exists and is not empty is never replaced: rename(2) refuses.
    renameSync(building, gitdir)
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    throw error
  }
  syncDirectory(parent)
}

/**
 * Verifies that the service can keep its promises here, puts its configuration and hooks back where they were changed,
 * and clears what a crash left. Only the site's writer may call it. Throws RepositoryInvalid with the reason.
 */
export function openRepository(gitdir: string): void {
  const config = readConfig(gitdir)
  refuseFormats(gitdir, config)
  const head = readFileSync(join(gitdir, 'HEAD'), 'utf8')
  if (head.trim() !== HEAD.trim()) {
    throw new RepositoryInvalid('HEAD does not point to refs/heads/main: git symbolic-ref HEAD refs/heads/main')
  }
  repairConfig(gitdir, config, join(resolve(gitdir), 'hooks'))
  installHooks(gitdir)
  clearLeftovers(gitdir)
}

function refuseFormats(gitdir: string, config: ReadonlyMap<string, string>): void {
  if ((config.get('extensions.objectformat') ?? 'sha1') !== 'sha1') {
    throw new RepositoryInvalid('the repository uses SHA-256; only SHA-1 repositories can be sites')
  }
  if ((config.get('extensions.refstorage') ?? 'files') !== 'files' || existsSync(join(gitdir, 'reftable'))) {
    throw new RepositoryInvalid(
      'the repository keeps its refs in a reftable; only the files backend can be shared with it',
    )
  }
  if (config.has('extensions.partialclone')) {
    throw new RepositoryInvalid('the repository is a partial clone: fetch everything first')
  }
  if (existsSync(join(gitdir, 'objects', 'info', 'alternates'))) {
    throw new RepositoryInvalid(
      'the repository borrows objects from another: git repack -a -d, then remove objects/info/alternates',
    )
  }
}

/** Half-made packs, our own stale lock, and `.keep` files of batches that never became a commit. */
function clearLeftovers(gitdir: string): void {
  const scratch = join(gitdir, 'palimpsest')
  mkdirSync(scratch, { recursive: true })
  removeStaleLock(gitdir, MAIN)
  for (const file of readdirSync(scratch)) {
    if (/^(pack|ref)-/.test(file)) rmSync(join(scratch, file), { force: true })
  }
  const packs = join(gitdir, 'objects', 'pack')
  for (const file of readdirSync(packs).filter((name) => name.endsWith('.keep'))) {
    if (isOurKeep(readFileSync(join(packs, file), 'utf8'))) rmSync(join(packs, file), { force: true })
  }
}

/** Every folder's names, innermost first. The files in them are synced by who wrote them. */
function syncFolders(root: string): void {
  const entries = readdirSync(root, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) syncFolders(join(root, entry.name))
  syncDirectory(root)
}
