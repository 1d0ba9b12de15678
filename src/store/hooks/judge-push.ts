// Has a repository's own pre-receive hook judge changes before they enter it. Pushes by path, pushes over HTTP and imports obey the
// same rules because the same program judges them.

import { resolve } from 'node:path'
import { GitFailed, type GitOptions, runGit } from '../../git/command.js'

export interface RefUpdate {
  ref: string
  before: string | null
  after: string | null
}

/** The hook refused the push. Each of its lines begins with "palimpsest:". */
export class PushRefused extends Error {
  override name = 'PushRefused'
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

const ZERO = '0'.repeat(40)

/** Returns the hook's warnings. Throws PushRefused with its reasons. */
export async function judgePush(
  gitdir: string,
  updates: readonly RefUpdate[],
  options: Pick<GitOptions, 'newObjects' | 'maxMs' | 'maxAllocationBytes' | 'niceness' | 'signal'> = {},
): Promise<string[]> {
  const text = updates.map(({ ref, before, after }) => `${before ?? ZERO} ${after ?? ZERO} ${ref}\n`).join('')
  // An alias runs in the current folder with GIT_DIR set, as a hook does (git-config, alias.*).
  const judge = ['-c', 'alias.judge=!hooks/pre-receive 2>&1', 'judge']
  try {
    const said = await runGit(resolve(gitdir), judge, { ...options, cwd: gitdir, input: [Buffer.from(text)] })
    return sentencesIn(said)
  } catch (error) {
    const lines = error instanceof GitFailed ? sentencesIn(error.stdout) : []
    throw lines.some((line) => line.startsWith('palimpsest: refused:')) ? new PushRefused(lines) : error
  }
}

function sentencesIn(output: Buffer): string[] {
  return output
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('palimpsest:'))
}
