// A data directory with a service that may be killed and started again, and questions to both.

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning } from '../../../src/git/disk/process-tag.js'
import { assertSound, git } from '../../support/git.js'
import { isLeftover, isPackOfGit } from './leftovers.js'
import { type ApiClient, put, visit } from '../../scenarios/client.js'
import { makeKey, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { attach, type Attached, type Harm, type Hit, watch, type Watched } from './strace.js'

/** A request without an answer after this time counts as hung. */
const MAX_ANSWER_MS = 15_000
/** Longest time for which git may hold a lock on an overloaded machine. */
const MAX_GIT_MS = 10_000
/** Longest time for the maintenance of a site there, at the lowest priority. */
const MAX_MAINTENANCE_MS = 60_000
const LOOK_AGAIN_MS = 20
const UNTOUCHED = 'untouched'
const BEFORE_THE_START = new Date(Date.now() - uptime() * 1000 - 60_000)

export interface Sent {
  status: number
  body: { data?: unknown; error?: { code: string } }
}

export class Ground {
  readonly folder: string
  readonly dataDir: string
  readonly #env: Record<string, string>
  /** Descriptors that the service may have open, from its next start on. */
  maxDescriptors: number | undefined
  #server: ServeProcess | undefined
  #key = ''
  /** Whether git's maintenance may have ended with a killed service. */
  #wasKilled = false

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder
    this.dataDir = join(folder, 'data')
    this.#env = { WRITER_THREADS: '1', LOG_LEVEL: 'silent', ...env }
  }

  /** Starts a service with the site `demo` and another site that no case touches; makes a folder unless one is given. */
  static async prepare(env: Record<string, string> = {}, folder?: string): Promise<Ground> {
    const ground = new Ground(folder ?? mkdtempSync(join(tmpdir(), 'palimpsest-faults-')), env)
    await ground.start()
    ground.#key = await makeKey(ground.dataDir, 'admin')
    const { status, body } = await ground.api.post('/sites').send({ slug: UNTOUCHED })
    if (status !== 201) throw new Error(JSON.stringify(body))
    await put(ground.api, '/', UNTOUCHED, (body as { data: { id: string } }).data.id)
    await ground.visitUntouched()
    return ground
  }

  /** Starts another service on a copy of the data. This service must be stopped. */
  async copy(): Promise<Ground> {
    const ground = new Ground(mkdtempSync(join(tmpdir(), 'palimpsest-faults-')), this.#env)
    cpSync(this.dataDir, ground.dataDir, { recursive: true })
    // The configuration holds the repository's own path, which the service would otherwise correct in the middle of a case.
    for (const config of ground.slugs().map((slug) => join(ground.gitdir(slug), 'config'))) {
      writeFileSync(config, readFileSync(config, 'utf8').replaceAll(this.folder, ground.folder))
    }
    ground.#key = this.#key
    await ground.start()
    await ground.visitUntouched()
    return ground
  }

  /** Has the page of the other site in memory, so that a fault meets only what a case does. */
  async visitUntouched(): Promise<void> {
    await this.visit('/', UNTOUCHED)
  }

  get server(): ServeProcess {
    if (this.#server === undefined) throw new Error('the service does not run')
    return this.#server
  }

  /** The target of pushes, which are no requests of the API. */
  get target(): { origin: string; key: string } {
    return { origin: this.server.origin, key: this.#key }
  }

  get api(): ApiClient {
    return this.server.api(this.#key)
  }

  apiWith(key: string): ApiClient {
    return this.server.api(key)
  }

  async start(): Promise<void> {
    this.#server = await serve({ dataDir: this.dataDir, env: this.#env, maxDescriptors: this.maxDescriptors })
  }

  /** Makes a new key, because the catalog has lost the old ones. */
  async takeNewKey(): Promise<void> {
    this.#key = await makeKey(this.dataDir, 'admin')
  }

  /** Stops the service with SIGTERM, as an operator does. Later requests find the port closed. */
  async stop(): Promise<void> {
    this.#server?.signal('SIGTERM')
    await this.#server?.ended
  }

  /** Kills the service unless it is dead already. */
  async kill(): Promise<void> {
    this.#wasKilled = true
    this.#server?.signal('SIGKILL')
    await this.#server?.ended
    this.#server = undefined
  }

  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Resolves once strace counts the calls of the service. */
  async harm(hit: Hit): Promise<Attached> {
    return await attach(this.server.pid, hit, this.dataDir, join(this.folder, 'strace.log'))
  }

  /** Resolves once strace notes the calls that the harm could strike. */
  async watch(harm: Harm): Promise<Watched> {
    return await watch(this.server.pid, harm, this.dataDir, join(this.folder, 'strace.log'))
  }

  /** Whether it still answers. A process that is being killed may look alive for a while. */
  async isAlive(): Promise<boolean> {
    return await inTime(fetch(`${this.server.origin}/healthz`)).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** The text of a hosted page; undefined for a 404. Throws for any other answer. */
  async visit(path: string, slug = 'demo'): Promise<string | undefined> {
    const { status, bytes } = await inTime(visit(this.server.origin, `http://${slug}.localhost${path}`))
    if (status === 404) return undefined
    if (status !== 200) throw new Error(`GET ${slug}${path}: ${status} ${bytes.toString()}`)
    return bytes.toString()
  }

  /** The reason why the untouched site is not served as before; undefined if it is. */
  async troubleOfTheRest(): Promise<string | undefined> {
    try {
      const seen = await this.visit('/', UNTOUCHED)
      if (seen !== UNTOUCHED) return `the untouched site shows ${seen}`
      const { status, body } = await inTime(this.api.get('/sites'))
      return status === 200 ? undefined : `GET /sites: ${status} ${JSON.stringify(body)}`
    } catch (error) {
      return String(error)
    }
  }

  gitdir(slug = 'demo'): string {
    return join(this.dataDir, `${slug}.git`)
  }

  slugs(): string[] {
    return readdirSync(this.dataDir).flatMap((name) =>
      name.endsWith('.git') && name[0] !== '.' ? [name.slice(0, -4)] : [],
    )
  }

  firstParents(slug = 'demo'): string[] {
    return git(this.gitdir(slug), 'rev-list', '--first-parent', 'main').split('\n')
  }

  /** Damage that must never exist: a ref that holds no oid, an empty object, a request published twice, any finding of git fsck. */
  damage(slug = 'demo'): string[] {
    const found = this.#placesOf(slug).flatMap((gitdir) => this.#damageIn(gitdir, slug))
    return found.length === 0 ? this.#publishedTwice(slug) : found
  }

  /** Change requests that more than one commit of main publishes. */
  #publishedTwice(slug: string): string[] {
    const format = '--format=%(trailers:key=Change-Request,valueonly)'
    const published = git(this.gitdir(slug), 'log', '--first-parent', format, 'main').split('\n').filter(Boolean)
    const twice = published.filter((request, at) => published.indexOf(request) !== at)
    return twice.map((request) => `${slug}: change request ${request} is published twice`)
  }

  /** The repository of the site, and that of its change requests. */
  #placesOf(slug: string): string[] {
    const drafts = join(this.dataDir, 'drafts', `${slug}.git`)
    return [this.gitdir(slug), ...(existsSync(drafts) ? [drafts] : [])]
  }

  #damageIn(gitdir: string, slug: string): string[] {
    const files = filesIn(gitdir)
    const found: string[] = []
    for (const file of files) {
      const path = join(gitdir, file)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isFile() !== true) continue
      if (/^refs\/(?!.*\.lock$)/.test(file) && !/^[0-9a-f]{40}\n$/.test(readFileSync(path, 'latin1'))) {
        found.push(`${slug}: ${file} holds no oid`)
      }
      // Files that git was writing when the disk became full keep temporary names, which git never reads.
      const isObject = file.startsWith('objects/') && !/\.keep$|\/tmp_/.test(file)
      if (isObject && stat.size === 0) {
        found.push(`${slug}: ${file} is empty`)
      }
    }
    const complaints = complaintsOf(gitdir)
    if (complaints !== '') found.push(`${slug}: git fsck: ${complaints}`)
    return found
  }

  /**
   * Files that must be gone once a site takes writes again: locks, `.keep` files, temporary files. What goes within seconds is of
   * git at work: any write may be the one after which the site is maintained. Its lock says so for longer on a busy machine.
   * Packs of a git that ended with a killed service stay for twelve hours (abandoned.ts).
   */
  async leftovers(slug = 'demo'): Promise<string[]> {
    const left: string[] = []
    for (const gitdir of this.#placesOf(slug)) left.push(...(await this.#leftIn(gitdir, slug)))
    return left
  }

  async #leftIn(gitdir: string, slug: string): Promise<string[]> {
    const started = performance.now()
    for (; ; await pause(LOOK_AGAIN_MS)) {
      const end = started + (isMaintained(gitdir) ? MAX_MAINTENANCE_MS : MAX_GIT_MS)
      const left = filesIn(gitdir).filter((file) => isLeftover(file) && !(this.#wasKilled && isPackOfGit(file)))
      if (left.length === 0 || performance.now() > end) return left.map((file) => `${slug}: ${file}`)
    }
  }

  /** Makes every lock older than the machine's start, as it is after a power cut that restarted the machine. */
  ageLocks(): void {
    for (const slug of this.slugs()) {
      const locks = filesIn(this.gitdir(slug)).filter((file) => file.endsWith('.lock'))
      for (const lock of locks) utimesSync(join(this.gitdir(slug), lock), BEFORE_THE_START, BEFORE_THE_START)
    }
  }

  async destroy(): Promise<void> {
    await this.kill()
    // Processes of a killed service end by themselves, and may write until then.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Whether gc.pid names a process that runs. */
function isMaintained(gitdir: string): boolean {
  try {
    return isRunning(Number.parseInt(readFileSync(join(gitdir, 'gc.pid'), 'utf8'), 10))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}

/** All below a folder. A service that runs may just be removing the folder of a push: then they are listed again. */
function filesIn(folder: string): string[] {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) throw error
    }
  }
}

/** The output of git fsck, which may need a retry: a repack that outlives the service removes packs while it reads. */
function complaintsOf(gitdir: string): string {
  for (let look = 1; ; look++) {
    try {
      assertSound(gitdir)
      return ''
    } catch (error) {
      if (look === 3) return String((error as { stderr?: unknown }).stderr ?? error)
      execFileSync('sleep', ['0.5'])
    }
  }
}

/** Rejects if an answer takes longer than a client would wait. */
export async function inTime<T>(answer: PromiseLike<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`no answer within ${MAX_ANSWER_MS} ms`)), MAX_ANSWER_MS)
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(late)
  }
}
