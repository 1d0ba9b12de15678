// Copies a site's repository into a backup while writes go on. git's own fetch reads the refs first and then the objects that they
// reach, so the copy shows one moment. Objects that the copy already has are not sent again.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { maintainRepository } from './maintain.js'

/** Each run adds a pack; above this number the packs are joined. */
const MAX_PACKS = 50
/** One pack syncs faster than the loose files that a small fetch would leave. The user's hooks do not run for backups. */
const SETTINGS = ['-c', 'fetch.unpackLimit=1', '-c', 'fetch.prune=false', '-c', 'core.hooksPath=/dev/null']
const SOURCE: GitOptions = { configuration: 'user', maxMs: MAX_WHOLE_REPOSITORY_MS }
const ALL_REFS = '+refs/*:refs/*'

/**
 * Brings the bare repository `target` to exactly the refs of `source`; makes it if it is missing. Rejects with git's message:
 * `target` is then unchanged, except for refs that the source no longer has; a new one is removed. The caller makes it durable.
 */
export async function backUpRepository(source: string, target: string): Promise<void> {
  const isNew = !existsSync(target)
  try {
    if (isNew) await runGit(target, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'])
    else await prune(source, target)
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-auto-gc', '--atomic', source, ALL_REFS]
    await runGit(target, [...SETTINGS, ...fetch], SOURCE)
  } catch (error) {
    if (isNew) rmSync(target, { recursive: true, force: true })
    throw error
  }
  const packs = readdirSync(join(target, 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
  if (packs.length > MAX_PACKS) await maintainRepository(target)
}

/** Runs before the fetch: git does not make `feature/x` in the transaction that deletes `feature`. */
async function prune(source: string, target: string): Promise<void> {
  const remote = ['-c', `remote.source.url=${source}`, '-c', `remote.source.fetch=${ALL_REFS}`]
  await runGit(target, [...SETTINGS, ...remote, 'remote', 'prune', 'source'], SOURCE)
}
