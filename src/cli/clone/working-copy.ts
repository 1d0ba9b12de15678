// Clones by isomorphic-git, which needs no git on this machine, and leaves a working copy that git itself takes for its own.

import fs, { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient, ProgressCallback } from 'isomorphic-git'
import { ServiceError } from '../../model/errors.js'

/** Files that are written at the same time, and so are in memory together. */
const FILES_AT_ONCE = 100

export interface CloneParts {
  url: string
  /** Sent with each request, and kept nowhere. */
  headers: Record<string, string>
  http: HttpClient
  onProgress: ProgressCallback
}

/**
 * Clones main and the tags into an empty folder, with `origin` as the remote that main follows. Returns the number of files. Rejects with
 * the errors of the connection and the system, and with a ServiceError for what cannot be a repository.
 */
export async function makeWorkingCopy(folder: string, parts: CloneParts): Promise<number> {
  const git = await import('isomorphic-git')
  const copy = { fs, dir: folder }
  try {
    await git.clone({ ...copy, ...parts, nonBlocking: true, batchSize: FILES_AT_ONCE })
  } catch (error) {
    // The first of several files that cannot be written says why.
    const cause = error instanceof git.Errors.MultipleGitError ? error.errors[0] : error
    throw isOfGit(cause)
      ? new ServiceError('site_unreadable', `What came is not a repository: ${cause.message}`)
      : cause
  }
  for (const [path, value] of settingsOf(folder)) await git.setConfig({ ...copy, path, value })
  return (await git.listFiles(copy)).length
}

/** Whether isomorphic-git made the error: it passes on those of others. */
function isOfGit(error: unknown): error is Error {
  return error instanceof Error && 'isIsomorphicGitError' in error
}

/** Returns the settings that `git init` would find out about the file system. isomorphic-git assumes the poorest one. */
function settingsOf(folder: string): [path: string, value: boolean | undefined][] {
  return [
    ['core.filemode', true],
    ['core.symlinks', undefined],
    ['core.ignorecase', existsSync(join(folder, '.git', 'CONFIG')) ? true : undefined],
  ]
}
