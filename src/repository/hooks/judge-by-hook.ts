// Has a repository's own pre-receive hook judge changes: in a process of its own, for pushes and imports of any size.

import { resolve } from 'node:path'
import { GitFailed, type GitOptions, runGit } from '../../git/command.js'
import { formatRefChange, type RefChange } from '../../git/objects/ref-change.js'
import { isOurs, isRefusal, PushRefused } from '../pushing/judge/push-messages.js'

/** Returns the judge's warnings. Throws PushRefused, and GitFailed if there was no judgement. */
export async function judgeByHook(
  gitdir: string,
  changes: readonly RefChange[],
  options: Pick<GitOptions, 'newObjects' | 'maxMs' | 'niceness' | 'signal'> = {},
): Promise<string[]> {
  const lines = changes.map((change) => `${formatRefChange(change)}\n`).join('')
  // An alias runs in the current folder with GIT_DIR set, as a hook does (git-config, alias.*).
  const judge = ['-c', 'alias.judge=!exec hooks/pre-receive 2>&1', 'judge']
  try {
    const said = await runGit(resolve(gitdir), judge, { ...options, cwd: gitdir, input: [Buffer.from(lines)] })
    return linesOf(said)
  } catch (error) {
    const said = error instanceof GitFailed ? linesOf(error.stdout) : []
    throw said.some(isRefusal) ? new PushRefused(said) : error
  }
}

function linesOf(output: Buffer): string[] {
  return output.toString().split('\n').filter(isOurs)
}
