import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ObjectCorrupt } from '../../../src/git/objects/errors.js'
import { checkLargeBlob, readLargeBlob } from '../../../src/git/storage/large-blob.js'
import { flipByteOf } from '../../support/damage.js'
import { git } from '../../support/git.js'
import { installStoredBlob, peakMibOfChildren } from '../git-memory.js'
import { gitOid, withBareGit } from '../scratch-repository.js'

const SIZE = 300_000
const LARGE_BYTES = 64 * 1024 * 1024
const MAX_GIT_MIB = 40

describe('a large blob', () => {
  const bytes = randomBytes(SIZE)
  const store = (gitdir: string) => gitOid(gitdir, bytes, 'hash-object', '-w', '--stdin')

  /** Reads until the first bytes are there, and no further. */
  async function begin(gitdir: string, oid: string): Promise<void> {
    for await (const _ of readLargeBlob({ gitdir, oid, size: SIZE })) break
  }

  it('is read to its end, or as far as the reader wants', async () => {
    await withBareGit(async (gitdir) => {
      const oid = store(gitdir)
      assert.ok((await buffer(readLargeBlob({ gitdir, oid, size: SIZE }))).equals(bytes))
      for await (const piece of readLargeBlob({ gitdir, oid, size: SIZE })) {
        assert.ok(piece.length < SIZE && piece.equals(bytes.subarray(0, piece.length)))
        break
      }
    })
  })

  for (const form of ['loose', 'packed']) {
    it(`gives no byte if one byte is wrong, ${form}`, async () => {
      await withBareGit(async (gitdir) => {
        const oid = store(gitdir)
        if (form === 'packed') {
          gitOid(gitdir, `${oid}\n`, 'pack-objects', '-q', '--compression=0', 'objects/pack/pack')
          git(gitdir, 'prune-packed')
        }
        flipByteOf(gitdir, oid)
        await assert.rejects(begin(gitdir, oid), ObjectCorrupt)
      })
    })
  }

  it('fails if it is damaged after its check, and gives no byte from then on', async () => {
    await withBareGit(async (gitdir) => {
      const oid = store(gitdir)
      await begin(gitdir, oid)
      flipByteOf(gitdir, oid)
      let sent = 0
      await assert.rejects(async () => {
        for await (const piece of readLargeBlob({ gitdir, oid, size: SIZE })) sent += piece.length
      }, ObjectCorrupt)
      assert.ok(sent < SIZE)
      await assert.rejects(begin(gitdir, oid), ObjectCorrupt)
    })
  })

  const itOnLinux = process.platform === 'linux' ? it : () => undefined
  itOnLinux('is read by git in little memory', async () => {
    await withBareGit(async (gitdir) => {
      const oid = await installStoredBlob(join(gitdir, 'objects', 'pack'), LARGE_BYTES)
      const peak = await peakMibOfChildren(() => checkLargeBlob({ gitdir, oid, size: LARGE_BYTES }))
      assert.ok(peak < MAX_GIT_MIB, `git held ${peak} MiB`)
    })
  })
})
