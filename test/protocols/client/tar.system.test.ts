import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, openAsBlob, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oidOf } from '../../../src/protocols/client/client.js'
import { tarOf } from '../../../src/protocols/client/tar.js'

const SIZES = [0, 1, 511, 512, 513, 10_000]

describe('the tar of a deploy', () => {
  let folder: string
  let tar: Blob
  const contents = new Map<string, Buffer>()

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-tar-'))
    const blobs: { oid: string; bytes: Blob }[] = []
    for (const size of SIZES) {
      const content = randomBytes(size)
      const oid = await oidOf(new Blob([content]))
      contents.set(oid, content)
      const file = join(folder, `${size}.bin`)
      writeFileSync(file, content)
      blobs.push({ oid, bytes: await openAsBlob(file) })
    }
    tar = await tarOf(blobs)
    for (const size of SIZES) rmSync(join(folder, `${size}.bin`))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('can be read by tar, byte for byte', async () => {
    const input = Buffer.from(await tar.arrayBuffer())
    execFileSync('tar', ['-x', '-f', '-', '-C', folder], { input })
    assert.deepEqual(readdirSync(folder).toSorted(), [...contents.keys()].toSorted())
    for (const [oid, content] of contents)
      assert.ok(readFileSync(join(folder, oid)).equals(content), `${content.length}`)
  })

  it('is sent in one piece, for any number of files', async () => {
    let pieces = 0
    for await (const piece of tar.stream() as unknown as AsyncIterable<Uint8Array>) pieces += Number(piece.length > 0)
    assert.equal(pieces, 1)
  })
})
