// Run by ./tools.ts: serves a tool that does nothing, with the protocol's own libraries and a bare server. Prints its port.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'floor', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'nothing', inputSchema: { type: 'object' } }] }))
  server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'nothing' }] }))
  return server
})

const server = createServer((request, response) => {
  const answer = async () => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
    const { method = 'GET' } = request
    const init = { method, headers, ...(method === 'POST' && { body: await text(request) }) }
    const answered = await handler.fetch(new Request(`http://127.0.0.1${request.url}`, init))
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
  }
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
