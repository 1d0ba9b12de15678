import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CLIENT_ADDRESS } from '../../src/forwarding/inner-fields.js'
import { sendRaw } from '../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { git } from '../support/git.js'

const MAX_FIELDS = 1000
const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'
const ANSWERED = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`
/** As the worker adds them. */
const ADDED = `Connection: keep-alive\r\n${CLIENT_ADDRESS}: 127.0.0.1\r\n`

describe("a request that is hidden in another client's", () => {
  let dataDir: string
  let server: ServeProcess
  let key: string

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-smuggling-'))
    server = await serve({ dataDir, env: { WORKERS: '1', LOG_LEVEL: 'info' } })
    key = await makeKey(dataDir, 'write')
  })
  after(async () => {
    await endProcesses()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Publishes a file, as bytes on a connection of its own. */
  const putFile = (path: string) =>
    sendRaw(
      server.port,
      `PUT /api/v1/files?path=${path} HTTP/1.1\r\n${HOST}${CLOSE}Authorization: Bearer ${key}\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nmine`,
    )

  const whoAmI = (more: string) => `GET /api/v1/me HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\n${more}\r\n`

  /**
   * Has the first process take the head of the second request for the body of the first, its body for a request that is answered and
   * one that goes on with the bytes of whoever comes next.
   */
  async function hide(begun: string): Promise<number> {
    const body = ANSWERED + begun
    const fields = `${HOST}Content-Length: ${body.length}\r\n`
    const skipped = `POST /healthz HTTP/1.1\r\n${fields}${ADDED}\r\n`.length
    const many = 'a:b\r\n'.repeat(MAX_FIELDS)
    const first = await sendRaw(
      server.port,
      `GET /healthz HTTP/1.1\r\n${HOST}${CLOSE}${many}Content-Length: ${skipped}\r\n\r\n${'x'.repeat(skipped)}`,
    )
    await sendRaw(server.port, `POST /healthz HTTP/1.1\r\n${CLOSE}${fields}\r\n${body}`)
    return first.status
  }

  const filesOf = () => git(join(dataDir, 'demo.git'), 'ls-tree', '-r', '--name-only', 'main')

  it('is not carried out with the key of that client', async () => {
    assert.equal((await putFile('/precious.txt')).status, 201)
    const first = await hide(`DELETE /api/v1/files?path=/precious.txt HTTP/1.1\r\nX-Ignored: `)
    const { status, text } = await sendRaw(server.port, whoAmI(CLOSE))
    assert.match(filesOf(), /^precious\.txt$/m)
    assert.equal(first, 431)
    assert.equal(status, 200)
    assert.match(text, /"scopes"/)
  })

  it('does not store the key of that client', async () => {
    const own = await makeKey(dataDir, 'write')
    const first = await hide(
      `PUT /api/v1/files?path=/stolen.txt HTTP/1.1\r\n${HOST}Authorization: Bearer ${own}\r\nContent-Type: text/plain\r\nContent-Length: ${whoAmI(ADDED).length}\r\n\r\n`,
    )
    const { status, text } = await sendRaw(server.port, whoAmI(CLOSE))
    assert.doesNotMatch(filesOf(), /^stolen\.txt$/m)
    assert.equal(first, 431)
    assert.equal(status, 200)
    assert.match(text, /"scopes"/)
  })

  it('comes from a client whose address is known, however many fields it may send', async () => {
    const ask = (fields: number) =>
      sendRaw(
        server.port,
        `GET /api/v1/pages?fields=${fields} HTTP/1.1\r\n${HOST}${CLOSE}${'a:b\r\n'.repeat(fields - 2)}\r\n`,
      )
    assert.equal((await ask(MAX_FIELDS + 1)).status, 431)
    assert.equal((await ask(MAX_FIELDS)).status, 401)
    const lines = () =>
      server
        .logged()
        .split('\n')
        .filter((line) => line.includes('"path":"/api/v1/pages"'))
    // A line comes a moment after the answer.
    while (lines().length === 0) await pause(10)
    assert.deepEqual(
      lines().map((line) => (JSON.parse(line) as { client: string }).client),
      ['127.0.0.1'],
    )
  })
})
