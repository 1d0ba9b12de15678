// Copies a site's repository into a backup while its writers go on: by git's own fetch, which reads the refs first and
// then what they reach, so that the copy is the site as of one moment. What the copy has already is not sent again.

import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { maintainRepository } from './maintenance.js'

const run = promisify(execFile)
/** Each run adds a pack; past this many they are joined. */
const PACKS_DUE = 50

/**
 * Brings `target`, a plain bare repository that is made where it is missing, to all refs of `source`.
 * Rejects with git's words, `target` as it was. The caller makes it durable.
 */
export async function backUpRepository(source: string, target: string): Promise<void> {
  if (!existsSync(target)) {
    await git('init', '--quiet', '--bare', '--template=', '--initial-branch=main', target)
  }
  await git('-C', target, 'fetch', '--quiet', '--no-tags', '--no-auto-gc', '--atomic', source, '+refs/*:refs/*')
  const packs = readdirSync(join(target, 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
  if (packs.length > PACKS_DUE) await maintainRepository(target)
}

async function git(...args: string[]): Promise<void> {
  try {
    // A fetch of a few objects would leave loose files: one pack is quicker to sync.
    await run('git', ['-c', 'fetch.unpackLimit=1', ...args], { maxBuffer: 1 << 24 })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new Error(stderr?.trim() || String(error), { cause: error })
  }
}
