// Starts git's own server over HTTP, the peer for measurements of deploys and git pushes.

import { existsSync } from 'node:fs'
import { GIT_HTTP_BACKEND, GitHttpBackend } from '../../test/servers/git-http-backend.js'
import { freePort } from '../../test/servers/ports.js'
import { isInstalled } from '../ground/load.js'

export interface GitBackend {
  /** Makes an empty repository that anyone may push to, and returns its URL. */
  create(name: string): string
  /** Returns the folder of that repository. */
  folderOf(name: string): string
  stop(): Promise<void>
}

/** Returns undefined if nginx or fcgiwrap is not installed. */
export async function startGitBackend(folder: string): Promise<GitBackend | undefined> {
  if (!(await isInstalled('nginx')) || !(await isInstalled('fcgiwrap')) || !existsSync(GIT_HTTP_BACKEND))
    return undefined
  const port = await freePort()
  const backend = new GitHttpBackend(folder)
  await backend.start(`server { listen 127.0.0.1:${port}; location / { ${backend.pass('$uri')} } }`, port)
  return {
    create(name) {
      backend.create(name)
      return `http://127.0.0.1:${port}/${name}.git`
    },
    folderOf: (name) => backend.folderOf(name),
    stop: () => backend.stop(),
  }
}
