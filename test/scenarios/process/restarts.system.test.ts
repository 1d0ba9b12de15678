import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSound } from '../../support/git.js'
import { put, visit } from '../client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../serve-process.js'

const ROUNDS = 2
const WRITERS = 6
const READERS = 6
/** Writes that each round has acknowledged before its service is told to stop. */
const ENOUGH = 20

/** The end of a request: a status, untaken (the service never said 100 Continue), or cut off after it was taken. */
type Ending = number | 'untaken' | 'cut off'

interface Ask {
  method: 'GET' | 'PUT'
  url: string
  agent: Agent | false
  headers: Record<string, string>
  body: string
}

/** `Expect: 100-continue` distinguishes a request that the service accepted from one that met a closed port. */
function ask({ method, url, agent, headers, body }: Ask): Promise<Ending> {
  return new Promise((resolve) => {
    let taken = false
    const expect = { 'Content-Length': Buffer.byteLength(body), Expect: '100-continue' }
    const sent = request(url, { method, agent, headers: { ...headers, ...expect } })
    sent.on('continue', () => {
      taken = true
      sent.end(body)
    })
    sent.on('response', (response) => {
      response.resume().on('error', () => undefined)
      response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 'cut off'))
    })
    sent.on('error', () => resolve(taken ? 'cut off' : 'untaken'))
    sent.flushHeaders()
  })
}

describe('restarts under load', () => {
  let dataDir: string
  let key: string

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-restarts-'))
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  /** Clients on connections kept alive and on new ones, until SIGTERM ends each; answers the paths acknowledged. */
  async function stopUnderLoad(server: ServeProcess, round: number): Promise<string[]> {
    const kept = new Agent({ keepAlive: true })
    const acknowledged: string[] = []
    let stopping = false
    let isUnderLoad: () => void = () => undefined
    const underLoad = new Promise<void>((resolve) => (isUnderLoad = resolve))

    async function repeat(client: number, next: (client: number, i: number) => Ask): Promise<void> {
      for (let i = 0; ; i++) {
        const asked = next(client, i)
        const ending = await ask(asked)
        if (ending === 'untaken' && stopping) return
        const what = `${asked.method} ${i} of client ${client} in round ${round}`
        assert.ok(ending === 200 || ending === 201, `${what}: ${ending}`)
        if (asked.method === 'PUT' && acknowledged.push(asked.body) >= ENOUGH) isUnderLoad()
      }
    }
    const agentOf = (client: number) => client % 2 === 0 && kept
    /** The body of each page is its path. */
    function write(client: number, i: number): Ask {
      const path = `/${round}/${client}/${i}`
      const url = `${server.origin}/api/v1/pages?path=${path}`
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'text/html' }
      return { method: 'PUT', url, agent: agentOf(client), headers, body: path }
    }
    function read(client: number): Ask {
      const headers = { Host: 'demo.localhost' }
      return { method: 'GET', url: `${server.origin}/steady`, agent: agentOf(client), headers, body: '' }
    }

    const clients = Promise.all([
      ...Array.from({ length: WRITERS }, (_, client) => repeat(client, write)),
      ...Array.from({ length: READERS }, (_, client) => repeat(client, read)),
    ])
    await Promise.race([underLoad, clients])
    stopping = true
    server.signal('SIGTERM')
    await clients
    assert.deepEqual(await server.ended, { code: 0, signal: null })
    kept.destroy()
    return acknowledged
  }

  it('answer every accepted request and keep every acknowledged write', async () => {
    const options = { dataDir }
    let server = await serve(options)
    key = await makeKey(dataDir)
    await put(server.api(key), '/steady', 'steady')
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      acknowledged.push(...(await stopUnderLoad(server, round)))
      assert.equal(server.logged(), '')
      server = await serve(options)
    }
    for (const path of acknowledged) {
      const { bytes } = await visit(server.origin, `http://demo.localhost${path}`)
      assert.equal(bytes.toString(), path)
    }
    assertSound(join(dataDir, 'demo.git'))
  })
})
