// A tenant of a service under test: sends requests with its keys, and makes sites of its own.

import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { palimpsest, type RunningService } from '../ground/running-service.js'

/** Plain values: the processes that attack and measure get them as a message. */
export interface TenantData {
  port: number
  dataDir: string
  key: string
  adminKey: string
  /** An address of this machine to connect from; for a tenant that must not share the address of others. */
  localAddress?: string
}

export interface Asked {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

export interface Answer {
  /** 0 if there was none. */
  status: number
  body: Buffer
  /** Why there is no answer. */
  failure?: string
}

export interface OwnSite {
  id: string
  slug: string
  gitdir: string
}

/** Time after which a request without an answer is given up. */
const GIVE_UP_MS = 60_000
const MAX_IDLE_MS = 3000

export async function makeTenant({ dataDir, port }: RunningService, slug: string): Promise<TenantData> {
  const made = await palimpsest(dataDir, 'workspaces', 'create', slug, '--site', slug)
  const [workspace = ''] = /[0-9a-f-]{36}/.exec(made) ?? []
  const mint = (scopes: string) => palimpsest(dataDir, 'keys', 'create', '--workspace', workspace, '--scopes', scopes)
  return { port, dataDir, key: await mint('write'), adminKey: await mint('admin') }
}

export class Tenant {
  readonly data: TenantData
  /** Closes idle connections before the service does, so that no request uses one that is just ending. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: MAX_IDLE_MS })

  constructor(data: TenantData) {
    this.data = data
  }

  /** Options of a connection: its target, and its own address. */
  get connection(): { host: string; port: number; localAddress?: string } {
    const { port, localAddress } = this.data
    return { host: '127.0.0.1', port, ...(localAddress !== undefined && { localAddress }) }
  }

  /** Sends a request to the API, below `/api/v1`. Status 0 means that the connection ended or was given up. */
  api(path: string, { method, headers, body }: Asked = {}): Promise<Answer> {
    const type = typeof body === 'string' && body.startsWith('{') ? 'application/json' : 'text/html'
    return this.#send(`/api/v1${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${this.data.key}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
  }

  /** Sends a request to the base host, outside of the API. */
  base(path: string): Promise<Answer> {
    return this.#send(path, { method: 'GET', headers: { authorization: `Bearer ${this.data.key}` } })
  }

  /** Returns the `data` of an answer. Rejects unless it is a success. */
  async must<T>(path: string, asked: Asked = {}): Promise<T> {
    const { status, body } = await this.api(path, asked)
    if (status >= 300 || status === 0) throw new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`)
    return (JSON.parse(body.toString()) as { data: T }).data
  }

  visit(slug: string, path: string): Promise<Answer> {
    return this.#send(path, { method: 'GET', headers: { host: `${slug}.localhost:${this.data.port}` } })
  }

  async makeSite(): Promise<OwnSite> {
    const slug = `s${randomBytes(6).toString('hex')}`
    const admin = { authorization: `Bearer ${this.data.adminKey}` }
    const { id } = await this.must<{ id: string }>('/sites', { body: JSON.stringify({ slug }), headers: admin })
    return { id, slug, gitdir: join(this.data.dataDir, `${slug}.git`) }
  }

  async putPage(path: string, html: string | Buffer, siteId?: string): Promise<{ id: string; etag: string }> {
    const headers = siteId === undefined ? {} : { 'x-service-site-id': siteId }
    return await this.must(`/pages?path=${encodeURIComponent(path)}`, { method: 'PUT', body: html, headers })
  }

  #send(path: string, { method, headers, body }: Asked): Promise<Answer> {
    return new Promise((resolve) => {
      const failed = (error?: NodeJS.ErrnoException) => {
        const failure = `${error?.code ?? 'no end'}${sent.reusedSocket ? ', kept connection' : ''}`
        resolve({ status: 0, body: Buffer.alloc(0), failure })
      }
      const sent = request({ ...this.connection, method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', failed)
        response.on('close', () => failed())
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
      })
      sent.setTimeout(GIVE_UP_MS, () => sent.destroy())
      sent.on('error', failed)
      // A refusal may arrive, and its connection end, while the body is still being sent.
      sent.on('socket', (socket) => socket.listenerCount('error') < 2 && socket.on('error', failed))
      sent.end(body)
    })
  }
}
