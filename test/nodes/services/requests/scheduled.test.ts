// Times of change requests on several nodes: whichever node set one, one node publishes it, once.

import assert from 'node:assert/strict'
import { assertSound, git } from '../../../support/git.js'
import { PATIENCE_MS, within } from '../../../support/within.js'
import { NodeServices } from '../node-services.js'

const BOTH = [0, 1] as const

describe('a change request with a time on several nodes', function () {
  this.timeout(120_000)
  let nodes: NodeServices

  before(async () => (nodes = await NodeServices.start()))
  after(() => nodes?.stop())

  const propose = async (node: number, path: string): Promise<string> => {
    const made = await nodes.ask(node, 'POST', '/pages?changeRequest=new', { path, html: path })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body.changeRequest as string
  }
  const setTime = async (node: number, request: string, at: string): Promise<void> => {
    const set = await nodes.ask(node, 'POST', `/change-requests/${request}/publish`, { at })
    assert.equal(set.status, 200, JSON.stringify(set.body))
  }
  const published = (node: number) =>
    git(nodes.gitdir(node), 'log', '--reverse', '--format=%(trailers:key=Change-Request,valueonly)', 'main')
      .split('\n')
      .filter(Boolean)
  const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const state = async (node: number, request: string) =>
    (await nodes.ask(node, 'GET', `/change-requests/${request}`)).body.data.state

  it('is published once, in the order of times, also those that the other node set, and each node reads it', async () => {
    const requests = [await propose(0, '/late'), await propose(1, '/early'), await propose(0, '/early-too')]
    const [last = '', first = '', second = ''] = requests
    const [late, early] = [soon(8), soon(7)]
    await setTime(0, last, late)
    await setTime(1, first, early)
    await setTime(0, second, early)
    for (const node of BOTH)
      for (const request of requests)
        await within(PATIENCE_MS, async () => assert.equal(await state(node, request), 'published'))
    for (const node of BOTH) {
      assert.deepEqual(published(node), [first, second, last])
      assertSound(nodes.gitdir(node))
    }
  })

  it('is published by the node that stays', async () => {
    const request = await propose(0, '/stays')
    await setTime(0, request, soon(4))
    await nodes.at(0).stop()
    await within(PATIENCE_MS, async () => assert.equal(await state(1, request), 'published'))
    assert.deepEqual(
      published(1).filter((id) => id === request),
      [request],
    )
  })
})
