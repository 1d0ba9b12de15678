// Sends a blob too large for memory straight from git to the visitor.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes `git cat-file blob` to `to`, and ends it only if git gave the whole blob. Rejects, with `to` destroyed, when either breaks. */
export async function streamBlob(gitdir: string, oid: string, to: Writable): Promise<void> {
  const git = spawn('git', [`--git-dir=${gitdir}`, 'cat-file', 'blob', oid], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A pushed refs/replace/ must not change what an oid stands for.
    env: {
      PATH: process.env['PATH'],
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  })
  try {
    const [[code]] = await Promise.all([once(git, 'exit'), pipeline(git.stdout, to, { end: false })])
    if (code !== 0) throw new Error(`git cat-file ended with ${String(code)}`)
    to.end()
  } catch (error) {
    to.destroy()
    throw error
  } finally {
    git.kill()
  }
}
