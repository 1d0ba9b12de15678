// A server that offers a repository as git over HTTP does, and then sends a pack of as many bytes as a test wants, or never ends it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FLUSH_PKT, pktLine } from '../../../src/git/wire/pkt-lines.js'

const OID = '1'.repeat(40)
const CAPABILITIES = 'side-band-64k ofs-delta symref=HEAD:refs/heads/main'
const SIDE_BAND_BYTES = 65_515

export interface EndlessRepository {
  origin: string
  close(): void
}

/** Sends `bytes` of a pack, and then waits, ends the answer, or breaks the connection. */
export async function offerEndless(bytes: number, then: 'wait' | 'end' | 'break' = 'wait'): Promise<EndlessRepository> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement')
      const refs = [pktLine(`${OID} HEAD\0${CAPABILITIES}\n`), pktLine(`${OID} refs/heads/main\n`)]
      response.end(Buffer.concat([pktLine('# service=git-upload-pack\n'), FLUSH_PKT, ...refs, FLUSH_PKT]))
      return
    }
    response.setHeader('Content-Type', 'application/x-git-upload-pack-result')
    response.write(pktLine('NAK\n'))
    const piece = pktLine(Buffer.concat([Buffer.from([1]), Buffer.alloc(SIDE_BAND_BYTES)]))
    let sent = 0
    const send = (): void => {
      while (sent < bytes && !response.destroyed) {
        sent += SIDE_BAND_BYTES
        if (!response.write(piece)) return void response.once('drain', send)
      }
      if (then === 'end') response.end(FLUSH_PKT)
      else if (then === 'break') response.destroy()
    }
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
