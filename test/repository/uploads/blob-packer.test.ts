import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WrongBlob } from '../../../src/git/streams/pack-stream.js'
import { ServiceError } from '../../../src/model/errors.js'
import { BlobPacker } from '../../../src/repository/uploads/blob-packer.js'
import { git } from '../../support/git.js'

const oidOf = (bytes: Buffer) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

async function* inChunks(bytes: Buffer, chunk: number, fault?: Error): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  if (fault !== undefined) throw fault
}

describe('a pack of a large blob, made in a thread', () => {
  let folder: string
  let packer: BlobPacker
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-blobs-'))
    packer = new BlobPacker()
  })
  after(async () => {
    await packer.close()
    rmSync(folder, { recursive: true })
  })

  it('is verified by git, for any chunks, also when several are made at once', async () => {
    const sizes = [1_048_577, 2 * 1_048_576, 9_500_000]
    const blobs = sizes.map((size) => randomBytes(size))
    const packed = await Promise.all(
      blobs.map(async (bytes, at) => {
        const blob = { folder, name: `p${at}`, size: bytes.length }
        return await packer.pack(blob, inChunks(bytes, [1_000_000, 65_536, 3_000_000][at] ?? 1))
      }),
    )
    for (const [at, { oid, pack }] of packed.entries()) {
      assert.equal(oid, oidOf(blobs[at] ?? Buffer.alloc(0)))
      assert.match(git(folder, 'verify-pack', '--verbose', `${pack.path}.idx`), new RegExp(`^${oid} blob`, 'm'))
    }
    for (const { pack } of packed) for (const ending of ['pack', 'idx']) rmSync(`${pack.path}.${ending}`)
  })

  it('is not left behind if its bytes are wrong, or their source or the disk fails', async () => {
    const bytes = Buffer.alloc(3_000_000, 7)
    const blob = { folder, name: 'wrong', size: bytes.length }
    const wrong = (reason: string) => (error: unknown) => error instanceof WrongBlob && error.reason === reason
    await assert.rejects(packer.pack({ ...blob, size: bytes.length + 1 }, inChunks(bytes, 100_000)), wrong('size'))
    await assert.rejects(packer.pack({ ...blob, size: 2_000_000 }, inChunks(bytes, 100_000)), wrong('size'))
    await assert.rejects(packer.pack({ ...blob, oid: '0'.repeat(40) }, inChunks(bytes, 100_000)), wrong('oid'))
    const fault = new Error('the client left')
    await assert.rejects(packer.pack({ ...blob, size: 9_000_000 }, inChunks(bytes, 100_000, fault)), fault)
    await assert.rejects(packer.pack(blob, inChunks(bytes, 100_000, fault)), fault)
    const nowhere = { ...blob, folder: join(folder, 'nowhere') }
    await assert.rejects(packer.pack(nowhere, inChunks(bytes, 100_000)), (error) => error instanceof ServiceError)
    assert.deepEqual(readdirSync(folder), [])
    const { oid } = await packer.pack(blob, inChunks(bytes, 100_000))
    assert.equal(oid, oidOf(bytes))
  })
})
