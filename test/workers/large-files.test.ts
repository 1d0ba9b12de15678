import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENCE_MS, within } from '../support/within.js'
import { endProcesses, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { git } from '../support/git.js'
import { listProcesses } from '../programs/processes.js'
import { aWorkerOf, visitAnew } from './fresh-connection.js'

const LARGE_BYTES = 24 * 1024 * 1024

describe('a large file that git has deflated', () => {
  let folder: string
  let server: ServeProcess
  let visitor: Socket

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-large-files-'))
    const dataDir = join(folder, 'data')
    server = await serve({ dataDir, env: { WORKERS: '1' } })
    const clone = join(folder, 'clone')
    git(folder, 'clone', '--quiet', join(dataDir, 'demo.git'), clone)
    writeFileSync(join(clone, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'x'))
    git(clone, 'add', '.')
    git(clone, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'Add a large file')
    git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
  })
  afterEach(() => void visitor?.destroy())
  after(async () => {
    await endProcesses()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  /** Of git processes that read the file, the processes that began them. */
  function parents(): number[] {
    const readers = listProcesses().filter(
      ({ command }) => command.includes(join(folder, 'data')) && command.includes('cat-file blob'),
    )
    return readers.map(({ parent }) => parent)
  }

  /** Reads the first bytes of the file, and no more. */
  async function beginVisit(): Promise<void> {
    visitor = connect(server.port, '127.0.0.1')
    visitor.write('GET /large.bin HTTP/1.1\r\nHost: demo.localhost\r\n\r\n')
    const [bytes] = (await once(visitor, 'data')) as [Buffer]
    visitor.pause()
    assert.match(bytes.toString('latin1', 0, 20), /^HTTP\/1\.1 200 /)
  }

  it('has its bytes', async () => {
    const { status, body } = await visitAnew(server.port, 'demo', '/large.bin')
    assert.equal(status, 200)
    assert.equal(body, 'x'.repeat(LARGE_BYTES))
  })

  it('is read by a program that the process of the visitors does not start itself, and that ends with the visit', async () => {
    await beginVisit()
    const worker = aWorkerOf(server.pid)
    assert.deepEqual(
      parents().map((parent) => parent !== worker),
      [true],
    )
    visitor.destroy()
    await within(PATIENCE_MS, () => assert.deepEqual(parents(), []))
  })

  it('is read no more where that process is killed, and again by the next one', async () => {
    await beginVisit()
    process.kill(aWorkerOf(server.pid), 'SIGKILL')
    await within(PATIENCE_MS, () => assert.deepEqual(parents(), []))
    await within(PATIENCE_MS, async () => {
      const { body } = await visitAnew(server.port, 'demo', '/large.bin')
      assert.equal(body.length, LARGE_BYTES)
    })
  })
})
