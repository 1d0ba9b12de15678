import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { PackStream, WrongBlob, writeBlobPack } from '../../../src/git/streams/pack-stream.js'
import { StoredBlocks } from '../../../src/git/storage/stored-blocks.js'
import { Pack } from '../../../src/git/storage/pack.js'
import { git } from '../../support/git.js'

async function* inChunks(bytes: Buffer, chunk = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
}

const oidOf = (bytes: Buffer) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

describe('a pack written from streams', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-pack-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is verified by git, with small blobs deflated and large ones stored', async () => {
    const blobs = [Buffer.from('a'.repeat(5000)), Buffer.alloc(0), Buffer.alloc(3_000_000, 'xyz'), Buffer.from('b')]
    const stream = await PackStream.create(join(folder, 'p'))
    for (const blob of blobs) assert.equal(await stream.add(inChunks(blob), blob.length), oidOf(blob))
    const pack = await stream.finish()
    git(folder, 'verify-pack', `${pack.path}.idx`)
    const read = new Pack(folder, 'p')
    for (const blob of blobs) {
      const offset = read.find(Buffer.from(oidOf(blob), 'hex'))
      assert.ok(offset !== undefined)
      assert.ok(read.read(offset, () => assert.fail('there are no deltas')).content.equals(blob))
    }
    read.close()
    assert.ok(pack.bytes > 3_000_000 && pack.bytes < 3_001_000, `${pack.bytes}`)
  })

  it('is not left behind if a blob has another size or another id', async () => {
    const bytes = Buffer.alloc(2_000_000, 7)
    for (const [size, oid, reason] of [
      [bytes.length - 1, undefined, 'size'],
      [bytes.length + 1, undefined, 'size'],
      [bytes.length, '0'.repeat(40), 'oid'],
    ] as const) {
      await assert.rejects(
        writeBlobPack(folder, 'p', inChunks(bytes), size, oid),
        (error) => error instanceof WrongBlob && error.reason === reason,
      )
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  it('stores bytes in a stream that zlib inflates to the same, for any chunks', () => {
    const check = (size: number, chunk: number) => {
      const bytes = Buffer.alloc(size, (size % 251) + 1)
      const blocks = new StoredBlocks(size)
      const parts = blocks.begin()
      for (let at = 0; at < size; at += chunk) parts.push(...blocks.push(bytes.subarray(at, at + chunk)))
      assert.ok(inflateSync(Buffer.concat([...parts, ...blocks.end()])).equals(bytes))
    }
    for (const size of [0, 1, 65_534, 65_535, 65_536, 131_070, 131_071]) check(size, 65_535)
    fc.assert(fc.property(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 1, max: 200_000 }), check), {
      numRuns: 50,
    })
  })
})
