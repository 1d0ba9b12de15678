// Makes durable commits by git's plumbing, as a peer for publishing.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { timed } from '../ground/running-service.js'

const WHO = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@x', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@x' }

/**
 * Makes a repository in the folder. The result commits to it by hash-object, update-index, write-tree, commit-tree and update-ref, synced
 * as git can: `commits` times, the page that `pathOf` names. It returns the commits per second.
 */
export function plumbingIn(folder: string): (commits: number, pathOf: (number: number) => string) => Promise<number> {
  const gitdir = join(folder, 'peer.git')
  const env = { ...process.env, ...WHO }
  const git = (args: string[], input = '') =>
    execFileSync('git', ['--git-dir', gitdir, '-c', 'core.fsync=all', ...args], { env, input, encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', gitdir])
  let parent = ''
  let made = 0
  const commit = (path: string) => {
    const blob = git(['hash-object', '-w', '--stdin'], `${made++}`.padEnd(2048, 'x'))
    git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
    parent = git(['commit-tree', git(['write-tree']), '-m', 'Replace', ...(parent === '' ? [] : ['-p', parent])])
    git(['update-ref', 'refs/heads/main', parent])
  }
  return async (commits, pathOf) => {
    const milliseconds = await timed(() => {
      for (let i = 0; i < commits; i++) commit(pathOf(made))
    })
    return (commits * 1000) / milliseconds
  }
}
