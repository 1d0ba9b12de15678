// Comments on several nodes: each node counts those of all.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { COMMENTS } from '../../../../src/admission/comment-rows.js'
import { guestOf, type NewComment, subjectOf } from '../../../../src/catalog/requests/comments.js'
import { NodeServices } from '../node-services.js'

describe('comments on several nodes', function () {
  this.timeout(120_000)
  let nodes: NodeServices

  before(async () => (nodes = await NodeServices.start()))
  after(() => nodes?.stop())

  const at = async (node: number) => {
    const { replica, catalog } = nodes.at(node).service.services
    await replica.untilCurrent()
    return catalog
  }
  const add = async (node: number, subject: string, comment: Partial<NewComment> = {}) => {
    const { comments, sites } = await at(node)
    return await comments.create({
      id: randomUUID(),
      siteId: sites.findBySlug('demo')?.id ?? assert.fail('no site'),
      subject,
      commit: '1'.repeat(40),
      path: '/hours',
      place: null,
      text: 'x',
      inReplyTo: null,
      author: 'Ada',
      madeBy: 'key k',
      userId: null,
      ...comment,
    })
  }

  it('have numbers without a gap, also where two nodes write at once, and are read on each', async () => {
    const subject = subjectOf({ request: randomUUID() })
    const made = await Promise.all([0, 1, 0, 1, 0, 1].map((node) => add(node, subject)))
    const numbers = made.map((one) => one?.number ?? 0)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6],
    )
    for (const node of [0, 1])
      assert.deepEqual(
        (await (await at(node)).comments.list(subject, { limit: 10 })).map(({ number }) => number),
        [1, 2, 3, 4, 5, 6],
      )
  })

  it('are answered, resolved, changed and deleted on another node', async () => {
    const subject = subjectOf({ request: randomUUID() })
    const first = (await add(0, subject, { asksForChanges: true })) ?? assert.fail()
    const answer = (await add(1, subject, { inReplyTo: first.id, madeBy: 'key other' })) ?? assert.fail()
    assert.deepEqual((await at(0)).comments.openThreads(subject), { count: 1, areChangesAsked: true })
    assert.equal(await (await at(1)).comments.resolve(first.id, 'Bob'), true)
    await (await at(1)).comments.edit(answer.id, 'y')
    assert.equal((await at(0)).comments.find(answer.id)?.text, 'y')
    assert.equal((await at(0)).comments.openThreads(subject).count, 0)
    assert.equal(await (await at(0)).comments.remove(first.id, 'key k'), false)
    assert.equal(await (await at(0)).comments.remove(first.id), true)
    assert.deepEqual(await (await at(1)).comments.list(subject, { limit: 10 }), [])
    assert.equal(await add(1, subject, { inReplyTo: first.id }), undefined)
  })

  it('of a guest are bounded over all nodes', async () => {
    const subject = subjectOf({ request: randomUUID() })
    const madeBy = guestOf(randomUUID())
    const tries = Array.from({ length: COMMENTS.link.quota + 4 }, (_, number) => add(number % 2, subject, { madeBy }))
    const made = (await Promise.all(tries)).filter((one) => one !== undefined)
    assert.equal(made.length, COMMENTS.link.quota)
  })
})
