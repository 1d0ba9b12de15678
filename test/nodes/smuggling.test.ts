import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { sendRaw } from '../scenarios/client.js'
import { PostgresServer } from '../servers/postgres-server.js'
import { type TestNode, ThreeNodes } from './three-nodes.js'

const MAX_FIELDS = 1000
/** The first bytes of the next request are taken for them where two nodes are out of step. */
const BODY = 'ten bytes!'
const FRAMINGS = ['a: b', `Content-Length: ${BODY.length}`, 'Transfer-Encoding: chunked']

describe('the way from one node to another', () => {
  let database: PostgresServer
  let three: ThreeNodes
  let entry: TestNode
  /** Of a deploy that another node has. */
  let path: string

  before(async () => {
    database = await PostgresServer.start()
    three = new ThreeNodes(await database.createDatabase())
    await three.start()
    const { body: made } = await three.ask('POST', '/sites', { body: { slug: 'elsewhere' } })
    const [away] = three.others(three.homeOf(made.data.id))
    entry = away as TestNode
    const files = { '/a.txt': { oid: '1'.repeat(40), size: 1 } }
    const deploy = await three.askAt(three.homeOf(made.data.id).port, 'POST', '/deploys', {
      body: { siteId: made.data.id, files },
    })
    assert.equal(deploy.status, 201, deploy.text)
    path = `/deploys/${deploy.body.data.id}`
    while ((await three.askAt(entry.port, 'GET', path)).status !== 200) await pause(50)
  })
  after(async () => {
    await three?.stop()
    await database?.remove()
  })

  for (const framing of FRAMINGS) {
    for (const count of [MAX_FIELDS, MAX_FIELDS + 1, 1023, 1100]) {
      it(`stays in step with ${count} fields, the last of them "${framing}"`, async () => {
        const first = `Host: localhost\r\nConnection: close\r\nAuthorization: Bearer ${three.key}\r\n`
        const head = `GET /api/v1${path} HTTP/1.1\r\n${first}${'a: b\r\n'.repeat(count - 4)}${framing}\r\n\r\n`
        const sent = { 'a: b': '', 'Transfer-Encoding: chunked': `a\r\n${BODY}\r\n0\r\n\r\n` }[framing] ?? BODY
        const { status } = await sendRaw(entry.port, head + sent)
        for (let i = 0; i < 3; i++) {
          const requestId = `innocent-${i}`
          const headers = { 'x-request-id': requestId }
          const answer = await three.askAt(entry.port, 'GET', path, { headers, patienceMs: 0 })
          assert.deepEqual([answer.status, answer.headers['x-request-id']], [200, requestId])
        }
        assert.equal(status, count <= MAX_FIELDS ? 200 : 431)
      })
    }
  }
})
