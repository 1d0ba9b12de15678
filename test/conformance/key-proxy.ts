// Adds an API key to requests that have none, for a client that knows no keys. Everything else goes through as it is, Host and Origin too.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyProxy {
  /** `http://localhost:<port>` */
  origin: string
  close(): void
}

export async function startKeyProxy(port: number, key: string): Promise<KeyProxy> {
  const server = createServer((incoming, answer) => {
    const { method, url, headers } = incoming
    const authorized = { ...headers, authorization: `Bearer ${key}` }
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers: authorized }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    sent.once('error', () => answer.destroy())
    incoming.pipe(sent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
