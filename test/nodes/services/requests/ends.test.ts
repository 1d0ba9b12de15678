// The end of change requests on several nodes: published from any of them, given up by a dead one, or too old.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Site } from '../../../../src/catalog/site.js'
import { toSeconds } from '../../../../src/model/clock.js'
import { InterruptedRequests } from '../../../../src/usecases/requests/interrupted.js'
import { KEPT_DAYS } from '../../../../src/usecases/requests/begin-request.js'
import { OldRequests } from '../../../../src/usecases/requests/retire-old.js'
import { assertSound, git } from '../../../support/git.js'
import { NodeServices } from '../node-services.js'

const BOTH = [0, 1] as const
const DAY_MS = 24 * 3600_000

describe('a change request that ends on several nodes', function () {
  this.timeout(120_000)
  let nodes: NodeServices
  let siteId: string

  before(async () => {
    nodes = await NodeServices.start()
    const { body } = await nodes.ask(0, 'GET', '/sites')
    siteId = body.data[0].id
  })
  after(() => nodes?.stop())

  const propose = async (node: number, path: string, request = 'new'): Promise<string> => {
    const made = await nodes.ask(node, 'POST', `/pages?changeRequest=${request}`, { path, html: path })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body.changeRequest ?? request
  }
  const publish = (node: number, request: string) => nodes.ask(node, 'POST', `/change-requests/${request}/publish`, {})
  const commitsOf = (node: number, request: string) =>
    git(nodes.gitdir(node), 'log', '--format=%H', `--grep=^Change-Request: ${request}$`, 'main').split('\n')
  const drafts = (node: number) => join(nodes.nodes[node]?.dataDir ?? '', 'drafts', 'demo.git')
  const branches = (node: number, request: string) => git(drafts(node), 'for-each-ref', `refs/heads/${request}`)

  /** Waits as each call of a client does before it reads. On a busy machine the node may refuse the site for a while. */
  const current = async (node: number, site?: Site) => {
    const { services } = nodes.at(node).service
    const isRefused = () => site !== undefined && services.store.reader.refused.isBehind(site)
    do await services.replica.untilCurrent()
    while (isRefused())
    return services
  }
  /** Begins a branch as a node does that dies before the row is made. */
  const beginAndDie = async (node: number): Promise<Site & { request: string }> => {
    const { catalog, indexFollower, store, clock } = await current(node)
    const site = catalog.sites.findBySlug('demo') ?? assert.fail('no site')
    const request = { ...site, request: randomUUID() }
    await store.writers.beginRequest(request, await indexFollower.fork(request), toSeconds(clock()))
    return request
  }
  const hasEnded = async (request: string) => {
    const [row] = await nodes.database.query(`select head from log.sites where site = '${request}'`, nodes.url)
    return row !== undefined && row['head'] === null
  }

  it('is published by a node that did not write it, and each node reads it at once', async () => {
    for (const [writer, publisher] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const path = `/published-by-${publisher}`
      const request = await propose(writer, path)
      await propose(publisher, `${path}/more`, request)
      const { status, body } = await publish(publisher, request)
      assert.equal(status, 200, JSON.stringify(body))
      for (const node of BOTH) {
        assert.equal((await nodes.visit(node, 'demo', path)).text, path)
        assert.equal((await nodes.visit(node, 'demo', `${path}/more`)).text, `${path}/more`)
        const { data } = (await nodes.ask(node, 'GET', `/change-requests/${request}`)).body
        assert.deepEqual([data.state, data.published], ['published', body.data.commit])
        const late = await nodes.ask(node, 'POST', `/pages?changeRequest=${request}`, { path: '/late', html: 'late' })
        assert.deepEqual([late.status, late.body.error?.code], [409, 'change_request_closed'])
        assert.deepEqual(commitsOf(node, request), [body.data.commit])
      }
    }
    for (const node of BOTH) assertSound(nodes.gitdir(node))
  })

  it('is published once by nodes that are asked at the same time, beside other writes', async () => {
    for (let round = 0; round < 5; round++) {
      const request = await propose(round % 2, `/at-once-${round}`)
      const answers = await Promise.all([
        publish(0, request),
        publish(1, request),
        nodes.ask(0, 'POST', '/pages', { path: `/beside-${round}`, html: 'beside' }),
        publish(1, request),
      ])
      const [first] = commitsOf(0, request)
      for (const { status, body } of answers.filter((_, at) => at !== 2))
        assert.deepEqual([status, body.data?.commit], [200, first], JSON.stringify(body))
      for (const node of BOTH) {
        await nodes.ask(node, 'GET', `/change-requests/${request}`)
        assert.deepEqual(commitsOf(node, request), [first])
      }
    }
  })

  it('takes no write on any node once it is published, although a dead node left its row open', async () => {
    const request = await propose(0, '/left-open')
    await publish(0, request)
    await (await current(0)).catalog.changeRequests.setState(request, ['closed'], 'review')
    for (const node of BOTH) {
      const late = await nodes.ask(node, 'POST', `/pages?changeRequest=${request}`, { path: '/late', html: 'late' })
      assert.deepEqual([late.status, late.body.error?.code], [409, 'change_request_closed'])
    }
    const services = await current(1)
    await new InterruptedRequests(services).settle({ id: siteId, slug: 'demo' })
    assert.equal((await current(0)).catalog.changeRequests.find(request)?.state, 'closed')
  })

  it('that a dead node began without a row goes on every node, and no other does', async () => {
    const [unbegun, fresh] = [await beginAndDie(0), await beginAndDie(0)]
    const known = await propose(0, '/known')
    const services = await current(1, unbegun)
    const { catalog, replica } = services
    // The row of this one comes while the other node looks: its catalog has it only once it has followed.
    const begun = { siteId, title: 'Fresh', state: 'draft', author: 'Ada', madeBy: 'key ada', userId: null } as const
    const followCatalog = async () => {
      const { changeRequests } = nodes.at(0).service.services.catalog
      if (changeRequests.find(fresh.request) === undefined) await changeRequests.create({ ...begun, id: fresh.request })
      await replica.followCatalog()
    }
    const late = { ...services, replica: { ...replica, followCatalog } }
    assert.equal(catalog.changeRequests.find(fresh.request), undefined)
    await new InterruptedRequests(late, 0).settle({ id: siteId, slug: 'demo' })
    assert.deepEqual([await hasEnded(unbegun.request), await hasEnded(fresh.request)], [true, false])
    for (const node of BOTH) {
      await current(node, unbegun)
      assert.equal(branches(node, unbegun.request), '')
      for (const kept of [fresh.request, known]) assert.notEqual(branches(node, kept), '')
    }
    assert.equal((await nodes.ask(1, 'GET', `/change-requests/${fresh.request}`)).status, 200)
  })

  it('and is old loses its branch on every node, also where two of them see to it at once', async () => {
    const [old, open] = [await propose(0, '/old'), await propose(1, '/open')]
    const [here, there] = [await current(0), await current(1)]
    await here.catalog.changeRequests.setState(old, ['draft'], 'closed')
    await current(1)
    await there.catalog.changeRequests.touch({ id: open, updatedAt: '2020-01-01T00:00:00Z' })
    const later = () => new Date(here.clock().getTime() + KEPT_DAYS * DAY_MS + 1000)
    const retire = (services: typeof here, clock: () => Date) => new OldRequests({ ...services, clock }).retire()
    await Promise.all([retire(here, here.clock), retire(there, there.clock)])
    assert.equal(await hasEnded(old), false)
    await Promise.all([retire(here, later), retire(there, later)])
    assert.equal(await hasEnded(old), true)
    for (const node of BOTH) {
      await current(node)
      assert.equal(branches(node, old), '')
      const { status, body } = await nodes.ask(node, 'GET', `/change-requests/${old}`)
      assert.deepEqual([status, body.data?.state, body.data?.head], [200, 'closed', null])
      assertSound(drafts(node))
    }
    assert.equal(here.catalog.changeRequests.find(open)?.state, 'closed')
  })
})
