// Ports of this machine for servers that tests start.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Ports below those that systems give to connections and to servers without a fixed port, which could be taken before they are used. */
const FIRST_PORT = 20_000
const END_OF_PORTS = 32_000
/** Mocha's workers run at once: each has ports of its own, or one could be given what another one has been given and does not use yet. */
const PORTS_OF_A_WORKER = 1_000
const first =
  FIRST_PORT + ((Number(process.env['MOCHA_WORKER_ID'] ?? 0) * PORTS_OF_A_WORKER) % (END_OF_PORTS - FIRST_PORT))

const given = new Set<number>()

/** Returns a port that was free a moment ago, and that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, first + PORTS_OF_A_WORKER)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

/** Whether a process accepts connections there. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.listen(port, '127.0.0.1')
  if (!(await listening)) return false
  server.close()
  await once(server, 'close')
  return true
}
