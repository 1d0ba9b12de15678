// Runs `git fsck` on all objects of a repository while the service goes on writing and joining packs.

import { join } from 'node:path'
import { borrowObjects } from '../../../git/repository/push-mark.js'
import { GitFailed, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../../git/command.js'
import { toleratedSettings } from '../../../git/tolerated-faults.js'
import { withLinkedCopy } from './linked-copy.js'

const SETTINGS = toleratedSettings('fsck').flatMap(([name, value]) => ['-c', `${name}=${value}`])
const CHECK = [...SETTINGS, 'fsck', '--full', '--strict', '--no-dangling', '--no-progress']

/**
 * Returns all that git prints; empty if it finds no fault. Works on a copy. In place, git lists the packs first and reads refs and logs
 * later, and misses what is written or packed in between. Rejects with GitFailed if git does not end by itself.
 */
export function gitFsck(gitdir: string): Promise<string> {
  return withLinkedCopy(gitdir, (copy) => check(copy, gitdir))
}

/** Does the same for a repository that borrows objects of `lender`, which it checks too. */
export function gitFsckOfBorrower(gitdir: string, lender: string): Promise<string> {
  return withLinkedCopy(gitdir, (copy) =>
    // The objects of the lender come later than the refs that need them.
    withLinkedCopy(lender, async (lenderCopy) => {
      if (copy !== gitdir) borrowObjects(copy, join(lenderCopy, 'objects'))
      return (await check(copy, gitdir)).replaceAll(lenderCopy, lender)
    }),
  )
}

async function check(copy: string, gitdir: string): Promise<string> {
  try {
    await runGit(copy, CHECK, { maxMs: MAX_WHOLE_REPOSITORY_MS })
    return ''
  } catch (error) {
    if (!(error instanceof GitFailed) || error.exitCode === undefined) throw error
    return (error.output || error.message).replaceAll(copy, gitdir)
  }
}
