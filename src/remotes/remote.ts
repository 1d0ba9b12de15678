// A git repository at an https URL, as a client of git's smart HTTP protocol talks to it (gitprotocol-http): with its address resolved
// once, to that host alone, for a bounded time.

import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { certificateWords } from './certificate-words.js'
import { findAddresses, type FoundAddress, type PrivateRemotes, type Resolve } from './remote-address.js'
import { RemoteFailed, wordsOf } from './remote-failed.js'

export interface RemoteOptions {
  url: URL
  /** Sent to this host alone. */
  credentials?: RemoteCredentials | undefined
  exceptions: PrivateRemotes
  /** Ends whatever is under way. */
  signal: AbortSignal
  resolve?: Resolve
}

export interface RemoteCredentials {
  /** Without one, the password is sent as a bearer token (RFC 6750). */
  username?: string
  password: string
}

export interface RemoteRequest {
  method: 'GET' | 'POST'
  /** Below the URL of the repository, without a slash before it. */
  path: string
  fields: Readonly<Record<string, string>>
  /** A Buffer is sent with its length; anything else in chunks (RFC 9112 §7.1), and the request ends where reading it throws. */
  body?: Buffer | AsyncIterable<Buffer>
}

/** Neither side says anything for so long. */
const MAX_SILENCE_MS = 120_000
const MAX_REDIRECTS = 3
/** Of a refusal, as far as it is read. */
const MAX_REFUSAL_BYTES = 4096
/** Hosts tell git's clients from browsers by its beginning. */
const USER_AGENT = 'git/2.39 (Palimpsest)'
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 307, 308])

/** Close it when done. Throws RemoteFailed where its host may not be connected to. */
export async function openRemote(options: RemoteOptions): Promise<Remote> {
  return new Remote(options, await findAddresses(options.url, options.exceptions, options.resolve))
}

export class Remote {
  readonly #agent: http.Agent
  readonly #options: RemoteOptions
  #url: URL

  constructor(options: RemoteOptions, addresses: readonly FoundAddress[]) {
    const pinned: LookupFunction = (_hostname, { all }, done) => {
      const [first = { address: '', family: 0 }] = addresses
      if (all === true) done(null, [...addresses])
      else done(null, first.address, first.family)
    }
    const { Agent } = options.url.protocol === 'https:' ? https : http
    this.#agent = new Agent({ keepAlive: true, lookup: pinned })
    this.#options = options
    this.#url = options.url
  }

  /**
   * The answer, with status 200. A GET follows redirects within the host (as git does with http.followRedirects=initial), and what
   * comes after it goes there too. Rejects with RemoteFailed.
   */
  async request(request: RemoteRequest): Promise<IncomingMessage> {
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#send(request)
      if (answer.statusCode === 200) return answer
      if (request.method === 'GET' && REDIRECTS.has(answer.statusCode) && redirects < MAX_REDIRECTS) {
        answer.resume()
        this.#url = this.#movedTo(request.path, answer.headers.location ?? '')
      } else throw await this.#refusalOf(answer)
    }
  }

  /** What the remote says, fit to be shown. */
  words(text: string): string {
    const { credentials } = this.#options
    const { authorization } = this.#authorization()
    const secrets = credentials === undefined ? [] : [credentials.password, authorization?.replace(/^\w+ /, '') ?? '']
    return wordsOf(
      text,
      secrets.filter((secret) => secret !== ''),
    )
  }

  close(): void {
    this.#agent.destroy()
  }

  #send({ method, path, fields, body }: RemoteRequest): Promise<IncomingMessage> {
    const url = new URL(this.#url)
    const [pathname = '', search = ''] = path.split('?')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${pathname}`
    url.search = search
    const length = Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {}
    const headers = { 'user-agent': USER_AGENT, ...this.#authorization(), ...fields, ...length }
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: this.#agent, signal: this.#options.signal })
      const fail = (error: unknown) => reject(this.failureOf(error))
      sent.setTimeout(MAX_SILENCE_MS, () => sent.destroy(new RemoteFailed(`${url.host} has been silent for too long.`)))
      sent.once('response', resolve)
      sent.on('error', fail)
      if (body === undefined || Buffer.isBuffer(body)) sent.end(body)
      else pipeline(Readable.from(body), sent, (error) => error && fail(error))
    })
  }

  /** An error of the connection as RemoteFailed, and the reason where it was ended; other errors as they are. */
  failureOf(error: unknown): unknown {
    const { signal } = this.#options
    if (signal.aborted) return signal.reason
    if (!(error instanceof Error) || !('code' in error)) return error
    const { host } = this.#url
    const ofCertificate = certificateWords(host, error)
    if (ofCertificate !== undefined) return new RemoteFailed(this.words(ofCertificate))
    return new RemoteFailed(`The connection to ${host} failed: ${this.words(error.message || String(error.code))}`)
  }

  #authorization(): { authorization?: string } {
    const { credentials } = this.#options
    if (credentials === undefined) return {}
    const { username, password } = credentials
    if (username === undefined) return { authorization: `Bearer ${password}` }
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  }

  #whatIsSent(): string {
    return this.#options.credentials?.username === undefined ? 'the token' : 'the user name and password'
  }

  /** The repository's URL after a redirect. Throws RemoteFailed where it leads to another host, or away from git. */
  #movedTo(path: string, location: string): URL {
    const [pathname = ''] = path.split('?')
    const moved = URL.canParse(location, this.#url.href) ? new URL(location, this.#url.href) : undefined
    if (moved === undefined || !moved.pathname.endsWith(`/${pathname}`))
      throw new RemoteFailed(`${this.#url.host} redirects to something that is no git repository.`)
    moved.pathname = moved.pathname.slice(0, -pathname.length - 1)
    moved.search = ''
    if (moved.origin !== this.#url.origin) {
      const isSameHost = moved.hostname === this.#url.hostname
      const where = isSameHost ? 'another address of this host' : 'another host'
      throw new RemoteFailed(`${this.#url.host} redirects to ${where}: use ${this.words(moved.href)} if you trust it.`)
    }
    return moved
  }

  async #refusalOf(answer: IncomingMessage): Promise<RemoteFailed> {
    const said = this.words(await textOf(answer))
    const { statusCode } = answer
    const { host } = this.#url
    if (statusCode === 401)
      return this.#options.credentials === undefined
        ? new RemoteFailed(`${host} asks for a user name and a password, or has no such repository.`)
        : new RemoteFailed(`${host} does not accept ${this.#whatIsSent()}.${said && ` It says: ${said}`}`)
    return new RemoteFailed(`${host} answers ${statusCode}${said === '' ? '.' : `: ${said}`}`)
  }
}

/** The beginning of a short text for people; nothing where it is a web page. */
async function textOf(answer: IncomingMessage): Promise<string> {
  if (!(answer.headers['content-type'] ?? '').startsWith('text/plain')) {
    answer.destroy()
    return ''
  }
  let text = Buffer.alloc(0)
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    text = Buffer.concat([text, chunk])
    if (text.length > MAX_REFUSAL_BYTES) break
  }
  return text.toString()
}
