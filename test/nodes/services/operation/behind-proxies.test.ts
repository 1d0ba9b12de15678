// The proxies of deploy/ and docs/deploy.md before servers that stand for nodes: they write down each request, and answer as a node in
// trouble does.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../servers/ports.js'
import { NODE_PROXIES, PROXIES, type Proxy, startProxy, type Terminator } from '../../../servers/proxies.js'

const NODES = 3
const ROUNDS = 20
/** The site that every node refuses for a while, as it does where it lacks the newest version. */
const BUSY = 'busy.sites.test'
/** The site whose requests every node takes, and ends without an answer. */
const BROKEN = 'broken.sites.test'
const SOUND = 'demo.sites.test'
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']
const BODIES = ['', 'short', 'long'.repeat(100_000)]

for (const terminator of NODE_PROXIES) {
  describe(`${terminator.name} before three nodes, set up as in deploy/,`, () => {
    const place = usePlace(terminator, NODES)

    // Caddy tries a GET without an answer again for three seconds.
    for (const [host, method, trouble] of [
      [BUSY, 'GET', 'answers 503 for one of them'],
      [BROKEN, 'POST', 'ends the requests for one of them without an answer'],
    ] as const)
      it(`serves all other sites while each node ${trouble}`, async () => {
        const answers: Record<number, number> = {}
        for (let round = 0; round < ROUNDS; round++) {
          assert.ok((await place.ask(host, method)) >= 502)
          for (let i = 0; i < NODES; i++) {
            const status = await place.ask(SOUND, WRITES[round] ?? 'GET')
            answers[status] = (answers[status] ?? 0) + 1
          }
        }
        assert.deepEqual(answers, { 200: ROUNDS * NODES })
      })

    it('sends requests that may have changed something to only one node', () => assertSentOnce(place))

    it('asks another node if one is gone', async () => {
      stopNode(place.nodes[0])
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH'])
        for (let i = 0; i < NODES; i++) assert.equal(await place.ask(SOUND, method), 200, method)
    })
  })
}

for (const terminator of PROXIES) {
  describe(`${terminator.name} before a service, set up as in deploy/one,`, () => {
    const place = usePlace(terminator, 1)

    it('sends requests that may change something only once', () => assertSentOnce(place))
  })
}

async function assertSentOnce({ came, ask }: Place): Promise<void> {
  const wished: string[] = []
  const sent: string[] = []
  for (const host of [BUSY, BROKEN])
    for (const method of WRITES)
      for (const body of BODIES) {
        // nginx tries again on a new connection if a kept one breaks.
        await ask(SOUND)
        const path = `/${host}-${body.length}`
        wished.push(`${method} ${path}`)
        came.length = 0
        await ask(host, method, path, body)
        sent.push(...came)
      }
  assert.deepEqual(sent, wished)
}

interface Place {
  nodes: Server[]
  /** The requests that any node got. */
  came: string[]
  /** Answers the status. */
  ask: (host: string, method?: string, path?: string, body?: string) => Promise<number>
}

/** Starts `count` nodes and the proxy before them, for the tests of one `describe`. */
function usePlace(terminator: Terminator, count: number): Place {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-proxies-'))
  const nodes: Server[] = []
  const came: string[] = []
  let proxy: Proxy | undefined

  before(async () => {
    const ports: number[] = []
    for (let i = 0; i < count; i++) ports.push(await freePort())
    for (const port of ports) nodes.push(await startNode(port, came))
    const [first = 0] = ports
    proxy = await startProxy(terminator, {
      folder,
      servicePort: count === 1 ? first : ports,
      baseHost: 'pages.example',
    })
    assert.ok(proxy, `install Debian's ${terminator.name.toLowerCase()}`)
  })
  after(async () => {
    await proxy?.stop()
    for (const node of nodes) stopNode(node)
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = (host: string, method = 'GET', path = '/', body = '') =>
    new Promise<number>((resolve, reject) => {
      const headers = { Host: host, ...(body !== '' && { 'Content-Length': body.length }) }
      const options = { port: proxy?.https, path, method, headers, servername: host, rejectUnauthorized: false }
      const sent = request({ ...options, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject).end(body)
    })
  return { nodes, came, ask }
}

async function startNode(port: number, came: string[]): Promise<Server> {
  const node = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming
    if (url !== '/readyz') came.push(`${method} ${url}`)
    incoming.resume().on('end', () => {
      if (headers.host === BROKEN) incoming.socket.destroy()
      else response.writeHead(headers.host === BUSY ? 503 : 200).end('answered')
    })
  })
  await once(node.listen(port, '127.0.0.1'), 'listening')
  return node
}

function stopNode(node: Server | undefined): void {
  node?.close()
  node?.closeAllConnections()
}
