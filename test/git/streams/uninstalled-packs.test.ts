import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ObjectCorrupt, ObjectMissing } from '../../../src/git/objects/errors.js'
import { type NewObject, newObject } from '../../../src/git/objects/object.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { Pack } from '../../../src/git/storage/pack.js'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { UninstalledPacks } from '../../../src/git/streams/uninstalled-packs.js'
import { withSite } from '../scratch-repository.js'

const REST = Array.from({ length: 200 }, (_, at) => `word ${at}`).join(' ')
const OLD = newObject('blob', Buffer.from(`the old version ${REST}`))
const NEW = newObject('blob', Buffer.from(`the new version ${REST}`))
const TREE = newObject('tree', Buffer.from(`100644 a.html\0${'\x01'.repeat(20)}`, 'latin1'))

describe('packs that are not installed', () => {
  /** A site's objects, and a pack that lies elsewhere. */
  function withPack<T>(work: (objects: UninstalledPacks, path: string, repository: ObjectDatabase) => T): T {
    return withSite({ 'index.html': 'hello' }, (gitdir) => {
      const path = join(dirname(gitdir), 'pack')
      write(path, [OLD, { ...NEW, previous: OLD.oid }, TREE])
      const repository = new ObjectDatabase(gitdir)
      return work(new UninstalledPacks(repository), path, repository)
    })
  }

  function write(path: string, objects: readonly NewObject[]): void {
    const { pack, index } = encodePack(objects)
    writeFileSync(`${path}.pack`, pack)
    writeFileSync(`${path}.idx`, index)
  }

  it('are read like installed ones, deltas too, together with the objects of the repository', () => {
    withPack((objects, path, repository) => {
      objects.add([path])
      const pack = new Pack(dirname(path), basename(path))
      assert.ok(
        pack.isDelta(pack.find(Buffer.from(OLD.oid, 'hex')) ?? 0),
        'the older version is a delta on the newer one',
      )
      assert.equal(objects.storedAs(OLD.oid), 'draft')
      for (const { oid, type, content } of [OLD, NEW, TREE]) {
        assert.deepEqual(objects.read(oid), { type, content })
        assert.deepEqual(objects.readHeader(oid), { type, size: content.length })
        assert.ok(!repository.has(oid))
      }
      const size = NEW.content.length
      assert.equal(objects.readBlobWithin(NEW.oid, size - 1), undefined)
      assert.deepEqual(objects.readBlobWithin(NEW.oid, size), NEW.content)
      const hello = newObject('blob', Buffer.from('hello'))
      assert.deepEqual(objects.readBlob(hello.oid), hello.content)
      assert.throws(() => objects.read('0'.repeat(40)), ObjectMissing)
    })
  })

  it('are no longer read once they are removed, while others stay', () => {
    withPack((objects, path) => {
      const other = newObject('blob', Buffer.from('other'))
      write(`${path}-other`, [other])
      objects.add([`${path}-other`])
      const takeOut = objects.add([path])
      takeOut()
      assert.throws(() => objects.read(NEW.oid), ObjectMissing)
      assert.deepEqual(objects.readBlob(other.oid), other.content)
      objects.clear()
      assert.throws(() => objects.read(other.oid), ObjectMissing)
    })
  })

  it('are all refused if one of them is gone', () => {
    withPack((objects, path) => {
      assert.throws(() => objects.add([path, `${path}-gone`]), { code: 'ENOENT' })
      assert.throws(() => objects.read(NEW.oid), ObjectMissing)
    })
  })

  it('give the requested span of a blob', async () => {
    await withPack(async (objects, path) => {
      objects.add([path])
      const pieces: Buffer[] = []
      for await (const piece of objects.readLargeBlob(NEW.oid, { start: 4, end: 15 })) pieces.push(piece)
      assert.equal(Buffer.concat(pieces).toString(), 'new version')
    })
  })

  it('give no bytes that do not match the id', () => {
    withPack((objects, path) => {
      const { index } = encodePack([NEW])
      const { pack } = encodePack([newObject('blob', Buffer.from(NEW.content.toString().replace('new', 'bad')))])
      writeFileSync(`${path}.pack`, pack)
      writeFileSync(`${path}.idx`, index)
      objects.add([path])
      assert.throws(() => objects.read(NEW.oid), ObjectCorrupt)
    })
  })
})
