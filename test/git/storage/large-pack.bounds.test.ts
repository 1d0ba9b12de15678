import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { git } from '../../support/git.js'
import { gitWithInput, withBareGit } from '../scratch-repository.js'

const MIB = 1024 * 1024
const LARGE = 24
const SMALL = 10_000

/** One pack of 24 MiB and 10,000 objects; the oids of its blobs, the large ones first. */
function fillPack(gitdir: string): string[] {
  const blobs = [
    ...Array.from({ length: LARGE }, () => randomBytes(MIB)),
    ...Array.from({ length: SMALL }, (_, number) => Buffer.from(`small ${number}`)),
  ]
  const stream = blobs.flatMap((blob, mark) => [
    Buffer.from(`blob\nmark :${mark + 1}\noriginal-oid x\ndata ${blob.length}\n`),
    blob,
    Buffer.from('\n'),
  ])
  const asked = blobs.map((_, mark) => `get-mark :${mark + 1}\n`).join('')
  const input = Buffer.concat([...stream, Buffer.from(asked)])
  return gitWithInput(gitdir, input, 'fast-import', '--quiet', '--cat-blob-fd=1').toString().trim().split('\n')
}

describe('a large pack', () => {
  it('costs a reader only the memory of the objects that it reads, not of the pack or its index', () => {
    withBareGit((gitdir) => {
      const oids = fillPack(gitdir)
      const odb = new ObjectDatabase(gitdir, { cacheBytes: 1 })
      const before = process.memoryUsage().arrayBuffers
      const [large = ''] = oids
      assert.equal(odb.readHeader(large).size, MIB)
      for (const oid of oids.slice(-100)) assert.match(odb.readBlob(oid).toString(), /^small \d+$/)
      const spent = process.memoryUsage().arrayBuffers - before
      assert.ok(spent < 6 * MIB, `${spent} bytes were kept`)
      assert.equal(odb.readBlob(large).length, MIB)
      odb.close()
    })
  })

  it('is searched with the same result as by git, for present and missing objects', () => {
    withBareGit((gitdir) => {
      const oids = fillPack(gitdir)
      const odb = new ObjectDatabase(gitdir)
      const known = git(gitdir, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n')
      assert.equal(known.length, oids.length)
      for (const oid of known) assert.ok(odb.has(oid))
      for (const oid of known.slice(0, 500)) assert.ok(!odb.has(oid.split('').toReversed().join('')))
      odb.close()
    })
  })
})
