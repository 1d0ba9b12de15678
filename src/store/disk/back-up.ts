// Copies a site's repository into a backup while its writers go on: by git's own fetch, which reads the refs first and
// then what they reach, so that the copy is the site as of one moment. What the copy has already is not sent again.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { maintainRepository } from './maintain.js'

/** Each run adds a pack; past this many they are joined. */
const PACKS_DUE = 50
/** A fetch of a few objects would leave loose files: one pack is quicker to sync. Hooks of the user are not for backups. */
const SETTINGS = ['-c', 'fetch.unpackLimit=1', '-c', 'fetch.prune=false', '-c', 'core.hooksPath=/dev/null']

/**
 * Brings `target`, a plain bare repository that is made where it is missing, to all refs of `source`.
 * Rejects with git's words, `target` as it was. The caller makes it durable.
 */
export async function backUpRepository(source: string, target: string): Promise<void> {
  if (!existsSync(target)) {
    await runGit(target, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'])
  }
  await runGit(
    target,
    [...SETTINGS, 'fetch', '--quiet', '--no-tags', '--no-auto-gc', '--atomic', source, '+refs/*:refs/*'],
    {
      configuration: 'user',
      maxMs: MAX_WHOLE_REPOSITORY_MS,
    },
  )
  const packs = readdirSync(join(target, 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
  if (packs.length > PACKS_DUE) await maintainRepository(target)
}
