// Keeps a repository quick to read: a pack for each batch makes many, and git's own repack makes few of them again.
// Writers go on meanwhile: a batch in progress is held by its `.keep`, and nothing is ever dropped, reachable or not.

import { runGit } from '../../git/command.js'
import { lockGc } from '../../git/disk/gc-lock.js'
import { gitdirOf } from './site-repository.js'
import type { SiteRef } from '../protocol/write.js'

/** One thread and little memory: it must not be noticed by who reads and writes. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', '-c', 'gc.auto=0']
/** Between two runs for one site. */
const REST_MS = 30_000

/**
 * Joins small packs into larger ones (git-repack, --geometric), and writes the commit graph and packed refs, at low
 * priority. False when a `git gc` or another maintenance is at work there. Rejects with git's words.
 */
export async function maintainRepository(gitdir: string): Promise<boolean> {
  const unlock = lockGc(gitdir)
  if (unlock === undefined) return false
  try {
    await git(gitdir, ['repack', '-d', '-l', '-q', '--geometric=2'])
    await git(gitdir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
    await git(gitdir, ['pack-refs'])
    return true
  } finally {
    unlock()
  }
}

async function git(gitdir: string, args: string[]): Promise<void> {
  await runGit(gitdir, [...MODEST, ...args], { isBackground: true })
}

export interface MaintenanceOutcome {
  done: (site: SiteRef) => void
  failed: (site: SiteRef, error: unknown) => void
}

/** Maintains the sites that are due, one after the other, each at most every 30 s. */
export class Maintenance {
  readonly #dataDir: string
  readonly #outcome: MaintenanceOutcome
  /** By slug, with the monotonic time before which it rests. */
  readonly #due = new Map<string, { site: SiteRef; from: number }>()
  readonly #restsUntil = new Map<string, number>()
  #running: Promise<void> | undefined
  #alarm: NodeJS.Timeout | undefined
  #stopped = false

  constructor(dataDir: string, outcome: MaintenanceOutcome) {
    this.#dataDir = dataDir
    this.#outcome = outcome
  }

  /** Soon; where it was done a moment ago, when its rest is over. */
  request(site: SiteRef): void {
    if (this.#stopped) return
    this.#due.set(site.slug, { site, from: this.#restsUntil.get(site.slug) ?? 0 })
    this.#wake()
  }

  /** Starts nothing new, and resolves when the run in progress ends. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#due.clear()
    clearTimeout(this.#alarm)
    await this.#running
  }

  #wake(): void {
    clearTimeout(this.#alarm)
    if (this.#running !== undefined || this.#due.size === 0) return
    const next = Math.min(...Array.from(this.#due.values(), ({ from }) => from))
    const wait = Math.max(0, next - performance.now())
    this.#alarm = setTimeout(() => {
      this.#running = this.#runDue().finally(() => {
        this.#running = undefined
        this.#wake()
      })
    }, wait).unref()
  }

  async #runDue(): Promise<void> {
    for (const [slug, { site, from }] of this.#due) {
      if (from > performance.now()) continue
      this.#due.delete(slug)
      await this.#maintain(site)
    }
  }

  async #maintain(site: SiteRef): Promise<void> {
    try {
      if (await maintainRepository(gitdirOf(this.#dataDir, site.slug))) this.#outcome.done(site)
      else if (!this.#stopped) this.#due.set(site.slug, { site, from: performance.now() + REST_MS })
    } catch (error) {
      this.#outcome.failed(site, error)
    }
    this.#restsUntil.set(site.slug, performance.now() + REST_MS)
  }
}
