import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packBlobs, packFolderIn } from '../../../src/repository/requests/pack-blobs.js'
import { type Mounted, mountMemory } from '../../faults/ground/mount.js'
import { git } from '../../support/git.js'

const BLOB_BYTES = 3_000_000

describe('the packs of a publish', () => {
  let disk: Mounted
  let gitdir: string

  before(() => {
    disk = mountMemory('size=8M')
    gitdir = join(disk.folder, 'drafts.git')
    git(disk.folder, 'init', '--quiet', '--bare', gitdir)
  })
  after(() => disk?.unmount())

  const pack = (oid: string) => packBlobs(gitdir, [[oid, 'large.bin']], packFolderIn(gitdir))

  it('are refused as storage_full where the disk has no room, and made once it has', async () => {
    const file = join(disk.folder, 'large.bin')
    writeFileSync(file, randomBytes(BLOB_BYTES))
    const oid = git(gitdir, 'hash-object', '-w', file)
    await assert.rejects(pack(oid), { code: 'storage_full' })
    disk.remount('size=32M')
    const [made = assert.fail()] = await pack(oid)
    assert.equal(readFileSync(`${made.path}.pack`).length, made.bytes)
  })
})
