// `git http-backend` behind a plain HTTP server: a remote that is not our code.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startProgram } from '../../src/git/start-program.js'

export interface GitServerOptions {
  /** The folder with the bare repositories. */
  root: string
  /** The credentials that Basic must carry, `user:password`. */
  login?: string
  /** The token that Bearer must carry. */
  bearer?: string
  /** The protocol that the backend may speak: any that the client asks for, or the oldest. */
  protocol?: 'any' | 'oldest'
  /** Answers a request itself, where it returns true. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export class GitServer {
  readonly requests: string[] = []
  options: GitServerOptions
  readonly #server: Server

  constructor(options: GitServerOptions) {
    this.options = options
    this.#server = createServer((request, response) => this.#answer(request, response))
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { login, bearer, intercept } = this.options
    this.requests.push(`${request.method} ${request.url}`)
    if (intercept?.(request, response) === true) return
    const sent = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    const isRefused = bearer !== undefined && request.headers.authorization !== `Bearer ${bearer}`
    if (isRefused || (login !== undefined && sent !== login)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"', 'Content-Type': 'text/plain' })
      response.end(`no entry for ${sent}`)
    } else void this.#run(request, response)
  }

  async #run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { root, protocol } = this.options
    const { pathname, search } = new URL(request.url ?? '', this.origin)
    const version = request.headers['git-protocol']
    const backend = await startProgram({
      leadsGroup: true,
      command: ['git', 'http-backend'],
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REMOTE_USER: 'client',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(typeof version === 'string' && protocol !== 'oldest' && { GIT_PROTOCOL: version }),
      },
    })
    backend.stdin.on('error', () => undefined)
    request.pipe(backend.stdin)
    backend.stderr.resume()
    response.once('close', () => backend.kill('SIGTERM'))
    let head = Buffer.alloc(0)
    const readHead = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      backend.stdout.off('data', readHead)
      for (const line of head.subarray(0, end).toString().split('\r\n')) {
        const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
        else response.setHeader(name, value)
      }
      response.write(head.subarray(end + 4))
      backend.stdout.pipe(response)
    }
    backend.stdout.on('data', readHead)
  }
}
