// Keeps a repository quick to read: a pack for each batch makes many, and git's own repack makes few of them again.
// Writers go on meanwhile: a batch in progress is held by its `.keep`, and nothing is ever dropped, reachable or not.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gitdirOf } from './site-repository.js'
import type { SiteRef } from './write.js'

const run = promisify(execFile)

/** One thread and little memory: it must not be noticed by who reads and writes. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', '-c', 'gc.auto=0']
/** Between two runs for one site. */
const REST_MS = 30_000

/** Joins small packs into larger ones (git-repack, --geometric) and writes the commit graph, at low priority. */
export async function maintainRepository(gitdir: string): Promise<void> {
  await git(gitdir, ['repack', '-d', '-l', '-q', '--geometric=2'])
  await git(gitdir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
}

async function git(gitdir: string, args: string[]): Promise<void> {
  await run('nice', ['-n', '10', 'git', '-C', gitdir, ...MODEST, ...args], { maxBuffer: 1 << 24 })
}

/** Maintains the sites that are due, one after the other. */
export class Maintenance {
  readonly #dataDir: string
  readonly #onTrouble: (site: SiteRef, error: unknown) => void
  readonly #due = new Map<string, SiteRef>()
  readonly #lastRun = new Map<string, number>()
  #running: Promise<void> | undefined
  #stopped = false

  constructor(dataDir: string, onTrouble: (site: SiteRef, error: unknown) => void) {
    this.#dataDir = dataDir
    this.#onTrouble = onTrouble
  }

  /** Soon, unless it was done a moment ago: then the next call counts. */
  request(site: SiteRef): void {
    const last = this.#lastRun.get(site.slug) ?? Number.NEGATIVE_INFINITY
    if (this.#stopped || performance.now() - last < REST_MS) return
    this.#due.set(site.slug, site)
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined))
  }

  /** Starts nothing new, and resolves when the run in progress ends. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#due.clear()
    await this.#running
  }

  async #runAll(): Promise<void> {
    for (const [slug, site] of this.#due) {
      this.#due.delete(slug)
      this.#lastRun.set(slug, performance.now())
      try {
        await maintainRepository(gitdirOf(this.#dataDir, slug))
      } catch (error) {
        this.#onTrouble(site, error)
      }
    }
  }
}
