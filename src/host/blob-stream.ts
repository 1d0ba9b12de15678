// Sends a blob too large for memory straight from git to the visitor.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Span } from './byte-range.js'

/**
 * Writes `git cat-file blob`, or a span of it, to `to` and ends it. Resolves too when the reader leaves; rejects, with `to`
 * destroyed, when git fails.
 */
export async function streamBlob(gitdir: string, oid: string, to: Writable, span?: Span): Promise<void> {
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
    const bytes = span === undefined ? git.stdout : slice(git.stdout, span)
    const [[code]] = await Promise.all([once(git, 'exit'), pipeline(bytes, to, { end: false })])
    // Where a span is complete git is stopped in the middle; a span cut short has thrown.
    if (code !== 0 && span === undefined) throw new Error(`git cat-file ended with ${String(code)}`)
    to.end()
  } catch (error) {
    to.destroy()
    if (!(git.pid !== undefined && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  } finally {
    git.kill()
  }
}

/** The bytes of the span; ending early stops whoever makes them. */
async function* slice(chunks: AsyncIterable<Buffer>, { start, end }: Span): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
    if (part.length > 0) yield part
    at += chunk.length
    if (at >= end) return
  }
  throw new Error('git cat-file ended before the span')
}
