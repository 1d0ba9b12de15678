// An operator's work with plain git: commit files in a clone, push, and check that they are live.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { git } from '../../support/git.js'
import { type Finished, runBeside } from '../../programs/run-beside.js'

const OLGA = {
  GIT_AUTHOR_NAME: 'Olga Operator',
  GIT_AUTHOR_EMAIL: 'olga@example.org',
  GIT_COMMITTER_NAME: 'Olga Operator',
  GIT_COMMITTER_EMAIL: 'olga@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

/** git beside a running service, which this process does not stop for. Refusals are answered, not thrown. */
export function runGit(folder: string, ...args: string[]): Promise<Finished> {
  return runBeside(['git', '-C', folder, ...args], { env: { ...process.env, ...OLGA } })
}

/** Writes (or, for null, removes) files in a clone and commits them all; answers the commit. */
export function commitFiles(clone: string, message: string, files: Readonly<Record<string, string | null>>): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(clone, path)
    if (content === null) rmSync(file)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
  git(clone, 'add', '--all')
  git(clone, 'commit', '--quiet', '--message', message)
  return git(clone, 'rev-parse', 'HEAD')
}

/** For `within`: longer than anything takes on a busy machine. A test ends as soon as what it waits for is there. */
export const PATIENCE_MS = 15_000

/** Asks again until `check` throws no more; past `limit` milliseconds, its last complaint is thrown. */
export async function within(limit: number, check: () => void | Promise<void>): Promise<void> {
  const end = performance.now() + limit
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await delay(20)
  }
}
