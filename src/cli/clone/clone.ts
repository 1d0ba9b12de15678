// `palimpsest clone`: clones a site over HTTP on a machine without git.

import fs, { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { HttpClient, ProgressCallback } from 'isomorphic-git'
import { formatBytes } from '../terminal/byte-count.js'
import { cell } from '../terminal/printable.js'
import { startStatus } from '../terminal/status.js'
import { fillFolder } from './empty-folder.js'
import { findSource } from './find-source.js'
import { httpClientFor } from './http-client.js'
import { ServiceError } from '../../model/errors.js'

/** Files that are written at the same time, and so are in memory together. */
const FILES_AT_ONCE = 100
/** The steps of isomorphic-git that a person sees. The service's own steps come among the bytes. */
const STEPS: Readonly<Record<string, string>> = {
  'Receiving objects': 'Indexes what came',
  'Resolving deltas': 'Indexes what came',
  'Updating workdir': 'Writes the files',
}

export function addClone(program: Command): void {
  program
    .command('clone')
    .argument('<url or site>', 'the clone URL of a site, its slug, or its id')
    .argument('[folder]', 'default: the slug of the site')
    .description('clone a site with its history, on a machine without git')
    .action(clone)
}

async function clone(named: string, folder: string | undefined): Promise<void> {
  const source = await findSource(named)
  const target = folder ?? source.slug
  const status = startStatus()
  try {
    const files = await fillFolder(target, () =>
      makeWorkingCopy(target, {
        url: source.url,
        headers: source.key === undefined ? {} : { Authorization: `Bearer ${source.key}` },
        http: httpClientFor(source, (bytes) => status.show('Receives', formatBytes(bytes))),
        onProgress({ phase, loaded, total }) {
          const step = STEPS[phase]
          if (step !== undefined) status.show(step, `${loaded} of ${total}`)
        },
      }),
    )
    status.close()
    console.log(
      `${source.slug} is in ${cell(target)}: ${files} files. A push asks for any user name, and the key as the password.`,
    )
  } catch (error) {
    status.close()
    throw error
  }
}

interface CloneParts {
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
async function makeWorkingCopy(folder: string, parts: CloneParts): Promise<number> {
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
