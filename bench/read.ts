// What a hosted page costs: against a bare node:http server that sends the same bytes.

import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Row } from './row.js'
import { runService, timed } from './running-service.js'

const REQUESTS = 4000
const AT_ONCE = 16
const BODY = '<!doctype html>'.padEnd(4096, 'x')

export async function benchRead(): Promise<Row[]> {
  const service = await runService()
  const bare = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': BODY.length }).end(BODY)
  })
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  try {
    await service.put('/page', BODY)
    const visitBare = bareVisitor((bare.address() as AddressInfo).port)
    await rateOf(() => service.visit('/page'))
    await rateOf(visitBare)
    const ours = await rateOf(() => service.visit('/page'))
    const peer = await rateOf(visitBare)
    const what = `hot page of 4 KB, ${AT_ONCE} connections, against bare node:http in this process`
    return [{ what, ours: `${ours.toFixed(0)} /s`, peer: `${peer.toFixed(0)} /s`, ratio: ours / peer }]
  } finally {
    bare.close()
    await service.stop()
  }
}

function bareVisitor(port: number): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  return () =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve)).on('error', reject)
    })
}

/** Requests a second. */
async function rateOf(visit: () => Promise<unknown>): Promise<number> {
  let left = REQUESTS
  const visitor = async () => {
    while (left-- > 0) await visit()
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, visitor)))
  return (REQUESTS * 1000) / milliseconds
}
