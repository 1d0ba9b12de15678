// What git finds wrong with all objects of a repository, while the service goes on writing and joining packs.

import { GitFailed, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../../git/command.js'
import { withLinkedCopy } from './linked-copy.js'

const CHECK = ['fsck', '--full', '--strict', '--no-dangling', '--no-progress']

/**
 * All that git prints; empty where it finds nothing. git lists the packs first and reads refs and their logs later: in the
 * repository itself it would miss what was written, and what was packed, in between. Rejects with GitFailed where git does not end by itself.
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
