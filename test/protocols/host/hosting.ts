// Hosting over real repositories: sites filled with plain git, a listening server, requests as bytes on a socket.

import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request as sendRequest, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Admission } from '../../../src/admission/admission.js'
import { DEFAULT_SIZES, type Sizes } from '../../../src/admission/row.js'
import { createHttpServer } from '../../../src/protocols/http/server/http-server.js'
import type { LeastRate } from '../../../src/protocols/http/server/slow-clients.js'
import { Sitemaps } from '../../../src/protocols/host/sitemap/sitemaps.js'
import { SiteReader } from '../../../src/repository/reading/site-reader.js'
import { HostedReader } from '../../../src/protocols/host/reading/hosted-reader.js'
import { createHostRouter, type RequestHandler } from '../../../src/protocols/host/host-router.js'
import type { ReadMarkdown } from '../../../src/protocols/host/answer/markdown.js'
import type { PicturesParts } from '../../../src/protocols/host/pictures/pictures.js'
import type { HostedSite } from '../../../src/protocols/host/views/site-view.js'
import { SiteIndexes } from '../../../src/index/site-index.js'
import { SiteWalk } from '../../../src/indexing/site-walk.js'
import { Store } from '../../../src/repository/store.js'
import { runHere } from '../../programs/shell.js'

const MEBIBYTE = 1024 * 1024

/** Content of a tree path: the bytes of a file, a symbolic link or submodule, or nothing. */
export type Content = string | Buffer | { mode: '120000' | '160000'; bytes: string } | null

export interface Answer {
  status: number
  /** Fields by lower-case name; a field sent twice has both values, joined by `, `. */
  headers: Record<string, string>
  body: Buffer
}

interface HostingOptions {
  base?: RequestHandler
  cacheBytes?: number
  clock?: () => Date
  rate?: LeastRate
  readMarkdown?: ReadMarkdown
  pictures?: (hosting: Pick<Hosting, 'dataDir' | 'store'>) => PicturesParts
  sizes?: Partial<Sizes>
}

export interface Asked {
  method: string
  target: string
  headers: Record<string, string>
}

export const STREAMS = { total: 64, perSite: 16, perAddress: 8 }

const HTTP_LIMITS = {
  headersTimeoutSeconds: 10,
  requestTimeoutSeconds: 120,
  keepAliveSeconds: 5,
  maxConnections: 10_000,
  maxConnectionsPerAddress: 10_000,
  maxRequestsPerConnection: 1_000_000,
  minBytesPerSecond: 0,
  slowSeconds: 1,
}

export class Hosting {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'hosting-'))
  readonly store: Store
  readonly cacheBytes: number
  readonly admission: Admission
  readonly logged: unknown[] = []
  readonly #sites = new Map<string, HostedSite>()
  readonly #indexes: SiteIndexes
  readonly #heads: SiteReader
  readonly #reader: HostedReader
  readonly #sitemaps: Sitemaps
  readonly #server: Server

  constructor({
    base = answerBase,
    cacheBytes = MEBIBYTE,
    clock = () => new Date(),
    rate,
    readMarkdown,
    pictures,
    sizes,
  }: HostingOptions = {}) {
    this.cacheBytes = cacheBytes
    const limits = { writerThreads: 1, diskReserveBytes: 0 }
    const admission = new Admission({ ...DEFAULT_SIZES, ...sizes })
    this.admission = admission
    this.store = new Store({ dataDir: this.dataDir, limits })
    this.#indexes = new SiteIndexes(this.dataDir, { access: 'makes' })
    this.#sitemaps = new Sitemaps(this.dataDir, clock)
    const { repositories, troubles } = this.store
    this.#heads = new SiteReader({ repositories, troubles })
    const sites = {
      findBySlug: (slug: string) => this.#sites.get(slug),
      // Has no past: test/scenarios/authors/time-travel.test.ts tests it, over a whole service.
      findByIdPrefix: () => [],
    }
    this.#reader = new HostedReader({
      dataDir: this.dataDir,
      hasIndex: true,
      sites,
      troubles,
      onBehind: () => undefined,
    })
    const route = createHostRouter({
      address: { baseUrl: 'http://localhost:8080', siteDomain: 'site.test:8080' },
      baseHosts: [],
      trustedProxies: [],
      admission,
      base,
      sites,
      store: this.#heads,
      reader: this.#reader,
      sitemaps: this.#sitemaps,
      indexes: this.#indexes,
      onBehind: () => undefined,
      search: async () => undefined,
      links: { find: () => undefined },
      withdrawals: { list: () => [] },
      cacheBytes,
      clock,
      ...(readMarkdown && { readMarkdown }),
      ...(pictures && { pictures: pictures(this) }),
      logger: { error: (...entry: unknown[]) => void this.logged.push(entry) },
    })
    this.#server = createHttpServer({ ...HTTP_LIMITS, ...rate }, [], route)
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.store.close()
    this.#heads.closeAll()
    await this.#reader.close()
    await this.#sitemaps.close()
    this.#indexes.close()
    rmSync(this.dataDir, { recursive: true })
  }

  async createSite(slug: string, files: Readonly<Record<string, Content>>, markdown = false): Promise<HostedSite> {
    const site = { id: crypto.randomUUID(), slug, publicHistory: false, markdown, search: false, withdrawals: 0 }
    await this.store.writers.createRepository(site, 1_700_000_000)
    this.#sites.set(slug, site)
    this.commit(slug, files)
    return site
  }

  /** One commit with plain git, on what the site has. */
  commit(slug: string, files: Readonly<Record<string, Content>>): void {
    this.commitUnindexed(slug, files)
    this.#indexSite(slug)
  }

  commitUnindexed(slug: string, files: Readonly<Record<string, Content>>): void {
    const message = 'Edit by hand'
    const parts = [
      'commit refs/heads/main\ncommitter Ann <ann@example.test> 1700000100 +0000\n',
      `data ${message.length}\n${message}\nfrom refs/heads/main^0\n`,
      ...Object.entries(files).flatMap(([path, content]) => importCommand(path, content)),
    ]
    this.git(slug, ['fast-import', '--quiet'], Buffer.concat(parts.map((part) => Buffer.from(part))))
    this.#heads.expire({ slug })
  }

  #indexSite(slug: string): void {
    const site = this.#sites.get(slug)
    if (site === undefined) return
    const walk = new SiteWalk(this.store.repositories.open(site), this.#indexes.of(site.id), [])
    while (!walk.advance());
    walk.close()
  }

  git(slug: string, args: string[], input: string | Buffer = ''): string {
    const cwd = join(this.dataDir, `${slug}.git`)
    return runHere({ command: ['git', ...args], cwd, input })
      .toString()
      .trimEnd()
  }

  /** One request of a site, on a connection of its own. */
  async ask(slug: string, target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    const fields = Object.entries({ Host: `${slug}.site.test`, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    return this.send(`${method} ${target} HTTP/1.1\r\n${fields.join('')}Connection: close\r\n\r\n`)
  }

  /** Requests of a site one after the other, on one kept connection. */
  async askInTurn(slug: string, requests: readonly Asked[]): Promise<Answer[]> {
    return askInTurn(this.port, `${slug}.site.test`, requests)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Exactly these bytes to the server, and all that it answers until it closes. */
  async send(request: string): Promise<Answer> {
    const socket = this.connect()
    socket.write(request)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    return parseAnswer(Buffer.concat(chunks))
  }

  /** A connection to the server, for the caller to use and end. */
  connect(localAddress = '127.0.0.1'): Socket {
    return connect({ port: this.port, host: '127.0.0.1', localAddress })
  }
}

/** Sends requests in sequence, on one kept connection to the server at the port. */
export async function askInTurn(port: number, host: string, requests: readonly Asked[]): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answers: Answer[] = []
  for (const { method, target, headers } of requests) {
    const fields = { host, ...headers }
    const sent = sendRequest({ host: '127.0.0.1', port, agent, method, path: target, headers: fields }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await buffer(response)
    answers.push({ status: response.statusCode ?? 0, headers: response.headers as Answer['headers'], body })
  }
  agent.destroy()
  return answers
}

const answerBase: RequestHandler = (request, response) => response.end(`base ${request.method} ${request.url}`)

/** Returns the commands for `git fast-import` that write one path. */
export function importCommand(path: string, content: Content): (string | Buffer)[] {
  if (content === null) return [`D ${path}\n`]
  const { mode, bytes } =
    typeof content === 'object' && 'mode' in content ? content : { mode: '100644', bytes: Buffer.from(content) }
  if (mode === '160000') return [`M ${mode} ${bytes.toString()} ${path}\n`]
  return [`M ${mode} inline ${path}\ndata ${bytes.length}\n`, bytes, '\n']
}

function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  const [start = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    const name = field.slice(0, colon).toLowerCase()
    const value = field.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { status: Number(start.split(' ')[1]), headers, body: bytes.subarray(end + 4) }
}
