import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, withClone } from '../support/git.js'
import { PATIENCE_MS, within } from '../support/within.js'
import { type Page, put } from '../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'

const REQUESTS = 100
/** Far more than the bound of 64 MiB, since V8 lets garbage lie; without a bound they took 1,000 to 3,000. */
const MAX_MORE_MIB = 700
const UNREAD = 12

describe('bytes that requests produce from little input', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    // Clients here read nothing for as long as a busy machine needs.
    server = await serve({ dataDir, env: { MIN_BYTES_PER_SECOND: '0' } })
    key = await makeKey(dataDir)
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  const putLines = async (path: string, count: number, bytes: number): Promise<Page> => {
    const lines = Array.from({ length: count }, (_, line) => `${line} line ${'"'.repeat(bytes)}`)
    return await put(server.api(key), path, lines.join('\n'))
  }
  const residentMib = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

  /** Sends a dry run so many times at once; the statuses, and the most memory over that before. */
  async function dryRuns(count: number, method: string, path: string, body: object) {
    const ask = async () => {
      const answer = await fetch(`${server.origin}/api/v1${path}?dryRun=true`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'If-Match': '*' },
        body: JSON.stringify(body),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const before = residentMib()
    let most = before
    const watch = setInterval(() => (most = Math.max(most, residentMib())), 50)
    const statuses = await Promise.all(Array.from({ length: count }, ask))
    clearInterval(watch)
    return { statuses: [...new Set(statuses)].toSorted((a, b) => a - b), moreMib: most - before }
  }

  async function assertBounded(method: string, path: string, body: object): Promise<void> {
    const { statuses, moreMib } = await dryRuns(REQUESTS, method, path, body)
    assert.ok(moreMib < MAX_MORE_MIB, `${moreMib} MiB more than before`)
    assert.deepEqual(statuses, [200, 503])
    // The memory that they held is free again.
    assert.deepEqual((await dryRuns(1, method, path, body)).statuses, [200])
  }

  it('have a bound if a page is edited', async () => {
    const { id } = await putLines('/edited', 60_000, 150)
    await assertBounded('PATCH', `/pages/${id}/content`, { edits: [{ find: '59999 line', replace: '59999 row' }] })
  })

  it('have a bound if several pages are edited at once', async () => {
    const pages = [await putLines('/one', 60_000, 150), await putLines('/two', 60_000, 150)].map(({ id }) => id)
    await assertBounded('POST', '/pages/edit', { pages, edits: [{ find: '59999 line', replace: '59999 row' }] })
  })

  it('have a bound if a template makes a page', async () => {
    await withClone(join(dataDir, 'demo.git'), (folder) => {
      mkdirSync(join(folder, '.templates'))
      writeFileSync(join(folder, '.templates/long.html'), '{% for n in (1..500) %}{{ content }}{% endfor %}')
      git(folder, 'add', '.')
      git(folder, 'commit', '--quiet', '--message', 'A template')
      git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
    })
    await assertBounded('POST', '/pages', { path: '/made', templateId: 'long', html: 'x'.repeat(15_000) })
  })

  it('are not counted for HEAD, which is answered at once and closes no connection', async () => {
    const { id } = await putLines('/headed', 30_000, 150)
    const authorization = `Authorization: Bearer ${key}`
    const answers = []
    for (let asked = 0; asked < 3; asked++) {
      const answer = new UnreadAnswer(connect(server.port, '127.0.0.1'))
      answers.push(answer)
      answer.socket.write(`GET /api/v1/pages/${id} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`)
      await answer.begun
    }
    const headers = { Authorization: `Bearer ${key}` }
    const { status } = await fetch(`${server.origin}/api/v1/pages/${id}`, { method: 'HEAD', headers })
    assert.equal(status, 200)
    assert.deepEqual(await Promise.all(answers.map((answer) => answer.readWhole())), [true, true, true])
  })

  it('have a bound in unread answers: past it, further requests are refused before they begin, with Retry-After', async () => {
    const { id } = await putLines('/compared', 100, 18_000)
    const body = JSON.stringify({ edits: [{ find: 'line', replace: 'row', occurrences: 'all' }] })
    // The answer has the difference: more than the connection's buffers take.
    const head = [
      `PATCH /api/v1/pages/${id}/content?dryRun=true HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'If-Match: *',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const answers = []
    for (let asked = 0; asked < UNREAD; asked++) {
      const answer = new UnreadAnswer(connect(server.port, '127.0.0.1'))
      answers.push(answer)
      answer.socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      await answer.begun
    }
    const statuses = answers.map((answer) => answer.head.split(' ')[1])
    const refused = answers[statuses.indexOf('503')]
    assert.match(refused?.head ?? '', /\r\nRetry-After: \d/, String(statuses))
    assert.equal(await answers[0]?.readWhole(), true)
    for (const { socket } of answers) socket.destroy()
  })
})

/** An answer that is not read further once it has begun. */
class UnreadAnswer {
  readonly socket: Socket
  readonly begun: Promise<unknown>
  readonly #ended: Promise<unknown>
  head = ''
  #bytes = 0

  constructor(socket: Socket) {
    this.socket = socket
    this.#ended = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    this.begun = new Promise((resolve) => {
      socket.once('data', (data) => {
        this.head = data.toString('latin1')
        socket.pause()
        resolve(undefined)
      })
    })
    socket.on('data', ({ length }) => (this.#bytes += length))
  }

  /** Whether it comes to its end. */
  async readWhole(): Promise<boolean> {
    const length = Number(/\r\nContent-Length: (\d+)/.exec(this.head)?.[1]) + this.head.indexOf('\r\n\r\n') + 4
    assert.match(this.head, /^HTTP\/1.1 200 /)
    this.socket.resume()
    await Promise.race([this.#ended, within(PATIENCE_MS, () => assert.equal(this.#bytes, length))])
    this.socket.destroy()
    return this.#bytes === length
  }
}
