// Uploads files in one commit, and sends only bytes that the site lacks.

import { deploy, Refusal, type Site, siteApi } from '../../api/client.js'
import { formatCount } from '../../format.js'
import type { Done } from '../../parts/states/progress.js'
import { oidOf } from './file-bytes.js'

export interface LocalFile {
  /** Its name in the site: `img/logo.svg`. */
  name: string
  bytes: Blob
}

export interface UploadOptions {
  onProgress?: (progress: Done) => void
  signal?: AbortSignal
}

/** Retries of each part of an upload. */
const MAX_RETRIES = 4

type Uploaded = Awaited<ReturnType<typeof deploy>>

/** Uploads the files, without those that no site can serve: `skipped` has them. Throws an error for people. */
export async function upload(
  site: Site,
  files: readonly LocalFile[],
  { onProgress, signal }: UploadOptions,
): Promise<Uploaded> {
  const hashed = []
  for (const { name, bytes } of files) {
    // Keeps one file at a time in memory.
    // oxlint-disable-next-line no-await-in-loop
    hashed.push({ name, oid: await oidOf(bytes), size: bytes.size, read: () => bytes })
    signal?.throwIfAborted()
    onProgress?.({ done: hashed.length, all: files.length, words: stepOf('Reading', hashed.length, files.length) })
  }
  try {
    return await deploy(siteApi(site, { retries: MAX_RETRIES }), hashed, {
      skipInvalid: true,
      signal,
      onProgress: ({ files: sent, totalFiles, bytes, totalBytes }) =>
        onProgress?.({
          done: bytes,
          all: Math.max(totalBytes, 1),
          words: sent === totalFiles ? 'Publishing…' : stepOf('Uploading', sent, totalFiles),
        }),
    })
  } catch (error) {
    throw error instanceof Refusal && error.code === 'invalid_deploy' ? new Error(reasonsOf(error)) : error
  }
}

function stepOf(what: string, done: number, all: number): string {
  return `${what} ${done} of ${formatCount(all, 'file')}…`
}

function reasonsOf({ message, details }: Refusal): string {
  const { problems } = details as { problems: { path: string; message: string }[] }
  if (problems.length < 2) return message
  return `Nothing was uploaded. ${problems.map(({ path, message: reason }) => `${path}: ${reason}`).join(' ')}`
}
