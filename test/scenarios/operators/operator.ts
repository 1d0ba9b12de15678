// An operator's work with plain git: commit files in a clone, and push.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** Runs git while a service runs, without blocking this process. Refusals are returned, not thrown. */
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
