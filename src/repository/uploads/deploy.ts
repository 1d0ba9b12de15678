// A deploy: the files that a client wants a site to have, and its result.

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
  /** The commit that must be the head at publication. */
  ifHead: string | null
  /** Tree paths, each with the oid and the size of its blob. */
  files: readonly (readonly [path: string, oid: Oid, size: number])[]
  /** Seconds since the epoch. */
  createdAt: number
  expiresAt: number
  /** The commit that published it; null if nothing differed; undefined while it is open. */
  published?: { commit: string | null }
}

/** The number of a deploy's files, and their bytes together. */
interface Sums {
  files: number
  bytes: number
}

const sums = new WeakMap<Deploy, Sums>()

/** Returns the sums of a deploy. Reads no manifest for a published one. */
export function sumsOf(deploy: Deploy): Sums {
  const known = sums.get(deploy)
  if (known !== undefined) return known
  const { files } = deploy
  const counted = { files: files.length, bytes: files.reduce((sum, [, , size]) => sum + size, 0) }
  sums.set(deploy, counted)
  return counted
}

/** Lets the memory of the files be freed: hundreds of published deploys are kept for a day. Manifests are read again on demand. */
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

/** Reads the files of a manifest. Throws `storage_failed`. */
function readFiles(manifest: string): Deploy['files'] {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as Deploy).files
  } catch (error) {
    throw toServiceError(error)
  }
}
