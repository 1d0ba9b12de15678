import assert from 'node:assert/strict'
import { type ClientRequest, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSound } from '../../support/git.js'
import { put, visit } from '../client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../serve-process.js'

const HALF = `<p>${'half of a page '.repeat(100)}</p>\n`

describe('a stop under load', () => {
  let dataDir: string
  let key: string
  let server: ServeProcess

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-stop-'))
    server = await serve({ dataDir })
    key = await makeKey(dataDir)
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  /** Begins a publish; the service has the header and half of the body. */
  async function beginPublish(path: string): Promise<ClientRequest> {
    const sent = request(`${server.origin}/api/v1/pages?path=${path}`, {
      method: 'PUT',
      agent: false,
      headers: { Authorization: `Bearer ${key}`, 'Content-Length': 2 * HALF.length, Expect: '100-continue' },
    })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.write(HALF)
    return sent
  }

  async function finishPublish(sent: ClientRequest): Promise<number | undefined> {
    sent.end(HALF)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }

  /** Publishes one page after the other until the service takes no more; answers those acknowledged. */
  async function publishUntilClosed(name: string): Promise<string[]> {
    const acknowledged: string[] = []
    for (let i = 0; ; i++) {
      try {
        await put(server.api(key), `/${name}/${i}`, `${name} ${i}`)
        acknowledged.push(`/${name}/${i}`)
      } catch {
        return acknowledged
      }
    }
  }

  it('finishes the requests under way, exits with 0, and loses no acknowledged write', async () => {
    const loads = ['a', 'b', 'c', 'd'].map(publishUntilClosed)
    const slow = await Promise.all(Array.from({ length: 10 }, (_, i) => beginPublish(`/slow/${i}`)))
    server.signal('SIGTERM')
    const acknowledged = (await Promise.all(loads)).flat()
    assert.ok(acknowledged.length > 0)
    await assert.rejects(put(server.api(key), '/late', 'too late'), /ECONNREFUSED/)
    assert.deepEqual(
      await Promise.all(slow.map(finishPublish)),
      Array.from({ length: 10 }, () => 201),
    )
    assert.deepEqual(await server.ended, { code: 0, signal: null })
    assert.equal(server.logged(), '')

    const gitdir = join(dataDir, 'demo.git')
    assertSound(gitdir)
    server = await serve({ dataDir })
    for (const path of acknowledged) {
      const { bytes } = await visit(server.origin, `http://demo.localhost${path}`)
      assert.equal(bytes.toString(), path.slice(1).replace('/', ' '))
    }
    for (const i of slow.keys()) {
      const { bytes } = await visit(server.origin, `http://demo.localhost/slow/${i}`)
      assert.equal(bytes.toString(), HALF + HALF)
    }
  })

  // After 9.5 s it would end itself with 1.
  it('exits with 0 even if a client never finishes its request', async () => {
    const stuck = await beginPublish('/stuck')
    stuck.on('error', () => undefined)
    server.signal('SIGTERM')
    assert.deepEqual(await server.ended, { code: 0, signal: null })
  })
})
