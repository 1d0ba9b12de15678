import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { put } from '../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { freePort } from '../servers/ports.js'
import { assertSound } from '../support/git.js'
import { until } from '../support/within.js'
import { answerTo, aWorkerOf, isRunning, visitAnew, visitEverywhere, workersOf } from './fresh-connection.js'

const CLIENTS = 12

describe('a service with workers', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-workers-'))
    server = await serve({ dataDir, env: { WORKERS: '2', PORT: String(await freePort()) } })
    key = await makeKey(dataDir)
  })
  afterEach(async () => {
    await endProcesses()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Publishes until told to stop; whose connection was cut just goes on. Answers what was acknowledged. */
  function publishUntil(stopped: () => boolean, name: string): Promise<string[]> {
    const one = async () => {
      const acknowledged: string[] = []
      for (let i = 0; !stopped(); i++) {
        const path = `/${name}/${i}`
        const isCut = (error: unknown) => assert.match(String(error), /ECONNRESET|socket hang up/)
        await put(server.api(key), path, path).then(() => acknowledged.push(path), isCut)
      }
      return acknowledged
    }
    return one()
  }

  it('loses the connections of a killed worker, and no acknowledged write', async () => {
    let stopped = false
    const loads = ['a', 'b', 'c', 'd'].map((name) => publishUntil(() => stopped, name))
    const kept = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const visitKept = (agent: Agent) => {
      const headers = { Host: 'demo.localhost' }
      return answerTo(request({ host: '127.0.0.1', port: server.port, path: '/', agent, headers }).end())
    }
    for (const { status } of await Promise.all(kept.map(visitKept))) assert.equal(status, 200)
    const worker = aWorkerOf(server.pid)
    process.kill(worker, 'SIGKILL')
    const after = await Promise.allSettled(kept.map(visitKept))
    assert.ok(after.some(({ status }) => status === 'fulfilled'))
    for (const agent of kept) agent.destroy()
    await until(
      () => workersOf(server.pid).filter((pid) => pid !== worker).length,
      (others) => others === 2,
    )
    stopped = true
    const acknowledged = (await Promise.all(loads)).flat()
    assert.ok(acknowledged.length > 0)
    for (const path of acknowledged) assert.equal((await visitAnew(server.port, 'demo', path)).body, path)
    assertSound(join(dataDir, 'demo.git'))
  })

  /** A publish of which the service has taken the header and half of the body. */
  async function beginPublish(path: string): Promise<ClientRequest> {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Length': 20, Expect: '100-continue' }
    const sent = request(`${server.origin}/api/v1/pages?path=${path}`, { method: 'PUT', agent: false, headers })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.write('<p>half of a')
    return sent
  }

  it('finishes running requests where all processes get SIGTERM at once', async () => {
    const slow = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => beginPublish(`/slow/${i}`)))
    const workers = workersOf(server.pid)
    for (const pid of [...workers, server.pid]) process.kill(pid, 'SIGTERM')
    await delay(300)
    await assert.rejects(visitAnew(server.port, 'demo', '/'), /ECONNREFUSED/)
    const answers = slow.map(answerTo)
    for (const sent of slow) sent.end(' page!!!')
    for (const { status } of await Promise.all(answers)) assert.equal(status, 201)
    assert.deepEqual(await server.ended, { code: 0, signal: null })
    assert.deepEqual(workers.filter(isRunning), [])
    assert.equal(server.logged(), '')
  })

  it('ends its workers with the first process, and frees the port', async () => {
    const workers = workersOf(server.pid)
    server.signal('SIGKILL')
    await until(
      () => workers.filter(isRunning).length,
      (running) => running === 0,
    )
    server = await serve({ dataDir, env: { WORKERS: '2', PORT: String(server.port) } })
    for (const { status } of await visitEverywhere(server.port, 'demo', '/')) assert.equal(status, 200)
  })
})
