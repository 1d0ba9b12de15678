import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'mocha'
import { brotliDecompressSync } from 'node:zlib'
import { Hosting } from '../hosting.js'

const MEBIBYTE = 1024 * 1024
/** Reads other than those of a blob: the pack's header and index, modules of threads, and proc(5) itself. A blob is twice as much. */
const NOISE_BYTES = MEBIBYTE / 2
const CROWD = 40

describe('a visit of a page that is not in memory', () => {
  const hosting = new Hosting({ cacheBytes: 16 * MEBIBYTE })
  /** Pages that cannot be compressed, so that a reader of one reads as many bytes of the pack. */
  const pages = Object.fromEntries(
    ['/first', '/crowd', '/kept', '/hot', '/asked'].map((path) => [path, randomBytes(MEBIBYTE)]),
  )
  const words = 'Words that compress well, and many of them.\n'.repeat(20_000)

  before(async () => {
    const files = Object.entries(pages).map(([path, body]) => [`${path.slice(1)}.html`, body] as const)
    await hosting.createSite('demo', {
      ...Object.fromEntries(files),
      'text.html': words,
      '404.html': 'lost',
    })
    hosting.git('demo', ['repack', '-adq'])
    await hosting.start()
    // The head is known, and its tree; the thread that reads large files is started, which reads its own modules.
    await ask('/first')
  })
  after(() => hosting.stop())

  /** One request on a connection of its own. */
  async function ask(target: string, fields = ''): Promise<{ status: number; body: Buffer; bytes: number }> {
    const socket = hosting.connect()
    socket.write(`GET ${target} HTTP/1.1\r\nHost: demo.site.test\r\n${fields}Connection: close\r\n\r\n`)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const answer = Buffer.concat(chunks)
    const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
    return { status: Number(answer.toString('latin1', 9, 12)), body, bytes: socket.bytesRead + socket.bytesWritten }
  }

  /** Requests all at once on one connection. */
  async function askAll(targets: readonly string[]): Promise<{ text: string; bytes: number }> {
    const socket = hosting.connect()
    const heads = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: demo.site.test\r\n`)
    socket.write(`${heads.join('\r\n')}Connection: close\r\n\r\n`)
    let text = ''
    for await (const chunk of socket.setEncoding('latin1')) text += chunk as string
    return { text, bytes: socket.bytesRead + socket.bytesWritten }
  }

  /** Bytes that the process read from files while the work was done; what its sockets read, on either side, is known. */
  async function readFromFiles(work: () => Promise<{ bytes: number }[]>): Promise<number> {
    const soFar = bytesReadSoFar()
    const answers = await work()
    return bytesReadSoFar() - soFar - answers.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  const crowd = (target: string, fields?: string) =>
    Promise.all(Array.from({ length: CROWD }, () => ask(target, fields)))

  it('reads a page once for all visitors at the same time', async () => {
    const read = await readFromFiles(async () => {
      const answers = await crowd('/crowd')
      for (const { status, body } of answers) assert.ok(status === 200 && body.equals(pages['/crowd']!))
      return answers
    })
    assert.ok(read >= MEBIBYTE && read < MEBIBYTE + NOISE_BYTES, `${read} bytes`)
  })

  it('reads nothing for a visitor who has the page', async () => {
    const body = pages['/kept']!
    const oid = createHash('sha1').update(`blob ${body.length}\0`).update(body).digest('hex')
    const read = await readFromFiles(async () => {
      const answers = await crowd('/kept', `If-None-Match: "${oid}"\r\n`)
      for (const { status } of answers) assert.equal(status, 304)
      return answers
    })
    assert.ok(read < NOISE_BYTES, `${read} bytes`)
  })

  it('reads nothing for a missing page, and keeps earlier pages in memory', async () => {
    await ask('/hot')
    const read = await readFromFiles(async () => {
      const floods: { bytes: number }[] = []
      for (let first = 0; first < 600; first += 50) {
        const targets = Array.from({ length: 50 }, (_, at) => `/none/${'x'.repeat(at % 50)}/${first + at}?${at}`)
        const flood = await askAll(targets)
        assert.equal(flood.text.match(/HTTP\/1\.1 404 /g)?.length, targets.length)
        floods.push(flood)
      }
      const hot = await ask('/hot')
      assert.ok(hot.body.equals(pages['/hot']!))
      return [...floods, hot]
    })
    assert.ok(read < NOISE_BYTES, `${read} bytes`)
  })

  it('compresses a page once for all visitors at the same time', async () => {
    const answers = await crowd('/text', 'Accept-Encoding: br\r\n')
    const [first] = answers
    assert.equal(brotliDecompressSync(first!.body).toString(), words)
    for (const { body } of answers) assert.ok(body.equals(first!.body))
  })
})

/** Returns the bytes that this process has read from files and sockets (proc(5)). */
function bytesReadSoFar(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}
