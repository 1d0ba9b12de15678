import assert from 'node:assert/strict'
import { newObject, type NewObject } from '../../../src/git/objects/object.js'
import { patchTree } from '../../../src/git/objects/tree.js'
import { joinPacks } from '../../../src/git/streams/join-packs.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { encodePack, installPack } from '../../../src/git/storage/pack-writer.js'
import { assertSound, git } from '../../support/git.js'
import { withBareGit } from '../scratch-repository.js'

const PAGES = 300

/** Returns a page and two versions of a large folder, one of them stored as a delta. */
function publish(number: number): NewObject[] {
  const page = newObject('blob', Buffer.from(`page ${number}`))
  const entries = Array.from({ length: PAGES }, (_, i) => ({
    name: `page-${String(number * PAGES + i).padStart(6, '0')}.html`,
    mode: 0o100644,
    oid: page.oid,
  }))
  const before = newObject('tree', patchTree(Buffer.alloc(0), entries))
  const edit = [{ name: 'last.html', mode: 0o100644, oid: page.oid }]
  return [page, before, newObject('tree', patchTree(before.content, edit), before.oid)]
}

describe('packs that are joined', () => {
  it('hold every object as before, and are sound for git', () => {
    withBareGit((gitdir) => {
      const objects = Array.from({ length: 20 }, (_, number) => publish(number))
      const [joined, ...more] = joinPacks(objects.map((some) => encodePack(some)))
      assert.ok(joined !== undefined && more.length === 0)
      installPack(gitdir, joined).release()
      assert.match(
        git(gitdir, 'verify-pack', '-v', `objects/pack/pack-${joined.id}.pack`),
        /chain length = 1: 20 objects/,
      )
      assertSound(gitdir)
      const database = new ObjectDatabase(gitdir)
      for (const { oid, type, content } of objects.flat())
        assert.deepEqual(database.read(oid), { type, content: Buffer.from(content) })
      database.close()
    })
  })

  it('become several if two hold the same object', () => {
    const [one, two] = [encodePack(publish(1)), encodePack(publish(2))]
    assert.equal(joinPacks([one, two, one]).length, 2)
    assert.deepEqual(joinPacks([one]), [one])
  })

  it('are refused if the bytes of one do not match its id', () => {
    const one = encodePack(publish(1))
    const pack = Buffer.from(one.pack)
    pack[40] = (pack[40] ?? 0) ^ 1
    assert.throws(() => joinPacks([{ ...one, pack }]), /its bytes have another checksum/)
  })
})
