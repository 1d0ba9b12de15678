// Asks for paths of a site as a browser does, over kept connections.

import { createHash } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

const MAX_REDIRECTS = 5
const MAX_AT_ONCE = 16
/** Idle connections end before the service ends them, as long as this program is not busy with a document. */
const MAX_IDLE_MS = 3000

export interface Answer {
  status: number
  type: string
  body: Buffer
}

export class Visitor {
  readonly #port: number
  readonly host: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_AT_ONCE, timeout: MAX_IDLE_MS })

  constructor(port: number, slug: string) {
    this.#port = port
    this.host = `${slug}.localhost:${port}`
  }

  /** Redirects within the site are followed. `path` is percent-encoded. */
  async get(path: string): Promise<Answer> {
    let at = path
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#ask(at)
      const { statusCode: status = 0, headers } = answer
      const body = await buffer(answer)
      if (status < 300 || status > 399 || headers.location === undefined || redirects === MAX_REDIRECTS)
        return { status, type: headers['content-type'] ?? '', body }
      const target = new URL(headers.location, `http://${this.host}${at}`)
      if (target.host !== this.host) return { status, type: '', body }
      at = `${target.pathname}${target.search}`
    }
  }

  /** The answer itself in a line. What names its host is shown without it. */
  async answer(path: string): Promise<string> {
    const answer = await this.#ask(path)
    const { statusCode, headers } = answer
    const body = (await buffer(answer)).toString('latin1').replaceAll(this.host, '')
    const fields = ['content-type', 'location', 'etag', 'link', 'cache-control', 'content-encoding']
    const shown = fields.flatMap((name) => headers[name] ?? []).map((value) => value.replaceAll(this.host, ''))
    return [statusCode, ...shown, createHash('sha256').update(body).digest('hex').slice(0, 12)].join(' ')
  }

  close(): void {
    this.#agent.destroy()
  }

  /** A kept connection may end just when it is used: then a browser asks again on another one (RFC 9112 §9.3.1). */
  #ask(path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { host: this.host }
      const asked = request({ port: this.#port, path, headers, agent: this.#agent }, resolve)
      asked.once('error', (error: NodeJS.ErrnoException) => {
        if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(this.#ask(path))
        else reject(new Error(`${path}: ${error.message}`))
      })
      asked.end()
    })
  }
}
