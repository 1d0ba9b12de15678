// Talks to a git repository at an https URL by git's smart HTTP protocol (gitprotocol-http). The address is resolved once, all requests
// go to that host, and their time is limited.

import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { certificateWords } from './certificate-words.js'
import { findAddresses, type FoundAddress, type PrivateRemotes, type Resolve } from './remote-address.js'
import { RemoteFailed, wordsOf } from './remote-failed.js'

export interface RemoteOptions {
  url: URL
  /** Sent only to this host. */
  credentials?: RemoteCredentials | undefined
  exceptions: PrivateRemotes
  /** Ends all requests under way. */
  signal: AbortSignal
  resolve?: Resolve
}

export interface RemoteCredentials {
  /** If omitted, the password is sent as a bearer token (RFC 6750). */
  username?: string
  password: string
}

export interface RemoteRequest {
  method: 'GET' | 'POST'
  /** Relative to the URL of the repository, without a leading slash. */
  path: string
  fields: Readonly<Record<string, string>>
  /** A Buffer is sent with its length, an iterable in chunks (RFC 9112 §7.1). The request fails if reading the iterable throws. */
  body?: Buffer | AsyncIterable<Buffer>
}

/** Longest silence of both sides. */
const MAX_SILENCE_MS = 120_000
const MAX_REDIRECTS = 3
/** Bytes of a refusal that are read. */
const MAX_REFUSAL_BYTES = 4096
/** Hosts recognize git's clients by its beginning. */
const USER_AGENT = 'git/2.39 (Palimpsest)'
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 307, 308])

/** Opens a remote; close it when done. Rejects with RemoteFailed if connections to its host are not allowed. */
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
   * Sends a request and resolves with an answer of status 200. A GET follows redirects within the host (as git does with
   * http.followRedirects=initial), and later requests use the new URL. Rejects with RemoteFailed.
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

  /** Makes the remote's text safe to show. */
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

  /** Turns a connection error into RemoteFailed. Returns the signal's reason if it has aborted, and other errors unchanged. */
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

  /** Returns the repository's URL after a redirect. Throws RemoteFailed if it leads to another host, or away from git. */
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

/** Reads the beginning of a plain text answer; returns an empty text for any other type, such as a web page. */
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
