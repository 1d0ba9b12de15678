// Receives the pack of a push into a folder of its own inside the repository (gitformat-pack; git-receive-pack, "Quarantine
// environment"). git checks each object, and none of them belongs to the site until a writer installs the pack.

import { existsSync, mkdirSync } from 'node:fs'
import { open, readdir, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GitFailed, runGit } from '../../git/command.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import { TOLERATED_BY_INDEX_PACK } from '../../git/tolerated-faults.js'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import { ServiceError } from '../../model/errors.js'
import { isDiskFull } from '../protocol/packing-failure.js'
import type { PackToInstall } from '../protocol/write.js'
import { GrowingPack } from './growing-pack.js'
import { pushNote, PushRefused, refusal } from './judge/push-messages.js'

/** The size of a pack without objects: a header and a checksum. */
const EMPTY_PACK_BYTES = 32
/** Longer blobs are hashed as they come, and not held in memory (core.bigFileThreshold). */
const STREAMED_BLOB = '1m'
const MAX_MS = 10 * 60_000

export interface ReceiveOptions {
  maxBytes: number
  maxFileBytes: number
  /** Throws if the disk has no room for this many more bytes. */
  checkSpace: (bytes: number) => void
  /** Aborted when the client has gone. */
  signal: AbortSignal
  /** The limit for all of it; 10 minutes by default. */
  maxMs?: number
}

/** git holds the longest accepted tree in memory, and a file that is sent as a delta; it needs no larger allocation. */
const MIN_ALLOCATION_BYTES = 80 * 1024 * 1024

export function allocationLimitOf({ maxFileBytes }: { maxFileBytes: number }): number {
  return Math.max(MIN_ALLOCATION_BYTES, maxFileBytes + 16 * 1024 * 1024)
}

export interface Quarantine {
  /** An object folder, to be read together with the repository's own. */
  folder: string
  /** Durable; undefined if the push brought no object. */
  pack: PackToInstall | undefined
  /** The pack of a commit that the service put on top. */
  ownPack?: PackToInstall
}

/** Returns the packs that belong to the site once the push lands. */
export function packsOf(quarantine: Quarantine | undefined): PackToInstall[] {
  return [quarantine?.pack, quarantine?.ownPack].filter((pack) => pack !== undefined)
}

/**
 * Reads the pack to its end even if it is wrong, so that the client gets the reason. Throws PushRefused with git's message,
 * `payload_too_large`, `storage_full`, `disk_reserve`, and the errors of the source. The caller removes the folder with `dropQuarantine`.
 */
export async function receivePack(
  gitdir: string,
  source: AsyncIterable<Buffer>,
  options: ReceiveOptions,
): Promise<Quarantine> {
  const { maxBytes, signal } = options
  const stop = new AbortController()
  const bounded = new BoundedBytes(source, options, stop)
  makeScratch(gitdir)
  const folder = scratchPath(gitdir, 'push')
  // Does not make the folders above: the repository may have been taken away.
  mkdirSync(folder)
  const growing = new GrowingPack(join(folder, 'pack'))
  const settings = [`core.bigFileThreshold=${STREAMED_BLOB}`, 'core.deltaBaseCacheLimit=16m', 'pack.threads=1']
  const args = [
    'index-pack',
    '--stdin',
    '--fix-thin',
    `--strict=${TOLERATED_BY_INDEX_PACK}`,
    `--max-input-size=${maxBytes}`,
  ]
  try {
    mkdirSync(join(folder, 'pack'))
    await runGit(gitdir, [...settings.flatMap((setting) => ['-c', setting]), ...args], {
      newObjects: folder,
      input: growing.syncAlong(bounded.read()),
      signal: AbortSignal.any([signal, stop.signal]),
      maxAllocationBytes: allocationLimitOf(options),
      maxMs: options.maxMs ?? MAX_MS,
      niceness: SERVING_NICENESS,
    })
    return { folder, pack: await findPack(join(folder, 'pack')) }
  } catch (error) {
    await dropQuarantine({ folder })
    if (bounded.refusal !== undefined) throw bounded.refusal
    throw error instanceof GitFailed ? refusalOf(error, gitdir) : error
  }
}

/**
 * Removes the folder. Never rejects, since the push's outcome is decided. git makes missing folders again, so if the repository was taken
 * away meanwhile, its empty folders are removed too.
 */
export async function dropQuarantine({ folder }: Pick<Quarantine, 'folder'>): Promise<void> {
  await dropTemporary(folder)
  const scratch = dirname(folder)
  const gitdir = dirname(scratch)
  if (existsSync(join(gitdir, 'HEAD'))) return
  for (const rest of [scratch, gitdir]) await rmdir(rest).catch(() => undefined)
}

/** Counts the bytes of a pack. Past a limit it stops git, and reads and drops the rest, up to twice the limit. */
class BoundedBytes {
  refusal: ServiceError | undefined
  readonly #source: AsyncIterable<Buffer>
  readonly #options: ReceiveOptions
  readonly #stop: AbortController

  constructor(source: AsyncIterable<Buffer>, options: ReceiveOptions, stop: AbortController) {
    this.#source = source
    this.#options = options
    this.#stop = stop
  }

  async *read(): AsyncGenerator<Buffer, void> {
    const { maxBytes } = this.#options
    let bytes = 0
    for await (const chunk of this.#source) {
      bytes += chunk.length
      if (this.refusal === undefined) this.#judge(bytes, chunk.length)
      if (this.refusal === undefined) yield chunk
      else if (bytes > 2 * maxBytes) throw this.refusal
    }
  }

  #judge(bytes: number, more: number): void {
    const { maxBytes, checkSpace } = this.#options
    try {
      if (bytes > maxBytes)
        throw new ServiceError(
          'payload_too_large',
          `the push is larger than ${maxBytes} bytes. Push fewer commits at a time: git push origin <commit>:main`,
        )
      checkSpace(more)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.refusal = error
      this.#stop.abort()
    }
  }
}

async function findPack(folder: string): Promise<PackToInstall | undefined> {
  const name = (await readdir(folder)).find((file) => file.endsWith('.pack'))
  if (name === undefined) return undefined
  const path = join(folder, name.slice(0, -'.pack'.length))
  const { size } = await stat(`${path}.pack`)
  if (size <= EMPTY_PACK_BYTES) return undefined
  await Promise.all([sync(`${path}.pack`), sync(`${path}.idx`)])
  return { id: name.slice('pack-'.length, -'.pack'.length), path, bytes: size }
}

/** Makes the bytes of a file durable. */
export async function sync(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Turns a failure of git into a refusal with git's own message about the pack, without this machine's paths. */
function refusalOf(failure: GitFailed, gitdir: string): Error {
  const lines = failure.message.split('\n').filter((line) => /^(?:error|fatal|warning): /.test(line))
  if (isDiskFull(failure))
    return new ServiceError('storage_full', 'There is no room left to store this. Nothing was written.')
  if (/over limit|[Oo]ut of memory/.test(failure.message))
    return refusal('an object of the push needs too much memory. Push smaller files, or fewer commits at a time.')
  if (failure.wasKilled) return new ServiceError('service_busy', 'git was ended while it read the push. Push again.')
  if (failure.exitCode === undefined || lines.length === 0) return failure
  const words = lines.filter((line) => !line.includes(gitdir)).map((line) => pushNote(`git: ${line}`))
  return new PushRefused([...words, ...refusal('git does not take these objects.').lines])
}
