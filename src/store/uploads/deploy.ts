// A deploy: what a client wants a site's files to be, and what became of it.

import { readFileSync } from 'node:fs'
import type { Oid } from '../../git/objects/oid.js'
import { toServiceError } from '../protocol/failure.js'

export type DeployMode = 'merge' | 'replace'

export interface Deploy {
  id: string
  workspaceId: string
  siteId: string
  mode: DeployMode
  message: string | null
  /** The commit that must be the head when it is published. */
  ifHead: string | null
  /** Tree paths, each with the oid and the size of its bytes. */
  files: readonly (readonly [path: string, oid: Oid, size: number])[]
  /** Seconds since the epoch. */
  createdAt: number
  expiresAt: number
  /** The commit that published it, null where nothing differed; undefined while it is open. */
  published?: { commit: string | null }
}

/** How many files a deploy has, and their bytes together. */
interface Sums {
  files: number
  bytes: number
}

const sums = new WeakMap<Deploy, Sums>()

/** Of a published one it reads no manifest. */
export function sumsOf(deploy: Deploy): Sums {
  const known = sums.get(deploy)
  if (known !== undefined) return known
  const { files } = deploy
  const counted = { files: files.length, bytes: files.reduce((sum, [, , size]) => sum + size, 0) }
  sums.set(deploy, counted)
  return counted
}

/** Published deploys are kept for a day, by the hundred: their manifests are read again where memory was needed for others. */
export function withFilesOnDisk(deploy: Deploy, manifest: string): Deploy {
  let known = new WeakRef(deploy.files)
  const light = Object.defineProperty({ ...deploy }, 'files', {
    get: () => {
      const files = known.deref() ?? readFiles(manifest)
      known = new WeakRef(files)
      return files
    },
  })
  sums.set(light, sumsOf(deploy))
  return light
}

/** Throws `storage_failed`. */
function readFiles(manifest: string): Deploy['files'] {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as Deploy).files
  } catch (error) {
    throw toServiceError(error)
  }
}
