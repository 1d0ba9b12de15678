// Copies a site's repository into a backup while its writers go on: by git's own fetch, which reads the refs first and
// then what they reach, so that the copy is the site as of one moment. What the copy has already is not sent again.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { maintainRepository } from './maintain.js'

/** Each run adds a pack; past this many they are joined. */
const MAX_PACKS = 50
/** A fetch of a few objects would leave loose files: one pack is quicker to sync. Hooks of the user are not for backups. */
const SETTINGS = ['-c', 'fetch.unpackLimit=1', '-c', 'fetch.prune=false', '-c', 'core.hooksPath=/dev/null']
const SOURCE: GitOptions = { configuration: 'user', maxMs: MAX_WHOLE_REPOSITORY_MS }
const ALL_REFS = '+refs/*:refs/*'

/**
 * Brings `target`, a plain bare repository that is made where it is missing, to the refs of `source`, no more and no fewer.
 * Rejects with git's words: `target` then is as it was, but for refs that the source no longer has, or still missing.
 * The caller makes it durable.
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

/** Before the fetch: git does not make `feature/x` in the transaction that deletes `feature`. */
async function prune(source: string, target: string): Promise<void> {
  const remote = ['-c', `remote.source.url=${source}`, '-c', `remote.source.fetch=${ALL_REFS}`]
  await runGit(target, [...SETTINGS, ...remote, 'remote', 'prune', 'source'], SOURCE)
}
