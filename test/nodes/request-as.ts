// A request to a node as a client sends it, to whichever host.

import { type IncomingHttpHeaders, request } from 'node:http'

export interface Wish {
  path: string
  method?: string
  host?: string
  bearer?: string
  body?: object | undefined
  /** In place of a JSON body. */
  bytes?: Buffer
  headers?: Record<string, string>
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
