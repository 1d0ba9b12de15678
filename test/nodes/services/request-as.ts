// Sends a request to a node as a client does, to any host: a busy node's 503 is retried.

import { type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** On a busy machine, single commits in PostgreSQL take longer than a node trusts it without an answer (docs/decisions/0040). */
const PATIENCE_MS = 30_000

export interface Wish {
  path: string
  method?: string
  host?: string
  bearer?: string
  body?: object | undefined
  /** Replaces a JSON body. */
  bytes?: Buffer
  headers?: Record<string, string>
  /** Longest time for which the answer may be 503; 30 s by default. */
  patienceMs?: number
}

export interface Answer {
  status: number
  text: string
  headers: IncomingHttpHeaders
  /** Undefined where the answer is no JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says what it expects of it
  body: any
}

export async function requestAs(port: number, wish: Wish): Promise<Answer> {
  const { path, patienceMs = path.startsWith('/readyz') ? 0 : PATIENCE_MS } = wish
  const end = performance.now() + patienceMs
  let answer = await ask(port, wish)
  for (; answer.status === 503 && performance.now() < end; answer = await ask(port, wish)) await pause(50)
  return answer
}

async function ask(port: number, wish: Wish): Promise<Answer> {
  const { path, method = 'GET', host, bearer, body, bytes, headers } = wish
  const fields = {
    ...(host !== undefined && { Host: host }),
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  }
  return await new Promise((resolve, reject) => {
    const sent = request({ port, path, method, headers: fields, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({
          status: response.statusCode ?? 0,
          text,
          headers: response.headers,
          body: isJson === true ? JSON.parse(text) : undefined,
        })
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? bytes : JSON.stringify(body))
  })
}
