// Sends a blob too large for memory straight from git to the visitor.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes `git cat-file blob` to `to` and ends it. Resolves too when the reader leaves; rejects, with `to` destroyed, when git fails. */
export async function streamBlob(gitdir: string, oid: string, to: Writable): Promise<void> {
  // Without the threshold git itself would hold a packed blob of up to 512 MiB in memory.
  const args = [`--git-dir=${gitdir}`, '-c', 'core.bigFileThreshold=1m', 'cat-file', 'blob', oid]
  const git = spawn('git', args, {
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
    if (!(git.pid !== undefined && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  } finally {
    git.kill()
  }
}
