// Runs `git fsck` on all objects of a repository while the service goes on writing and joining packs.

import { GitFailed, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../../git/command.js'
import { toleratedSettings } from '../../../git/tolerated-faults.js'
import { withLinkedCopy } from './linked-copy.js'

const SETTINGS = toleratedSettings('fsck').flatMap(([name, value]) => ['-c', `${name}=${value}`])
const CHECK = [...SETTINGS, 'fsck', '--full', '--strict', '--no-dangling', '--no-progress']

/**
 * Returns all that git prints; empty if it finds no fault. Works on a copy: git lists the packs first and reads refs and logs later,
 * so it would miss objects that are written or packed in between. Rejects with GitFailed if git does not end by itself.
 */
export function gitFsck(gitdir: string): Promise<string> {
  return withLinkedCopy(gitdir, async (copy) => {
    try {
      await runGit(copy, CHECK, { maxMs: MAX_WHOLE_REPOSITORY_MS })
      return ''
    } catch (error) {
      if (!(error instanceof GitFailed) || error.exitCode === undefined) throw error
      return (error.output || error.message).replaceAll(copy, gitdir)
    }
  })
}
