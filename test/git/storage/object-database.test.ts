import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { ObjectCorrupt, ObjectMissing } from '../../../src/git/objects/errors.js'
import { type NewObject, newObject } from '../../../src/git/objects/object.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { encodePack, installPack } from '../../../src/git/storage/pack-writer.js'
import { git } from '../../support/git.js'
import { gitOid, gitWithInput, withBareGit } from '../scratch-repository.js'

/** Every object git knows of: oid, type and size. */
function listObjects(gitdir: string) {
  const lines = git(gitdir, 'cat-file', '--batch-all-objects', '--batch-check').split('\n')
  return lines.map((line) => {
    const [oid = '', type, size] = line.split(' ')
    return { oid, type, size: Number(size) }
  })
}

/** All that git says of every object, in one go: `<oid> <type> <size>\n<content>\n`. */
function dumpWithGit(gitdir: string, oids: string[]): Buffer {
  return gitWithInput(gitdir, `${oids.join('\n')}\n`, 'cat-file', '--batch')
}

function dumpWithOurs(odb: ObjectDatabase, oids: string[]): Buffer {
  return Buffer.concat(
    oids.flatMap((oid) => {
      const { type, content } = odb.read(oid)
      return [Buffer.from(`${oid} ${type} ${content.length}\n`), content, Buffer.from('\n')]
    }),
  )
}

/** A history whose objects make long chains of deltas, loose until something packs them. */
function fillWithHistory(gitdir: string, commits: number): string {
  const stream: string[] = []
  let text = Array.from({ length: 200 }, (_, i) => `<p>Line ${i} of the page, with some words in it.</p>\n`)
  for (let i = 0; i < commits; i++) {
    text = text.with(i % 200, `<p>Line ${i % 200}, changed in revision ${i}.</p>\n`)
    const page = text.join('')
    const message = `Revision ${i}`
    stream.push(
      `commit refs/heads/main\ncommitter Olga <o@example.org> ${1_700_000_000 + i} +0000\ndata ${message.length}\n${message}\n`,
      `M 100644 inline page.html\ndata ${page.length}\n${page}\n`,
      `M 100644 inline docs/${i % 40}.html\ndata ${message.length}\n${message}\n`,
    )
  }
  gitWithInput(gitdir, stream.join(''), '-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet')
  return git(gitdir, 'rev-parse', 'main')
}

function packFiles(gitdir: string, ending = '.pack'): string[] {
  const folder = join(gitdir, 'objects', 'pack')
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}

const loosePath = (gitdir: string, oid: string) => join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))

function writeLoose(gitdir: string, { oid, type, content }: NewObject): string {
  const path = loosePath(gitdir, oid)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])))
  return path
}

describe('the object database', () => {
  for (const [how, pack] of [
    ['loose', []],
    ['packed in long chains of deltas', [['repack', '-adfq', '--depth=50', '--window=30']]],
    ['packed in chains of deltas by id', [['-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq', '--depth=50']]],
    ['in several packs of limited size', [['-c', 'pack.packSizeLimit=1m', 'repack', '-adfq']]],
    ['with an index that uses 64-bit offsets', [['-c', 'pack.indexVersion=2', 'repack', '-adfq']]],
  ] as [string, string[][]][]) {
    it(`reads every object as git does, ${how}`, () => {
      withBareGit((gitdir) => {
        fillWithHistory(gitdir, 120)
        git(gitdir, 'tag', '-a', 'v1', '-m', 'A tag', 'main')
        for (const args of pack) git(gitdir, ...args)
        if (how.includes('64-bit')) {
          const [path = ''] = packFiles(gitdir)
          chmodSync(path.replace('.pack', '.idx'), 0o644)
          git(gitdir, 'index-pack', '--index-version=2,0x40', path)
        }
        const objects = listObjects(gitdir)
        assert.ok(objects.length > 300)
        const odb = new ObjectDatabase(gitdir)
        // Headers first: nothing is in the cache yet.
        assert.deepEqual(
          objects.map(({ oid }) => ({ oid, ...odb.readHeader(oid) })),
          objects,
        )
        const oids = objects.map(({ oid }) => oid)
        assert.deepEqual(dumpWithOurs(odb, oids), dumpWithGit(gitdir, oids))
        odb.close()
        assert.deepEqual(odb.readTree(git(gitdir, 'rev-parse', 'main^{tree}')).length > 0, true)
        odb.close()
      })
    })
  }

  it('says which object is missing, or has another type', () => {
    withBareGit((gitdir) => {
      const odb = new ObjectDatabase(gitdir)
      const blob = gitOid(gitdir, 'x', 'hash-object', '-w', '--stdin')
      assert.ok(odb.has(blob))
      assert.ok(!odb.has('0'.repeat(40)))
      assert.throws(() => odb.read('0'.repeat(40)), ObjectMissing)
      assert.throws(() => odb.readHeader('0'.repeat(40)), ObjectMissing)
      assert.throws(() => odb.readCommit(blob), ObjectCorrupt)
      assert.throws(() => odb.readTree(blob), ObjectCorrupt)
      odb.close()
    })
  })

  it('sees at once the objects that others write, loose or packed', () => {
    withBareGit((gitdir) => {
      const odb = new ObjectDatabase(gitdir)
      for (let i = 0; i < 5; i++) {
        const object = newObject('blob', Buffer.from(`packed ${i}`))
        assert.ok(!odb.has(object.oid))
        installPack(gitdir, encodePack([object])).release()
        assert.deepEqual(odb.readBlob(object.oid), object.content)
        const loose = gitOid(gitdir, `loose ${i}`, 'hash-object', '-w', '--stdin')
        assert.equal(odb.readBlob(loose).toString(), `loose ${i}`)
      }
      odb.close()
    })
  })

  it('does not borrow from alternates', () => {
    withBareGit((lender) => {
      const blob = gitOid(lender, 'borrowed', 'hash-object', '-w', '--stdin')
      withBareGit((gitdir) => {
        writeFileSync(join(gitdir, 'objects', 'info', 'alternates'), `${join(lender, 'objects')}\n`)
        assert.equal(git(gitdir, 'cat-file', 'blob', blob), 'borrowed')
        assert.ok(!new ObjectDatabase(gitdir).has(blob))
      })
    })
  })

  it('answers from its cache for new objects, and keeps no blob above a mebibyte', () => {
    withBareGit((gitdir) => {
      const odb = new ObjectDatabase(gitdir)
      const small = newObject('blob', Buffer.alloc(1000, 'a'))
      const big = newObject('blob', Buffer.alloc(1024 * 1024 + 1, 'b'))
      odb.remember([small, big])
      assert.equal(odb.read(small.oid).content, small.content)
      assert.throws(() => odb.read(big.oid), ObjectMissing)
      odb.close()
      assert.throws(() => odb.read(small.oid), ObjectMissing)
    })
  })

  it('keeps no more memory than the bytes of small objects', () => {
    withBareGit((gitdir) => {
      const texts = Array.from({ length: 20 }, (_, at) => newObject('blob', Buffer.alloc(2_000, at)))
      installPack(gitdir, encodePack(texts)).release()
      const odb = new ObjectDatabase(gitdir)
      for (const { oid, content } of texts) {
        odb.read(oid)
        const kept = odb.read(oid).content
        assert.deepEqual(kept, content)
        assert.ok(kept.buffer.byteLength < 3_000, `${kept.buffer.byteLength} bytes`)
      }
      odb.remember([newObject('blob', Buffer.from('a small text'))])
      assert.ok(odb.read(newObject('blob', Buffer.from('a small text')).oid).content.buffer.byteLength < 300)
      odb.close()
    })
  })

  it('keeps no object in its cache of which a newer version was just stored', () => {
    withBareGit((gitdir) => {
      const odb = new ObjectDatabase(gitdir)
      const page = newObject('blob', Buffer.from('older'))
      const newer = newObject('blob', Buffer.from('newer'), page.oid)
      odb.remember([page])
      odb.remember([newer])
      assert.deepEqual(odb.read(newer.oid).content, newer.content)
      assert.throws(() => odb.read(page.oid), ObjectMissing)
      odb.close()
    })
  })

  it('tells beforehand how many bytes it reads, builds a delta of and hashes, and gives up a read that is refused', () => {
    withBareGit((gitdir) => {
      const other = newObject('blob', randomBytes(20_000))
      const older = newObject('blob', randomBytes(20_000))
      const newer = newObject('blob', Buffer.concat([older.content, Buffer.from('and more')]))
      installPack(gitdir, encodePack([older, { ...newer, previous: older.oid }])).release()
      installPack(gitdir, encodePack([other])).release()
      const refusal = new Error('too much')
      let [spent, limit] = [0, Number.POSITIVE_INFINITY]
      const spend = (bytes: number) => {
        if ((spent += bytes) > limit) throw refusal
      }
      const odb = new ObjectDatabase(gitdir, { budget: { spend } })
      odb.readHeader(other.oid)
      spent = 0
      odb.read(other.oid)
      assert.ok(spent >= 20_000 && spent < 30_000, `${spent}`)
      odb.read(other.oid)
      assert.ok(spent < 30_000, 'the second time it is in memory')
      ;[spent, limit] = [0, 30_000]
      assert.throws(() => odb.read(older.oid), refusal)
      limit = Number.POSITIVE_INFINITY
      assert.ok(odb.readBlob(older.oid).equals(older.content))
      odb.close()
    })
  })

  it('finds an object in the newest of many packs without looking into the others', () => {
    withBareGit((gitdir) => {
      const blobs = Array.from({ length: 20 }, (_, i) => newObject('blob', Buffer.from(`page ${i}`)))
      for (const [i, blob] of blobs.entries()) {
        const { id, ...rest } = encodePack([blob])
        installPack(gitdir, { id, ...rest }).release()
        utimesSync(join(gitdir, 'objects', 'pack', `pack-${id}.idx`), 0, 1_790_000_000 + i)
      }
      let steps = 0
      const odb = new ObjectDatabase(gitdir, { budget: { spend: () => void steps++ } })
      assert.equal(odb.readBlob(blobs.at(-1)!.oid).toString(), 'page 19')
      // One for the index, one for the object.
      assert.equal(steps, 2)
      assert.equal(odb.readBlob(blobs[0]!.oid).toString(), 'page 0')
      assert.equal(steps, 22)
      odb.close()
    })
  })
})

describe("a reader during an operator's work", () => {
  it('finds every object while the repository is repacked and collected', () => {
    withBareGit((gitdir) => {
      fillWithHistory(gitdir, 60)
      const oids = listObjects(gitdir).map(({ oid }) => oid)
      const expected = dumpWithGit(gitdir, oids)
      // No cache, so that each read goes to the disk.
      const odb = new ObjectDatabase(gitdir, { cacheBytes: 1 })
      for (const args of [
        ['repack', '-adq'],
        ['repack', '-adfq', '--depth=10', '--window=5'],
        ['gc', '--quiet', '--prune=now'],
        ['-c', 'pack.packSizeLimit=1m', 'repack', '-adfq', '--window=0'],
        ['prune-packed'],
      ]) {
        assert.deepEqual(dumpWithOurs(odb, oids), expected)
        git(gitdir, ...args)
      }
      assert.deepEqual(dumpWithOurs(odb, oids), expected)
      odb.close()
    })
  })

  it('keeps few files open, for any number of packs', () => {
    withBareGit((gitdir) => {
      const objects = Array.from({ length: 300 }, (_, i) => newObject('blob', Buffer.from(`page ${i}`)))
      for (const object of objects) installPack(gitdir, encodePack([object])).release()
      const before = openFiles()
      const odb = new ObjectDatabase(gitdir)
      for (const { oid, content } of objects) assert.deepEqual(odb.readBlob(oid), content)
      assert.ok(openFiles() - before <= 64, `${openFiles() - before} more open files`)
      odb.close()
      assert.ok(openFiles() <= before)
    })
  })
})

/** Overwrites the object's compressed bytes, wherever in the pack they are. */
function damage(pack: string, oid: string): void {
  const line = git(join(pack, '..'), 'verify-pack', '-v', pack)
    .split('\n')
    .find((text) => text.startsWith(oid))
  const [, , , length, offset] = (line ?? '').split(/\s+/).map(Number)
  assert.ok(length !== undefined && offset !== undefined)
  const bytes = readFileSync(pack)
  bytes.fill(0x55, offset + 4, offset + length)
  writeFileSync(pack, bytes)
}

function openFiles(): number {
  return readdirSync('/dev/fd').length
}

describe('a damaged object', () => {
  const page = newObject('blob', Buffer.from('<h1>A page</h1>\n'.repeat(50)))

  it('is corrupt when its loose file is cut short, and is read from a pack once it is published again', () => {
    withBareGit((gitdir) => {
      const path = writeLoose(gitdir, page)
      for (const length of [0, 1, 10, readFileSync(path).length - 1]) {
        writeLoose(gitdir, page)
        truncateSync(path, length)
        assert.throws(() => new ObjectDatabase(gitdir).read(page.oid), ObjectCorrupt, `cut to ${length} bytes`)
      }
      installPack(gitdir, encodePack([page])).release()
      assert.deepEqual(new ObjectDatabase(gitdir).readBlob(page.oid), page.content)
    })
  })

  it('is corrupt if it has the bytes of another', () => {
    withBareGit((gitdir) => {
      const other = newObject('blob', Buffer.from('other'))
      writeLoose(gitdir, { ...other, oid: page.oid })
      assert.throws(() => new ObjectDatabase(gitdir).read(page.oid), ObjectCorrupt)
    })
  })

  it('is read from another pack that has it undamaged', () => {
    withBareGit((gitdir) => {
      const neighbour = newObject('blob', randomBytes(2000))
      installPack(gitdir, encodePack([page, neighbour])).release()
      const [first = ''] = packFiles(gitdir)
      damage(first, page.oid)
      const odb = new ObjectDatabase(gitdir)
      assert.throws(() => odb.read(page.oid), ObjectCorrupt)
      assert.deepEqual(odb.readBlob(neighbour.oid), neighbour.content)

      installPack(gitdir, encodePack([page])).release()
      assert.deepEqual(odb.readBlob(page.oid), page.content)
      odb.close()
    })
  })

  it('is read from another copy if its wrong bytes have a right checksum', () => {
    withBareGit((gitdir) => {
      installPack(gitdir, encodePack([{ ...newObject('blob', Buffer.from('forged')), oid: page.oid }])).release()
      assert.throws(() => new ObjectDatabase(gitdir).read(page.oid), ObjectCorrupt)
      writeLoose(gitdir, page)
      assert.deepEqual(new ObjectDatabase(gitdir).readBlob(page.oid), page.content)
    })
  })

  it('does not affect objects elsewhere if its pack is cut short or the index is damaged', () => {
    withBareGit((gitdir) => {
      const other = newObject('blob', Buffer.from('elsewhere'))
      installPack(gitdir, encodePack([page])).release()
      const [damaged = ''] = packFiles(gitdir)
      installPack(gitdir, encodePack([other])).release()
      truncateSync(damaged, 30)
      const odb = new ObjectDatabase(gitdir)
      assert.throws(() => odb.read(page.oid), ObjectCorrupt)
      assert.deepEqual(odb.readBlob(other.oid), other.content)
      odb.close()

      truncateSync(damaged.replace('.pack', '.idx'), 500)
      const again = new ObjectDatabase(gitdir)
      assert.throws(() => again.read(page.oid))
      assert.deepEqual(again.readBlob(other.oid), other.content)
      again.close()
    })
  })

  it('never inflates past the size that it claims', () => {
    withBareGit((gitdir) => {
      const bomb = Buffer.concat([Buffer.from('blob 10\0'), Buffer.alloc(64 * 1024 * 1024)])
      const path = writeLoose(gitdir, page)
      writeFileSync(path, deflateSync(bomb, { level: 9 }))
      const before = process.memoryUsage().rss
      assert.throws(() => new ObjectDatabase(gitdir).read(page.oid), ObjectCorrupt)
      assert.ok(process.memoryUsage().rss - before < 32 * 1024 * 1024)
    })
  })

  it('is rejected if it claims more bytes than its file can hold', () => {
    withBareGit((gitdir) => {
      writeFileSync(writeLoose(gitdir, page), deflateSync(Buffer.from('blob 900000000000000\0')))
      assert.throws(() => new ObjectDatabase(gitdir).readHeader(page.oid), ObjectCorrupt)
    })
    withBareGit((gitdir) => {
      installPack(gitdir, encodePack([page])).release()
      const [path = ''] = packFiles(gitdir)
      const bytes = readFileSync(path)
      // After the pack's header of 12 bytes: a blob, with an endless size.
      bytes.fill(0xbf, 12, 18)
      chmodSync(path, 0o644)
      writeFileSync(path, bytes)
      assert.throws(() => new ObjectDatabase(gitdir).readHeader(page.oid), ObjectCorrupt)
    })
  })

  it('is missing if the folder of packs is gone', () => {
    withBareGit((gitdir) => {
      rmSync(join(gitdir, 'objects', 'pack'), { recursive: true })
      assert.ok(!existsSync(join(gitdir, 'objects', 'pack')))
      assert.ok(!new ObjectDatabase(gitdir).has(page.oid))
      writeLoose(gitdir, page)
      assert.ok(new ObjectDatabase(gitdir).has(page.oid))
    })
  })
})
