// A deploy: the files that a client wants a site to have, and its result.

import { readFileSync } from 'node:fs'
import type { Oid } from '../../git/objects/oid.js'
import { toServiceError } from '../protocol/failure.js'

export type DeployMode = 'merge' | 'replace'

export interface Problem {
  path: string
  message: string
}

export interface Deploy {
  id: string
  workspaceId: string
  siteId: string
  /** The change request that it is for, or that it was published to; undefined for main. */
  request?: string | undefined
  mode: DeployMode
  message: string | null
  /** The commit that must be the head at publication. */
  ifHead: string | null
  /** Tree paths, each with the oid and the size of its blob. */
  files: readonly (readonly [path: string, oid: Oid, size: number])[]
  /** The files that were left out, with reasons. Undefined if the deploy was to be refused instead. */
  skipped?: readonly Problem[]
  /** Paths that `replace` leaves as they are, and everything below them. */
  keep?: readonly string[]
  /** The folder to which `replace` limits its removals; empty or undefined for all. */
  below?: string
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
  const { files, skipped, keep, ...rest } = deploy
  let known = new WeakRef<Lists>({ files, ...(skipped && { skipped }), ...(keep && { keep }) })
  const lists = () => {
    const read = known.deref() ?? readLists(manifest)
    known = new WeakRef(read)
    return read
  }
  const light = Object.defineProperties(
    { ...rest },
    {
      files: { get: () => lists().files, enumerable: true },
      skipped: { get: () => lists().skipped, enumerable: true },
      keep: { get: () => lists().keep, enumerable: true },
    },
  ) as Deploy
  sums.set(light, sumsOf(deploy))
  return light
}

/** The parts of a deploy that may be long. */
type Lists = Pick<Deploy, 'files' | 'skipped' | 'keep'>

/** Reads them from a manifest. Throws `storage_failed`. */
function readLists(manifest: string): Lists {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')) as Deploy
  } catch (error) {
    throw toServiceError(error)
  }
}
