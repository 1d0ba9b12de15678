// Requests as a client of the service makes them: to the API with a key, to hosted pages, or byte by byte.

import { connect } from 'node:net'
import supertest from 'supertest'
import { assertDocumented } from '../support/contract.js'
import type { ApiClient } from '../support/service.js'

export type { ApiClient } from '../support/service.js'

/** A page as the API shows it: the fields that these tests look at. */
export interface Page {
  id: string
  siteId: string
  path: string
  url: string
  title: string | null
  titleIsSet: boolean
  status: string
  version: { id: string; number: number }
  etag: string
  html?: string
  changed?: false
}

/** supertest on `/api/v1` of a service; every answer is held against OpenAPI. */
export function clientOf(origin: string, key: string): ApiClient {
  const on = (method: keyof ApiClient) => (path: string) => {
    const request = supertest(origin)[method](`/api/v1${path}`).set('Authorization', `Bearer ${key}`)
    return request.expect((answer) => assertDocumented(method, path, answer))
  }
  return {
    get: on('get'),
    post: on('post'),
    put: on('put'),
    patch: on('patch'),
    delete: on('delete'),
    head: on('head'),
    options: on('options'),
  }
}

/** Publishes or replaces as `curl -T` does, and answers the page. Throws unless it is acknowledged. */
export async function put(api: ApiClient, path: string, html: string | Buffer, siteId?: string): Promise<Page> {
  const request = api.put(`/pages?path=${encodeURIComponent(path)}`).type('text/html')
  if (siteId !== undefined) void request.set('x-service-site-id', siteId)
  const { status, body } = await request.send(html)
  if (status !== 200 && status !== 201) throw new Error(`PUT ${path}: ${status} ${JSON.stringify(body)}`)
  return body.data as Page
}

interface Visited {
  status: number
  bytes: Buffer
  retryAfter: string | undefined
}

/** Visits the URL of a page. */
export async function visit(origin: string, url: string): Promise<Visited> {
  const { host, pathname } = new URL(url)
  const { status, body, headers } = await supertest(origin)
    .get(pathname)
    .set('Host', host)
    .redirects(0)
    .buffer(true)
    .parse(readBytes)
  return { status, bytes: body as Buffer, retryAfter: (headers as Record<string, string>)['retry-after'] }
}

/** Sends exactly these bytes to the port; answers the status and everything received until the connection closes. */
export async function sendRaw(port: number, request: string): Promise<{ status: number; text: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk as string
  return { status: Number(text.split(' ')[1]), text }
}

function readBytes(response: supertest.Response, done: (error: Error | null, bytes: Buffer) => void): void {
  const chunks: Buffer[] = []
  const stream = response as unknown as NodeJS.ReadableStream
  stream.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}
