// The contract of every implementation of Repositories (src/repository/protocol/repository.ts), as tests.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { encodeCommit } from '../../../src/git/objects/commit.js'
import { ObjectMissing, OutcomeUnknown } from '../../../src/git/objects/errors.js'
import { type NewObject, newObject } from '../../../src/git/objects/object.js'
import { MODE_BLOB, patchTree } from '../../../src/git/objects/tree.js'
import type { NextCommit, Repositories, WritableRepository } from '../../../src/repository/protocol/repository.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { IDENTITY, LOG } from '../../git/scratch-repository.js'

const TIME = 1_790_000_000

export interface ContractSubject {
  repositories: Repositories
  remove: () => void | Promise<void>
  /** Runs the work while the answers to commits are lost. */
  whileAnswersAreLost?: (work: () => Promise<void>) => Promise<void>
}

/** Only a faulty disk loses answers, such as that of test/faults/sweeps: then the promise about lost answers is not tried. */
export function describeRepositoryContract(
  name: string,
  make: () => ContractSubject | Promise<ContractSubject>,
  { canLoseAnswers = true } = {},
): void {
  describe(`the repositories ${name}`, () => {
    const site = { id: randomUUID(), slug: 'demo' }
    const other = { id: randomUUID(), slug: 'other' }
    let repositories: Repositories
    let remove: ContractSubject['remove']
    let whileAnswersAreLost: ContractSubject['whileAnswersAreLost']
    let writer: WritableRepository

    beforeEach(async () => {
      ;({ repositories, remove, whileAnswersAreLost } = await make())
      await repositories.create(site, TIME)
      await repositories.create(other, TIME)
      writer = repositories.openForWriting(site)
    })
    afterEach(async () => {
      writer.close()
      await remove()
    })

    const commitOn = async (to: WritableRepository, text: string) => {
      await to.untilHeadIsDurable()
      const next = nextCommit(to.headToBuildOn(), text)
      assert.equal(await to.commit(next), 'done')
      return next
    }

    it('hold a new site with its first commit, and nothing for a site that was never made', async () => {
      const head = writer.headToBuildOn()
      assert.equal(writer.objects.readCommit(head).message, 'Create site demo\n')
      assert.equal(repositories.exists(site), true)
      assert.equal(repositories.exists({ id: randomUUID(), slug: 'none' }), false)
      assert.equal(repositories.open({ id: randomUUID(), slug: 'none' }).head(), undefined)
      await assert.rejects(async () => repositories.create(site, TIME))
      assert.equal(writer.head(), head)
    })

    it('show a commit, with every object of it, to readers that were open before and to those opened after', async () => {
      const before = repositories.open(site)
      before.head()
      const { next, objects } = await commitOn(writer, 'hello')
      for (const reader of [before, repositories.open(site), writer]) {
        assert.equal(reader.head(), next)
        for (const { oid, type, content } of objects) {
          assert.deepEqual(reader.objects.read(oid), { type, content: Buffer.from(content) })
        }
        reader.close()
      }
    })

    it('keep the commits of one site out of all others', async () => {
      const { next } = await commitOn(writer, 'mine')
      const reader = repositories.open(other)
      assert.notEqual(reader.head(), next)
      assert.equal(reader.objects.has(next), false)
      assert.throws(() => reader.objects.read(next), ObjectMissing)
      reader.close()
    })

    it('refuse a commit that was not built on the head of main, and keep nothing of it', async () => {
      const stale = nextCommit(writer.headToBuildOn(), 'stale')
      const { next } = await commitOn(writer, 'first')
      assert.equal(await writer.commit(stale), 'moved')
      assert.equal(writer.head(), next)
      const reader = repositories.open(site)
      assert.equal(reader.objects.has(stale.next), false)
      reader.close()
      await commitOn(writer, 'and goes on')
    })

    it('keep the order of many commits, none of them lost', async () => {
      const made: string[] = []
      for (let i = 0; i < 20; i++) made.push((await commitOn(writer, `${i}`)).next)
      const seen: string[] = []
      for (let at = writer.head(); at !== undefined; at = writer.objects.readCommit(at).parents[0]) seen.push(at)
      assert.deepEqual(seen.slice(0, -1).toReversed(), made)
    })

    it('let no other writer move main while it is held, and release it even if the work fails', async () => {
      const second = repositories.openForWriting(site)
      const stale = nextCommit(second.headToBuildOn(), 'from outside')
      const held = await writer.holdMain(async () => {
        await assert.rejects(async () => second.commit(stale))
        return (await commitOn(writer, 'held')).next
      })
      assert.equal(await second.commit(stale), 'moved')
      await assert.rejects(
        writer.holdMain(async () => assert.fail('work that fails')),
        /work that fails/,
      )
      assert.equal(second.headToBuildOn(), held)
      await commitOn(second, 'free again')
      second.close()
    })

    it('keep the head after everything is closed and opened again', async () => {
      const { next } = await commitOn(writer, 'kept')
      writer.close()
      const again = repositories.openForWriting(site)
      assert.equal(again.headToBuildOn(), next)
      again.close()
    })

    it('give no reader a retired site, and retire it twice without harm', async () => {
      await commitOn(writer, 'here')
      writer.close()
      await repositories.retire(site)
      await repositories.retire(site)
      assert.equal(repositories.exists(site), false)
      assert.equal(repositories.open(site).head(), undefined)
      assert.equal(repositories.exists(other), true)
    })

    describe('for a change request', () => {
      const request = { ...site, request: randomUUID() }
      const second = { ...site, request: randomUUID() }
      let fork: string

      beforeEach(async () => {
        fork = (await commitOn(writer, 'fork')).next
        await repositories.beginRequest(request, fork, TIME)
      })

      const headOf = (of: SiteRef) => {
        const reader = repositories.open(of)
        try {
          return reader.head()
        } finally {
          reader.close()
        }
      }
      const writeTo = async (of: SiteRef, text: string) => {
        const branch = repositories.openForWriting(of)
        try {
          return await commitOn(branch, text)
        } finally {
          branch.close()
        }
      }

      it('hold a branch at its fork, and begin it twice without harm', async () => {
        assert.equal(headOf(request), fork)
        const { next } = await writeTo(request, 'draft')
        await repositories.beginRequest(request, fork, TIME)
        assert.equal(headOf(request), next)
        assert.equal(headOf(second), undefined)
      })

      it("show its commits on main's history, and keep them out of main and of other requests", async () => {
        await repositories.beginRequest(second, fork, TIME)
        const first = await writeTo(request, 'one')
        const { next, objects } = await writeTo(request, 'two')
        const [reader, main] = [repositories.open(request), repositories.open(site)]
        assert.equal(reader.head(), next)
        for (const { oid } of objects) assert.ok(reader.objects.has(oid))
        assert.deepEqual(reader.objects.readCommit(next).parents, [first.next])
        assert.deepEqual(reader.objects.readCommit(first.next).parents, [fork])
        assert.equal(reader.objects.readCommit(fork).message, 'fork')
        assert.deepEqual([main.head(), main.objects.has(next), headOf(second)], [fork, false, fork])
        reader.close()
        main.close()
      })

      it('refuse a commit that was not built on the head of its branch, while main goes on', async () => {
        const branch = repositories.openForWriting(request)
        const stale = nextCommit(branch.headToBuildOn(), 'stale')
        const live = await commitOn(writer, 'live')
        const { next } = await commitOn(branch, 'first')
        assert.equal(await branch.commit(stale), 'moved')
        assert.deepEqual([branch.head(), headOf(site)], [next, live.next])
        await commitOn(branch, 'and goes on')
        branch.close()
      })

      it('end it alone, and twice without harm', async () => {
        await repositories.beginRequest(second, fork, TIME)
        const { next } = await writeTo(second, 'other')
        await writeTo(request, 'given up')
        await repositories.endRequest(request)
        await repositories.endRequest(request)
        assert.deepEqual([headOf(request), headOf(second), headOf(site)], [undefined, next, fork])
      })

      it('retire it with its site', async () => {
        await writeTo(request, 'draft')
        writer.close()
        await repositories.retire(site)
        assert.equal(headOf(request), undefined)
        await repositories.endRequest(request)
      })
    })

    const itOfLostAnswers = canLoseAnswers ? it : () => undefined
    itOfLostAnswers(
      'take no commit after one whose outcome is unknown, until it is settled whether that one is there',
      async () => {
        const whileLost = whileAnswersAreLost ?? assert.fail('no answer can be lost')
        const lost = nextCommit(writer.headToBuildOn(), 'lost')
        await whileLost(async () => {
          await assert.rejects(async () => writer.commit(lost), OutcomeUnknown)
          await writer.untilHeadIsDurable()
          assert.throws(() => writer.headToBuildOn())
          assert.throws(() => writer.settle())
        })
        await writer.untilHeadIsDurable()
        writer.settle()
        const { next } = await commitOn(writer, 'after it')
        const { parents } = writer.objects.readCommit(next)
        assert.ok(parents[0] === lost.next || parents[0] === lost.expected)
        assert.equal(repositories.open(site).head(), next)
      },
    )

    it('report the free space', () => {
      assert.ok(repositories.freeBytes() > 0)
    })
  })
}

/** A commit whose one page is this text. */
export function nextCommit(expected: string, text: string): NextCommit {
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
