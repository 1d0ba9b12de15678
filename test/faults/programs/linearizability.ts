// Many clients write and read a few hot pages on several sites, through the API and the public host, while the service is
// killed and started again; then every answer is held against each site's first-parent log. With HISTORY_FILE the history
// is also written as JSON lines, for an independent checker (bench/README.md).

import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { put } from '../../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { freePort } from '../../servers/ports.js'
import { complaintsOf, git } from '../../support/git.js'
import { findViolations, type HistoryOperation, type WriteOperation } from '../judges/history-checker.js'
import type { FaultProgram } from '../program.js'

export interface Load {
  clients: number
  sites: number
  /** Hot pages of each site. */
  pages: number
  /** Counts operations that were answered. */
  operations: number
  kills: number
}

export interface Verdict {
  operations: number
  acknowledged: number
  unknown: number
  refused: number
  reads: number
  kills: number
  violations: string[]
}

const WHOLE: Load = { clients: 16, sites: 5, pages: 10, operations: 20_000, kills: 10 }
/** Milliseconds: past it an answer counts as lost. */
const MAX_ANSWER_MS = 10_000
const WRITES_PART = 0.4
/** Milliseconds for all operations: a service that hangs ends the run, and breaks the promise. */
const TIME_LIMIT = 300_000
/** The Request-Id of a commit is the id of its write. */
const LOG = [
  'log',
  '--first-parent',
  '--reverse',
  '--format=%(trailers:key=Request-Id,valueonly,separator=%x2C)',
  'main',
]

export const linearizability: FaultProgram = {
  name: 'linearizability',
  about: `${WHOLE.clients} clients on the same few pages, killed ${WHOLE.kills} times; every answer held against the log`,
  needs: [],
  async run(report) {
    report.begin(`${WHOLE.operations} operations`)
    const { violations, ...figures } = await checkLinearizability(WHOLE)
    console.log(JSON.stringify(figures))
    report.acknowledge(figures.acknowledged)
    for (const violation of violations) report.violate(violation)
  },
}

interface HotSite {
  id: string
  slug: string
  /** Page ids by path. */
  pages: Map<string, string>
  operations: HistoryOperation[]
}

interface Answer {
  status: number
  body: string
}

export async function checkLinearizability(load: Load): Promise<Verdict> {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-linear-'))
  const agent = new Agent({ keepAlive: true, maxSockets: load.clients * 2 })
  try {
    const run = new Run(dataDir, agent, load)
    await run.prepare()
    await Promise.all([...Array.from({ length: load.clients }, () => run.operate()), run.killNowAndThen()])
    await run.end()
    return run.judge()
  } finally {
    agent.destroy()
    await endProcesses(dataDir)
  }
}

class Run {
  readonly #dataDir: string
  readonly #agent: Agent
  readonly #load: Load
  readonly #sites: HotSite[] = []
  #key = ''
  #port = 0
  #server: ServeProcess | undefined
  #answered = 0
  #kills = 0
  #ids = 0
  readonly #end = performance.now() + TIME_LIMIT

  constructor(dataDir: string, agent: Agent, load: Load) {
    this.#dataDir = dataDir
    this.#agent = agent
    this.#load = load
  }

  /** Sites with their hot pages, each written once. */
  async prepare(): Promise<void> {
    this.#port = await freePort()
    this.#server = await serve({ dataDir: this.#dataDir, env: { PORT: String(this.#port) } })
    this.#key = await makeKey(this.#dataDir, 'admin')
    for (let i = 0; i < this.#load.sites; i++) {
      const slug = `hot-${i}`
      const { body } = await this.#server.api(this.#key).post('/sites').send({ slug })
      const site: HotSite = { id: (body.data as { id: string }).id, slug, pages: new Map(), operations: [] }
      this.#sites.push(site)
      for (let page = 0; page < this.#load.pages; page++) await this.#write(site, `/page-${page}`)
      const { body: list } = await this.#server.api(this.#key).get('/pages').set('x-service-site-id', site.id)
      for (const { id, path } of list.data as { id: string; path: string }[]) site.pages.set(path, id)
    }
  }

  get #goesOn(): boolean {
    return this.#answered < this.#load.operations && performance.now() < this.#end
  }

  /** One client: an operation after the other, until enough were answered. */
  async operate(): Promise<void> {
    while (this.#goesOn) {
      const site = this.#sites[Math.floor(Math.random() * this.#sites.length)] as HotSite
      const page = `/page-${Math.floor(Math.random() * this.#load.pages)}`
      if (Math.random() < WRITES_PART) await this.#write(site, page)
      else await this.#read(site, page, Math.random() < 0.5)
    }
  }

  /** Evenly over the operations: SIGKILL, and a start on the same port. */
  async killNowAndThen(): Promise<void> {
    const { operations, kills } = this.#load
    while (this.#kills < kills && this.#goesOn) {
      const due = ((this.#kills + 1) * operations) / (kills + 1)
      while (this.#answered < due && this.#goesOn) await pause(5)
      this.#server?.signal('SIGKILL')
      await this.#server?.ended
      this.#kills++
      this.#server = await serve({ dataDir: this.#dataDir, env: { PORT: String(this.#port) } })
    }
  }

  /** The service must take one more write on each site and stop with exit code 0. */
  async end(): Promise<void> {
    for (const site of this.#sites) await put(this.#server!.api(this.#key), '/after', 'after', site.id)
    this.#server?.signal('SIGTERM')
    await this.#server?.ended
  }

  judge(): Verdict {
    const all = this.#sites.flatMap(({ operations }) => operations)
    const count = (outcome: WriteOperation['outcome']) =>
      all.filter((one) => one.kind === 'write' && one.outcome === outcome).length
    this.#writeHistory()
    return {
      operations: all.length,
      acknowledged: count('acknowledged'),
      unknown: count('unknown'),
      refused: count('refused'),
      reads: all.filter(({ kind }) => kind === 'read').length,
      kills: this.#kills,
      violations: [...this.#judgeTime(), ...this.#sites.flatMap((site) => this.#judgeSite(site))],
    }
  }

  #judgeTime(): string[] {
    const { operations } = this.#load
    return this.#answered < operations ? [`${this.#answered} of ${operations} operations in ${TIME_LIMIT} ms`] : []
  }

  #judgeSite({ slug, operations }: HotSite): string[] {
    const gitdir = join(this.#dataDir, `${slug}.git`)
    // Two commits are not of this program: the site's first one and the write after the end.
    const log = git(gitdir, ...LOG)
      .split('\n')
      .filter((id) => id.startsWith('w-'))
    const violations = findViolations(operations, log).map((sentence) => `${slug}: ${sentence}`)
    const complaints = complaintsOf(gitdir)
    return complaints === '' ? violations : [...violations, `${slug}: git fsck: ${complaints}`]
  }

  async #write(site: HotSite, page: string): Promise<void> {
    const id = `w-${this.#ids++}`
    const invoked = performance.now()
    const operation: WriteOperation = { kind: 'write', id, page, invoked, returned: undefined, outcome: 'unknown' }
    site.operations.push(operation)
    try {
      const fields = { 'x-service-site-id': site.id, 'x-request-id': id, 'content-type': 'text/html' }
      const { status, body } = await this.#ask('PUT', `/api/v1/pages?path=${page}`, fields, id)
      if (status >= 300 && /"code":"outcome_unknown"/.test(body)) return
      operation.returned = performance.now()
      this.#answered++
      operation.outcome = status < 300 ? 'acknowledged' : 'refused'
    } catch (error) {
      // A refused connection sent nothing. Any other end of a connection leaves the outcome open.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') return
      operation.outcome = 'refused'
      await pause(20)
    }
  }

  async #read(site: HotSite, page: string, isPublic: boolean): Promise<void> {
    const invoked = performance.now()
    try {
      const { status, body } = isPublic
        ? await this.#ask('GET', page, { host: `${site.slug}.localhost:${this.#port}` })
        : await this.#ask('GET', `/api/v1/pages/${site.pages.get(page)}`, { 'x-service-site-id': site.id })
      if (status === 503) return
      const saw = isPublic ? body : (JSON.parse(body) as { data?: { html?: string } }).data?.html
      const returned = performance.now()
      this.#answered++
      site.operations.push({
        kind: 'read',
        page,
        saw: status === 200 ? (saw ?? '') : `status ${status}`,
        invoked,
        returned,
      })
    } catch {
      // The service was down: a read without an answer says nothing.
      await pause(20)
    }
  }

  #ask(method: string, path: string, fields: Record<string, string>, body?: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#key}`, ...fields }
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers,
        timeout: MAX_ANSWER_MS,
      }
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
        response.on('error', reject)
        response.on('aborted', () => reject(new Error('the answer broke off')))
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.on('error', reject)
      sent.end(body)
    })
  }

  #writeHistory(): void {
    const file = process.env['HISTORY_FILE']
    if (file === undefined) return
    writeFileSync(file, '')
    for (const { slug, operations } of this.#sites) {
      const lines = operations.map((operation) => JSON.stringify({ site: slug, ...operation }))
      appendFileSync(file, `${lines.join('\n')}\n`)
    }
  }
}
