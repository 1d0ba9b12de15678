import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { freePort } from './ports.js'

const PORTS_OF_CONNECTIONS = '/proc/sys/net/ipv4/ip_local_port_range'
const USUAL_FIRST = 32_768

const PORTS = new URL('ports.js', import.meta.url).href

describe('a free port', () => {
  it("is given to only one of mocha's parallel processes", () => {
    const give = `import('${PORTS}').then(async ({ freePort }) => { for (let n = 0; n < 300; n++) console.log(await freePort()) })`
    const [one, other] = ['1', '2'].map((MOCHA_WORKER_ID) => {
      const env = { ...process.env, MOCHA_WORKER_ID }
      return new Set(execFileSync(process.execPath, ['-e', give], { env, encoding: 'utf8' }).trim().split('\n'))
    })
    assert.equal(one?.size, 300)
    assert.deepEqual(
      [...(other ?? [])].filter((port) => one?.has(port)),
      [],
    )
  })

  // No port is left for tests alone if an operator lets connections have nearly all ports.
  const first = existsSync(PORTS_OF_CONNECTIONS) ? Number.parseInt(readFileSync(PORTS_OF_CONNECTIONS, 'utf8'), 10) : 0
  const itWithPortsOfTests = first < USUAL_FIRST ? () => undefined : it
  itWithPortsOfTests('is outside the range that the system gives to other servers and to connections', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort))
    assert.equal(new Set(ports).size, 50)
    for (const port of ports) assert.ok(port < first, `${port} may be given to anybody: ${first} is the first of those`)
    for (const port of ports) {
      const server = createServer().listen(port, '127.0.0.1')
      await once(server, 'listening')
      server.close()
    }
  })
})
