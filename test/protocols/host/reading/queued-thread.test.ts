import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { QueuedThread } from '../../../../src/protocols/host/reading/queued-thread.js'
import type { EchoProtocol } from '../../../threads/echo-thread.js'

const ENTRY = new URL('../../../threads/echo-thread.js', import.meta.url)
/** Most requests of one owner that may wait. */
const MAX_WAITING = 1000

describe('a thread with a queue', () => {
  for (const atOnce of [1, 3]) {
    describe(`that has ${atOnce} at once in hand`, () => {
      let thread: QueuedThread<EchoProtocol>
      before(() => {
        thread = new QueuedThread({ entry: ENTRY }, { deadlineMs: 600_000, atOnce })
      })
      after(() => thread.close())

      it('answers each request, and lets owners take turns', async () => {
        const order: string[] = []
        const ask = async (owner: string, say: string) => {
          assert.equal(await thread.ask(owner, { say }), say)
          order.push(say)
        }
        const many = Array.from({ length: 20 }, (_, at) => ask('a', `a${at}`))
        await Promise.all([...many, ask('b', 'b'), ask('c', 'c')])
        assert.equal(order.length, 22)
        for (const other of ['b', 'c']) assert.ok(order.indexOf(other) <= atOnce + 3, order.join(' '))
      })

      it('refuses requests of an owner of whom too many wait, and none of another', async () => {
        const asked = Array.from({ length: atOnce + MAX_WAITING + 5 }, () => thread.ask('a', { say: 'a' }))
        const other = thread.ask('b', { say: 'b' })
        const outcomes = await Promise.allSettled(asked)
        const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
        assert.deepEqual(
          refused.map(({ reason }: PromiseRejectedResult) => (reason as { code?: string }).code),
          Array.from({ length: 5 }, () => 'site_busy'),
        )
        assert.equal(await other, 'b')
      })
    })
  }

  it('gives up a request that gets no answer in time', async () => {
    const thread = new QueuedThread<EchoProtocol>({ entry: ENTRY }, { deadlineMs: 100 })
    await assert.rejects(thread.ask('a', { hang: true }), { code: 'site_busy' })
    await thread.close()
  })
})
