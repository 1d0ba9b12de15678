// The real git binary, as the independent judge of the service's repositories.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runHere } from '../programs/shell.js'

const OPERATOR = {
  GIT_AUTHOR_NAME: 'Olga Operator',
  GIT_AUTHOR_EMAIL: 'olga@example.org',
  GIT_COMMITTER_NAME: 'Olga Operator',
  GIT_COMMITTER_EMAIL: 'olga@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

/** Standard output of `git -C folder …`, without the last line feed. Throws with git's own words when it fails. */
export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, ...OPERATOR }
  return runHere({ command: ['git', '-C', folder, ...args], env })
    .toString()
    .replace(/\n$/, '')
}

/**
 * Returns the complaints of `git fsck --full --strict`, and '' for a sound repository. Dangling objects are allowed. If a running
 * service joins packs meanwhile, git complains of a listed pack that is gone: it is asked again.
 */
export function complaintsOf(gitdir: string): string {
  const folder = join(gitdir, 'objects', 'pack')
  const packs = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.pack')) : []
  try {
    return git(gitdir, 'fsck', '--full', '--strict', '--no-dangling')
  } catch (error) {
    return packs.every((pack) => existsSync(join(folder, pack))) ? String(error) : complaintsOf(gitdir)
  }
}

/** Throws unless git finds the repository sound. */
export function assertSound(gitdir: string): void {
  const complaints = complaintsOf(gitdir)
  if (complaints !== '') throw new Error(`git fsck: ${complaints}`)
}

/** Gives `work` the folder of a clone with a working tree, and removes it afterwards. */
export async function withClone<T>(gitdir: string, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-clone-'))
  try {
    git(folder, 'clone', '--quiet', gitdir, 'site')
    return await work(join(folder, 'site'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
