// On a node the repositories are copies of what PostgreSQL has synced: they are written without a sync of their own. A power cut may
// leave them torn, so their sites are noted before anything is written, and fetched again after another boot.

import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncDirectory, syncFilesystem } from '../../git/disk/durable.js'
import { listRefs } from '../../git/repository/ref.js'
import { gitdirOf } from './site-folders.js'

const FILE = 'unsynced-sites'
/** Where a repository goes that has commits which the log lacks: an operator may look for them. */
const SET_ASIDE = '.unsynced'
const BOOT_ID = '/proc/sys/kernel/random/boot_id'

/** Differs after each boot; undefined where the system does not tell: then everything is synced. */
export function bootId(): string | undefined {
  try {
    return readFileSync(BOOT_ID, 'latin1').trim()
  } catch {
    return undefined
  }
}

export class UnsyncedSites {
  readonly #dataDir: string
  readonly #boot: string
  readonly #noted = new Set<string>()

  constructor(dataDir: string, boot: string) {
    this.#dataDir = dataDir
    this.#boot = boot
    for (const [noted, slug] of readNotes(dataDir)) if (noted === boot) this.#noted.add(slug)
  }

  /** Call it before anything of the site is written. Durable when it returns, and free from the second call on. */
  note(slug: string): void {
    if (this.#noted.has(slug)) return
    const fd = openSync(join(this.#dataDir, FILE), 'a')
    try {
      // The line before may have been cut off by a power cut or a full disk.
      appendFileSync(fd, `\n${this.#boot} ${slug}.`)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    syncDirectory(this.#dataDir)
    this.#noted.add(slug)
  }
}

/**
 * Takes the repositories away that may be torn because the machine stopped without a sync; answers their slugs. Call it at a start, before
 * anything is read. One that has commits under refs/palimpsest/lost/ is set aside.
 */
export function removeUnsynced(dataDir: string, boot: string | undefined): string[] {
  const notes = readNotes(dataDir)
  const torn = [...new Set(notes.flatMap(([noted, slug]) => (noted === boot ? [] : slug)))]
  for (const slug of torn) remove(dataDir, slug)
  // A site that was noted in this boot too is gone now, and is noted again when it is written.
  if (torn.length > 0) {
    syncDirectory(dataDir)
    rmSync(join(dataDir, FILE))
  }
  return torn
}

/** Once nothing is written any more: brings all to the disk. Where that fails, the sites are fetched again after another boot. */
export function settleUnsynced(dataDir: string): void {
  const file = join(dataDir, FILE)
  if (!existsSync(file)) return
  try {
    syncFilesystem(dataDir)
  } catch {
    return
  }
  rmSync(file)
}

function remove(dataDir: string, slug: string): void {
  const gitdir = gitdirOf(dataDir, slug)
  if (!hasLost(gitdir)) return rmSync(gitdir, { recursive: true, force: true })
  const folder = join(dataDir, SET_ASIDE)
  mkdirSync(folder, { recursive: true })
  renameSync(gitdir, join(folder, `${slug}-${Date.now()}.git`))
}

function hasLost(gitdir: string): boolean {
  return existsSync(gitdir) && listRefs(gitdir, 'refs/palimpsest/lost/').length > 0
}

/** Boot and slug. A line without its full stop was never relied on. */
function readNotes(dataDir: string): [boot: string, slug: string][] {
  const file = join(dataDir, FILE)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'latin1').split('\n')
  return lines.flatMap((line): [string, string][] => {
    const [, boot, slug] = /^(\S+) ([a-z0-9-]+)\.$/.exec(line) ?? []
    return boot === undefined || slug === undefined ? [] : [[boot, slug]]
  })
}
