// Remembers the oids of a folder's files on this machine, as git's index does, so that only files that changed are read again.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, unlink, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Blob } from '../../protocols/client/node/blob.js'
import type { FileState, KnownBlobs } from '../../protocols/client/node/read-folder.js'

type Environment = Readonly<Record<string, string | undefined>>

/** State of the file, then its oid, size and whether it is UTF-8. */
type Kept = [state: string, oid: string, size: number, isUtf8: boolean]

/** The form of the file: another one is not read. */
const FORM = 1
/** Clocks of file systems are coarse: a file that changed so lately may change again and look the same. */
const MIN_AGE_MS = 2000

/** The oids that are known of a folder. */
export class KeptOids implements KnownBlobs {
  readonly #path: string
  readonly #now = Date.now()
  readonly #before: ReadonlyMap<string, Kept>
  readonly #seen = new Map<string, Kept>()
  #isChanged = false

  /** A file that cannot be read, or is none of these, counts as empty. */
  constructor(folder: string, env: Environment = process.env) {
    const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)
    this.#path = join(cacheFolder(env), `${name}.json`)
    this.#before = read(this.#path)
  }

  find(file: string, state: FileState): Blob | undefined {
    const kept = this.#before.get(file)
    if (kept?.[0] !== keyOf(state)) return undefined
    this.#seen.set(file, kept)
    const [, oid, size, isUtf8] = kept
    return { oid, size, isUtf8 }
  }

  add(file: string, state: FileState, { oid, size, isUtf8 }: Blob): void {
    if (Math.max(state.mtimeMs, state.ctimeMs) > this.#now - MIN_AGE_MS) return
    this.#seen.set(file, [keyOf(state), oid, size, isUtf8])
    this.#isChanged = true
  }

  /** Stores them for the next run if there are new ones. It only saves time then, so no fault of the disk matters now. */
  store(): void {
    if (!this.#isChanged) return
    const next = `${this.#path}.${process.pid}`
    try {
      mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 })
      writeFileSync(next, JSON.stringify({ form: FORM, files: Object.fromEntries(this.#seen) }), { mode: 0o600 })
      renameSync(next, this.#path)
    } catch {
      // A full disk leaves a part of it.
      unlink(next, () => undefined)
    }
  }
}

/** Nobody can set the time of a status change. */
function keyOf({ mtimeMs, ctimeMs, size, ino }: FileState): string {
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
}

function read(path: string): ReadonlyMap<string, Kept> {
  try {
    const { form, files } = JSON.parse(readFileSync(path, 'utf8')) as { form: number; files: Record<string, Kept> }
    return new Map(form === FORM ? Object.entries(files) : [])
  } catch {
    return new Map()
  }
}

/** Returns the XDG base directory for caches; on Windows the local application data. */
function cacheFolder(env: Environment): string {
  const folder =
    env['XDG_CACHE_HOME'] || (process.platform === 'win32' && env['LOCALAPPDATA']) || join(homedir(), '.cache')
  return join(folder, 'palimpsest')
}
