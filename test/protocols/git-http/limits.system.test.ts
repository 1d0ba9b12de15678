// Limits of clones and fetches: a client that reads nothing, a site that is deleted, and more of them than are allowed.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { git } from '../../support/git.js'
import { holdThread } from '../../tasks/analysis/hold-thread.js'
import { killProcesses } from '../../programs/processes.js'
import { RemoteGit } from '../../support/remote-git.js'
import { PATIENCE_MS } from '../../support/within.js'
import { startOwnService, type TestService } from '../../support/service.js'

const FILE_BYTES = 24 * 1024 * 1024
/** Bytes that show that a clone is under way; it has many more. */
const BEGUN_BYTES = 512 * 1024
/** Far past what a workspace may use of the serving thread in some seconds. */
const HELD_MS = 2000
const REQUESTS = 30

describe('clones that last', () => {
  let service: TestService
  let large: { id: string; key: string }
  let neighbour: string
  const client = new RemoteGit()

  before(async () => {
    service = await startOwnService({ env: { MAX_HTML_BYTES: '1000000', MEMORY_BYTES: String(64 * 1024 * 1024) } })
    const { provisioner } = service.server.service.services
    const { site } = await provisioner.createWorkspace('Large', 'large')
    const { key } = await service.mint({ workspaceId: site.workspaceId, scopes: ['admin'] })
    large = { id: site.id, key }
    neighbour = `http://any:${service.key}@127.0.0.1:${service.server.port}/git/demo.git`
    const other = await provisioner.createSite(site.workspaceId, 'other')
    await service.api(key).patch(`/sites/${other.id}`).send({ isDefault: true })
    await service
      .api(key)
      .put('/files?path=/large.bin')
      .set('x-service-site-id', large.id)
      .set('Content-Type', 'application/octet-stream')
      .send(randomBytes(FILE_BYTES))
  })
  after(async () => {
    await service.stop()
    client.remove()
  })

  const line = (text: string) => (text.length + 5).toString(16).padStart(4, '0') + `${text}\n`

  /** A client that asks for a clone and reads nothing of it. */
  async function beginClone(): Promise<IncomingMessage> {
    const head = git(service.gitdir('large'), 'rev-parse', 'main')
    const asked = request(`${service.origin}/git/large.git/git-upload-pack`, {
      method: 'POST',
      headers: { authorization: `Bearer ${large.key}`, 'git-protocol': 'version=2' },
    })
    asked.on('error', () => undefined)
    asked.end(`${line('command=fetch')}0001${line(`want ${head}`)}${line('done')}0000`)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.on('error', () => undefined)
    return answer
  }

  /** Begins a clone once the service has noticed that the previous one has left. */
  async function beginServedClone(): Promise<IncomingMessage> {
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      const answer = await beginClone()
      if (answer.statusCode === 200) return answer
      answer.destroy()
      assert.ok(performance.now() < until, `still ${answer.statusCode}`)
    }
  }

  /** A request that is being answered while the serving thread, which is this one, is held. */
  async function useServingThread(key: string): Promise<void> {
    const asked = request(`${service.origin}/api/v1/pages?path=/burnt`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/html', expect: '100-continue' },
    })
    asked.flushHeaders()
    await once(asked, 'continue')
    holdThread(HELD_MS)
    asked.end('<p>burnt</p>')
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
  }

  it('start one in each turn of the event loop if their workspace has used much of the serving thread', async () => {
    await useServingThread(service.key)
    const credentials = Buffer.from(`any:${service.key}`).toString('base64')
    const fields = `Host: 127.0.0.1\r\nAuthorization: Basic ${credentials}\r\n\r\n`
    const asked = `GET /git/demo.git/info/refs?service=git-upload-pack HTTP/1.1\r\n${fields}`
    const socket = connect(service.server.port, '127.0.0.1')
    let [said, turns] = ['', 0]
    const countTurn = () => {
      turns++
      if (answered() < REQUESTS) setImmediate(countTurn)
    }
    const answered = () => said.split('HTTP/1.1 200').length - 1
    socket.on('data', (data) => (said += data.toString('latin1')))
    socket.write(asked.repeat(REQUESTS))
    countTurn()
    while (answered() < REQUESTS) await once(socket, 'data')
    socket.destroy()
    assert.ok(turns >= REQUESTS, `${turns} turns`)
  })

  it('make others of the same workspace wait and try again, and do not delay another workspace', async () => {
    const held = await beginServedClone()
    const refused = await beginClone()
    assert.equal(refused.statusCode, 503)
    assert.equal(refused.headers['retry-after'], '2')
    await client.run('clone', '--quiet', neighbour, 'neighbour')
    assert.equal(await client.in('neighbour', 'fsck', '--strict'), '')
    held.destroy()
  })

  it('end when the client leaves: the next one is served', async () => {
    for (let clones = 0; clones < 3; clones++) (await beginServedClone()).destroy()
  })

  it('are cut off if git is killed', async () => {
    const held = await beginServedClone()
    const closed = new Promise((resolve) => held.once('close', resolve))
    killProcesses(new RegExp(`upload-pack.*${service.dataDir}`))
    held.resume()
    await closed
    assert.equal(held.complete, false)
  })

  it('end with the site when it is deleted', async () => {
    const held = await beginServedClone()
    // Reads until git has the objects open: before that, git itself would report that they are gone.
    for (let bytes = 0; bytes < BEGUN_BYTES; bytes += (held.read() as Buffer | null)?.length ?? 0)
      if (held.readableLength === 0) await once(held, 'readable')
    const closed = new Promise((resolve) => held.once('close', resolve))
    await service.api(large.key).delete(`/sites/${large.id}`)
    // The workspace has its slot again although the client still reads nothing.
    const other = `http://any:${large.key}@127.0.0.1:${service.server.port}/git/other.git`
    const until = performance.now() + PATIENCE_MS
    while ((await client.failure('clone', '--quiet', other, 'other')) !== '') assert.ok(performance.now() < until)
    held.resume()
    await closed
    assert.equal(held.complete, false)
  })
})
