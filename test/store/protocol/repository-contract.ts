// What every implementation of Repositories promises (src/store/protocol/repository.ts), as tests.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { encodeCommit } from '../../../src/git/objects/commit.js'
import { ObjectMissing } from '../../../src/git/objects/errors.js'
import { type NewObject, newObject } from '../../../src/git/objects/object.js'
import { MODE_BLOB, patchTree } from '../../../src/git/objects/tree.js'
import type { NextCommit, Repositories, WritableRepository } from '../../../src/store/protocol/repository.js'
import { IDENTITY, LOG } from '../../git/scratch-repository.js'

const TIME = 1_790_000_000

export function describeRepositoryContract(
  name: string,
  make: () => { repositories: Repositories; remove: () => void },
): void {
  describe(`the repositories ${name}`, () => {
    const site = { id: randomUUID(), slug: 'demo' }
    const other = { id: randomUUID(), slug: 'other' }
    let repositories: Repositories
    let remove: () => void
    let writer: WritableRepository

    beforeEach(() => {
      ;({ repositories, remove } = make())
      repositories.create(site, TIME)
      repositories.create(other, TIME)
      writer = repositories.openForWriting(site)
    })
    afterEach(() => {
      writer.close()
      remove()
    })

    const commitOn = (to: WritableRepository, text: string) => {
      const next = nextCommit(to.headToBuildOn(), text)
      assert.equal(to.commit(next), 'done')
      return next
    }

    it('hold a new site with its first commit, and nothing where none was made', () => {
      const head = writer.headToBuildOn()
      assert.equal(writer.objects.readCommit(head).message, 'Create site demo\n')
      assert.equal(repositories.exists(site), true)
      assert.equal(repositories.exists({ id: randomUUID(), slug: 'none' }), false)
      assert.equal(repositories.open({ id: randomUUID(), slug: 'none' }).head(), undefined)
      assert.throws(() => repositories.create(site, TIME))
      assert.equal(writer.head(), head)
    })

    it('show a commit, with every object of it, to readers that were open before and to those opened after', () => {
      const before = repositories.open(site)
      before.head()
      const { next, objects } = commitOn(writer, 'hello')
      for (const reader of [before, repositories.open(site), writer]) {
        assert.equal(reader.head(), next)
        for (const { oid, type, content } of objects) {
          assert.deepEqual(reader.objects.read(oid), { type, content: Buffer.from(content) })
        }
        reader.close()
      }
    })

    it('keep the commits of one site out of all others', () => {
      const { next } = commitOn(writer, 'mine')
      const reader = repositories.open(other)
      assert.notEqual(reader.head(), next)
      assert.equal(reader.objects.has(next), false)
      assert.throws(() => reader.objects.read(next), ObjectMissing)
      reader.close()
    })

    it('refuse a commit that was built on another head than main is at, and keep nothing of it', () => {
      const stale = nextCommit(writer.headToBuildOn(), 'stale')
      const { next } = commitOn(writer, 'first')
      assert.equal(writer.commit(stale), 'moved')
      assert.equal(writer.head(), next)
      const reader = repositories.open(site)
      assert.equal(reader.objects.has(stale.next), false)
      reader.close()
      commitOn(writer, 'and goes on')
    })

    it('keep the order of many commits, none of them lost', () => {
      const made = Array.from({ length: 20 }, (_, i) => commitOn(writer, `${i}`).next)
      const seen: string[] = []
      for (let at = writer.head(); at !== undefined; at = writer.objects.readCommit(at).parents[0]) seen.push(at)
      assert.deepEqual(seen.slice(0, -1).toReversed(), made)
    })

    it('let nobody else move main while it is held, and let it go whatever happens then', () => {
      const second = repositories.openForWriting(site)
      const stale = nextCommit(second.headToBuildOn(), 'from outside')
      const held = writer.holdMain(() => {
        assert.throws(() => second.commit(stale))
        return commitOn(writer, 'held').next
      })
      assert.equal(second.commit(stale), 'moved')
      assert.throws(() => writer.holdMain(() => assert.fail('work that fails')), /work that fails/)
      assert.equal(second.headToBuildOn(), held)
      commitOn(second, 'free again')
      second.close()
    })

    it('have a head after everything is closed and opened anew', () => {
      const { next } = commitOn(writer, 'kept')
      writer.close()
      const again = repositories.openForWriting(site)
      assert.equal(again.headToBuildOn(), next)
      again.close()
    })

    it('give a retired site to no reader, and retire it twice without harm', () => {
      commitOn(writer, 'here')
      writer.close()
      repositories.retire(site)
      repositories.retire(site)
      assert.equal(repositories.exists(site), false)
      assert.equal(repositories.open(site).head(), undefined)
      assert.equal(repositories.exists(other), true)
    })

    it('tell how much room is left', () => {
      assert.ok(repositories.freeBytes() > 0)
    })
  })
}

function nextCommit(expected: string, text: string): NextCommit {
  const blob = newObject('blob', Buffer.from(text))
  const tree = newObject('tree', patchTree(Buffer.alloc(0), [{ name: 'a.html', mode: MODE_BLOB, oid: blob.oid }]))
  const bytes = encodeCommit({
    tree: tree.oid,
    parents: [expected],
    author: IDENTITY,
    committer: IDENTITY,
    message: text,
  })
  const commit = newObject('commit', bytes)
  const objects: NewObject[] = [blob, tree, commit]
  return { expected, next: commit.oid, objects, packs: [], log: LOG }
}
