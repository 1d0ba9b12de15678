// Run by ./peers.ts: starts a Node server and prints its port. The first argument names the server, the second is a folder:
// sirv's files, or for the others `answer.json` and `answer.body` with their answer.

import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Koa from 'koa'
import sirv from 'sirv'
import type { Fields } from './load.js'

const [kind = '', folder = ''] = process.argv.slice(2)

const HANDLERS: Record<string, () => RequestListener> = {
  bare() {
    const { body, headers } = readAnswer()
    return (_request, response) => response.writeHead(200, headers).end(body)
  },
  koa() {
    const { body, headers } = readAnswer()
    const koa = new Koa()
    koa.use((context) => {
      context.set(headers)
      context.body = body
    })
    const handle = koa.callback()
    return (request, response) => void handle(request, response)
  },
  sirv() {
    const serve = sirv(folder, { etag: true, gzip: true, brotli: true })
    return (request, response) => serve(request, response)
  },
}

function readAnswer(): { body: Buffer; headers: Fields } {
  const body = readFileSync(join(folder, 'answer.body'))
  return { body, headers: JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8')) as Fields }
}

const handler = HANDLERS[kind]
if (handler === undefined) throw new Error(`There is no peer "${kind}".`)
const server = createServer(handler())
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
