import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { put } from '../scenarios/client.js'
import { PATIENCE_MS, within } from '../support/within.js'
import { endProcesses, makeKey, runPalimpsest, serve, type ServeProcess } from '../scenarios/serve-process.js'

const MIB = 1024 * 1024
const CONNECTIONS = 200
const UNREAD = 16

describe('bodies that are being received', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string
  let neighbour: string
  const sockets: Socket[] = []

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    server = await serve({ dataDir })
    key = await makeKey(dataDir)
    const made = await runPalimpsest({ DATA_DIR: dataDir }, 'workspaces', 'create', 'Next door', '--site', 'next')
    const [workspace = ''] = made.stdout.match(/[0-9a-f-]{36}/) ?? []
    const minted = await runPalimpsest(
      { DATA_DIR: dataDir },
      'keys',
      'create',
      '--workspace',
      workspace,
      '--scopes',
      'write',
    )
    neighbour = minted.stdout.trim()
    // Warms up compiled code and threads, so that their memory is not counted as that of bodies.
    for (let number = 0; number < 5; number++) await put(server.api(neighbour), `/warm-${number}`, 'x'.repeat(MIB))
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(async () => {
    await endProcesses(dataDir)
  })

  const residentMib = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

  /** Sends the head and that much of the body, and no more; resolves with the first answer, or '' if there is none in time. */
  const sendPart = async (head: string, part: Buffer, waitMs = 15_000): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1')
    sockets.push(socket)
    let answer = ''
    socket.on('error', () => undefined)
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.write(`${head}\r\n\r\n`)
    socket.write(part)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([closed, delay(waitMs, undefined, { ref: false })])
    return answer
  }
  const putHead = (bearer: string, path: string) =>
    [`PUT /api/v1/pages?path=${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${bearer}`].join('\r\n')

  it('cost almost nothing without a key: a sign-in is refused by its length, before it is read', async () => {
    const before = residentMib()
    const head = [
      'POST /session HTTP/1.1',
      'Host: localhost',
      `Origin: http://localhost:${server.port}`,
      'Content-Type: application/json',
      `Content-Length: ${3 * MIB}`,
    ].join('\r\n')
    const part = Buffer.alloc(3 * MIB - 10, ' ')
    const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => sendPart(head, part)))
    assert.ok(residentMib() - before < 100, `${residentMib() - before} MiB more than before`)
    assert.ok(answers.every((answer) => answer === '' || answer.startsWith('HTTP/1.1 413 ')))
  })

  it('cost bounded memory: 200 half-sent pages of one workspace, while another publishes a page of 10 MiB', async () => {
    const before = residentMib()
    const head = [putHead(key, '/half'), 'Content-Type: text/html', `Content-Length: ${10 * MIB}`].join('\r\n')
    const half = Buffer.alloc(10 * MIB - 10, 'x')
    const attack = Promise.all(Array.from({ length: CONNECTIONS }, () => sendPart(head, half)))
    await delay(500)
    await put(server.api(neighbour), '/served', Buffer.alloc(10 * MIB, 'y'))
    const answers = await attack
    assert.ok(residentMib() - before < 256, `${residentMib() - before} MiB more than before`)
    const statuses = new Set(answers.map((answer) => answer.slice(0, 12)))
    assert.deepEqual([...statuses].toSorted(), ['HTTP/1.1 408', 'HTTP/1.1 503'])
    assert.ok(answers.every((answer) => /408/.test(answer.slice(0, 12)) || /\r\nRetry-After: 1\r\n/.test(answer)))
    // The memory that they held is free again.
    await put(server.api(key), '/after', Buffer.alloc(10 * MIB, 'z'))
  })

  it('share their limit with long answers that are not read, while another workspace reads one', async function () {
    // A task reads each of the pages, one after the other: seconds each on a machine that is busy.
    this.timeout(120_000)
    const html = 'x'.repeat(10 * MIB)
    const [unread, read] = [
      await put(server.api(key), '/unread', html),
      await put(server.api(neighbour), '/read', html),
    ]
    const before = residentMib()
    const lines = [`GET /api/v1/pages/${unread.id} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, '', '']
    const statuses: string[] = []
    for (let asked = 0; asked < UNREAD; asked++) {
      const socket = connect(server.port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('data', (data) => statuses.push(data.toString('latin1', 9, 12)) && socket.pause())
      socket.write(lines.join('\r\n'))
    }
    await within(90_000, () => assert.equal(statuses.length, UNREAD))
    assert.deepEqual([...new Set(statuses)].toSorted(), ['200', '503'])
    assert.ok(residentMib() - before < 256, `${residentMib() - before} MiB more than before`)
    const bearer = (one: string) => ({ headers: { Authorization: `Bearer ${one}` } })
    const other = await fetch(`${server.origin}/api/v1/pages/${read.id}`, bearer(neighbour))
    assert.equal((await other.arrayBuffer()).byteLength > html.length, true)
    for (const socket of sockets.splice(0)) socket.destroy()
    await within(PATIENCE_MS, async () => {
      const again = await fetch(`${server.origin}/api/v1/pages/${unread.id}`, bearer(key))
      assert.equal(again.status, 200)
      await again.arrayBuffer()
    })
  })

  it('cost little time and memory in chunks of one byte, which are refused before many arrive', async () => {
    const before = residentMib()
    const head = [putHead(key, '/dripped'), 'Content-Type: text/html', 'Transfer-Encoding: chunked'].join('\r\n')
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(MIB))
    assert.match(await sendPart(head, chunks), /^HTTP\/1\.1 400 .*"invalid_body"/s)
    assert.ok(residentMib() - before < 100, `${residentMib() - before} MiB more than before`)
  })
})
