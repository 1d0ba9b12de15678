// A data directory with a service on it that may be killed and started again; and what may be asked of both at any time.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { type ApiClient, put, visit } from '../../scenarios/client.js'
import { makeKey, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { attach, type Attached, type Hit } from './strace.js'

/** Milliseconds; a request without an answer by then hangs. */
const PATIENCE = 15_000
const UNTOUCHED = 'untouched'

export interface Sent {
  status: number
  body: { data?: unknown; error?: { code: string } }
}

export class Ground {
  readonly folder: string
  readonly dataDir: string
  readonly #env: Record<string, string>
  #server: ServeProcess | undefined
  #key = ''

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder
    this.dataDir = join(folder, 'data')
    this.#env = { WRITER_THREADS: '1', LOG_LEVEL: 'silent', ...env }
  }

  /** A service with the site `demo` and another that no case touches. `folder` is made where none is given. */
  static async prepare(env: Record<string, string> = {}, folder?: string): Promise<Ground> {
    const ground = new Ground(folder ?? mkdtempSync(join(tmpdir(), 'palimpsest-faults-')), env)
    await ground.start()
    ground.#key = await makeKey(ground.dataDir, 'admin')
    const { status, body } = await ground.api.post('/sites').send({ slug: UNTOUCHED })
    if (status !== 201) throw new Error(JSON.stringify(body))
    await put(ground.api, '/', UNTOUCHED, (body as { data: { id: string } }).data.id)
    await ground.visit('/', UNTOUCHED)
    return ground
  }

  /** Another service, on a copy of the data. This one must be stopped. */
  async copy(): Promise<Ground> {
    const ground = new Ground(mkdtempSync(join(tmpdir(), 'palimpsest-faults-')), this.#env)
    cpSync(this.dataDir, ground.dataDir, { recursive: true })
    // A repository names its own place there; else the service would put that right in the middle of a case.
    for (const config of ground.slugs().map((slug) => join(ground.gitdir(slug), 'config'))) {
      writeFileSync(config, readFileSync(config, 'utf8').replaceAll(this.folder, ground.folder))
    }
    ground.#key = this.#key
    await ground.start()
    await ground.visit('/', UNTOUCHED)
    return ground
  }

  get server(): ServeProcess {
    if (this.#server === undefined) throw new Error('the service does not run')
    return this.#server
  }

  get api(): ApiClient {
    return this.server.api(this.#key)
  }

  apiWith(key: string): ApiClient {
    return this.server.api(key)
  }

  async start(): Promise<void> {
    this.#server = await serve({ dataDir: this.dataDir, env: this.#env })
  }

  /** SIGTERM: it ends as an operator ends it. Who still asks it finds its port closed. */
  async stop(): Promise<void> {
    this.#server?.signal('SIGTERM')
    await this.#server?.ended
  }

  /** SIGKILL, unless it is dead already. */
  async kill(): Promise<void> {
    this.#server?.signal('SIGKILL')
    await this.#server?.ended
    this.#server = undefined
  }

  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Resolves once the calls of the service count, for what is to happen at the k-th. */
  async harm(hit: Hit): Promise<Attached> {
    return await attach(this.server.pid, hit, this.dataDir, join(this.folder, 'strace.log'))
  }

  /** The bytes of a hosted page; undefined for a 404. Throws for any other answer. */
  async visit(path: string, slug = 'demo'): Promise<string | undefined> {
    const { status, bytes } = await inTime(visit(this.server.origin, `http://${slug}.localhost${path}`))
    if (status === 404) return undefined
    if (status !== 200) throw new Error(`GET ${slug}${path}: ${status} ${bytes.toString()}`)
    return bytes.toString()
  }

  /** Why visitors or clients of the site that nobody touches are not served as ever; undefined when they are. */
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

  /** What must not be in a repository at any instant: a ref that is no oid, an empty object, anything that git finds. */
  damage(slug = 'demo'): string[] {
    const gitdir = this.gitdir(slug)
    const files = readdirSync(gitdir, { recursive: true, encoding: 'utf8' })
    const found: string[] = []
    for (const file of files) {
      const path = join(gitdir, file)
      if (!existsSync(path) || !statSync(path).isFile()) continue
      if (/^refs\/(?!.*\.lock$)/.test(file) && !/^[0-9a-f]{40}\n$/.test(readFileSync(path, 'latin1'))) {
        found.push(`${slug}: ${file} holds no oid`)
      }
      // What git was writing when the disk was full keeps a temporary name, and nobody reads it.
      const isObject = file.startsWith('objects/') && !/\.keep$|\/tmp_/.test(file)
      if (isObject && statSync(path).size === 0) {
        found.push(`${slug}: ${file} is empty`)
      }
    }
    const complaints = complaintsOf(gitdir)
    if (complaints !== '') found.push(`${slug}: git fsck: ${complaints}`)
    return found
  }

  /** What a site that takes writes again has no more: locks, `.keep` files, temporary files. */
  leftovers(slug = 'demo'): string[] {
    const files = readdirSync(this.gitdir(slug), { recursive: true, encoding: 'utf8' })
    return files
      .filter((file) => /\.lock$|\.keep$|\/tmp_|^palimpsest\/(?!mark-)/.test(file))
      .map((file) => `${slug}: ${file}`)
  }

  async destroy(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The words of git fsck. A repack that outlives the service takes packs from under it: it may look twice. */
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

/** Rejects when an answer takes longer than any client would wait. */
export async function inTime<T>(answer: PromiseLike<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE)
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(late)
  }
}
