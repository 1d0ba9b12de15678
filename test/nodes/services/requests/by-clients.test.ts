// Change requests as clients see them that send each call to another node.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { git } from '../../../support/git.js'
import { PATIENCE_MS, within } from '../../../support/within.js'
import { NodeServices } from '../node-services.js'

describe('a client that sends calls for a change request to any node', function () {
  this.timeout(120_000)
  let nodes: NodeServices
  let siteId: string

  before(async () => {
    nodes = await NodeServices.start()
    const { body } = await nodes.ask(0, 'GET', '/sites')
    siteId = body.data[0].id
  })
  after(() => nodes?.stop())

  const create = async (node: number, title = 'Spring'): Promise<string> => {
    const { status, body } = await nodes.ask(node, 'POST', `/sites/${siteId}/change-requests`, { title })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }
  const put = (node: number, request: string, path: string, html: string) =>
    nodes.ask(node, 'POST', `/pages?changeRequest=${request}`, { path, html })

  it('reads what it has written, and the list and head of the request', async () => {
    const request = await create(0)
    for (let i = 0; i < 6; i++) {
      const [writer, reader] = i % 2 === 0 ? [0, 1] : [1, 0]
      const made = await put(writer, request, `/page-${i}`, `<p>${i}`)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id } = made.body.data
      const read = await nodes.ask(reader, 'GET', `/pages/${id}?changeRequest=${request}`)
      assert.deepEqual(read.body.data?.html, `<p>${i}`)
      assert.equal((await nodes.ask(reader, 'GET', `/pages/${id}`)).status, 404)
      assert.equal((await nodes.visit(reader, 'demo', `/page-${i}`)).status, 404)
      const heads = await Promise.all([0, 1].map((node) => nodes.ask(node, 'GET', `/change-requests/${request}`)))
      assert.equal(heads[0]?.body.data.head, heads[1]?.body.data.head)
    }
    const listed = await nodes.ask(1, 'GET', `/sites/${siteId}/change-requests`)
    assert.deepEqual(
      listed.body.data.map(({ id }: { id: string }) => id),
      [request],
    )
  })

  it('makes a request by a write, which another node closes and opens again', async () => {
    const made = await put(0, 'new', '/by-write', '<p>new')
    const request: string = made.body.changeRequest
    assert.equal((await put(1, request, '/more', '<p>more')).status, 201)
    assert.equal((await nodes.ask(1, 'PATCH', `/change-requests/${request}`, { state: 'closed' })).status, 200)
    assert.ok((await put(0, request, '/late', '<p>late')).status >= 400)
    assert.equal((await nodes.ask(0, 'PATCH', `/change-requests/${request}`, { state: 'draft' })).status, 200)
    assert.equal((await put(1, request, '/late', '<p>late')).status, 201)
  })

  it('leaves nothing on any node by a write in a new request that is refused', async () => {
    const path = `/pages/${randomUUID()}/content?changeRequest=new`
    assert.equal((await nodes.ask(1, 'PUT', path, { html: '<p>no' })).status, 404)
    await nodes.ask(0, 'GET', '/sites')
    const kept = `select 1 from log.sites where request_of is not null and head is not null
      and site not in (select id::uuid from catalog.change_requests)`
    assert.deepEqual(await nodes.database.query(kept, nodes.url), [])
  })

  it('finds each write that a node acknowledged in what another node publishes at the same moment', async () => {
    let refused = 0
    for (let round = 0; round < 3; round++) {
      const request = await create(0)
      assert.equal((await put(1, request, `/round-${round}`, '<p>first')).status, 201)
      const publish = () => nodes.ask(0, 'POST', `/change-requests/${request}/publish`, {})
      const write = async (at: number) => ({
        path: `/round-${round}-${at}`,
        ...(await put(1, request, `/round-${round}-${at}`, '<p>late')),
      })
      const publishing = publish()
      const written = (await Promise.all([0, 1, 2, 3].map(write))).concat(await write(4), await write(5))
      // One that was overtaken too often published nothing, and may be sent again.
      const { status, body } = await publishing
      assert.ok(status === 200 || body.error.code === 'conflict', JSON.stringify(body))
      assert.equal((await publish()).status, 200)
      for (const { path, status: made, body: answer } of written) {
        assert.equal((await nodes.visit(1, 'demo', path)).status, made === 201 ? 200 : 404, path)
        if (made === 201) continue
        assert.deepEqual([made, answer.error.code], [409, 'change_request_closed'])
        refused += 1
      }
      assert.equal((await put(1, request, '/after', '<p>after')).body.error.code, 'change_request_closed')
    }
    assert.ok(refused < 18, 'some writes were in time')
  })

  it('gets 503 for a request of which a node lacks a commit, and for nothing else, until it is there', async () => {
    const [request, other] = [await create(0), await create(0)]
    const page = (await put(0, request, '/a', '<p>a')).body.data.id
    await nodes.ask(1, 'GET', `/change-requests/${request}`)
    const losing = `create function log.lose() returns trigger language plpgsql as 'begin new.pack := 9; return new; end';
      create trigger lose before insert on log.pieces for each row execute function log.lose()`
    await nodes.database.query(losing, nodes.url)
    const written = await put(0, request, '/b', '<p>b')
    await nodes.database.query('drop function log.lose cascade', nodes.url)
    assert.equal(written.status, 201)
    const now = { patienceMs: 0 }
    for (const path of [`/change-requests/${request}`, `/pages/${page}?changeRequest=${request}`]) {
      const { status, body } = await nodes.ask(1, 'GET', path, undefined, now)
      assert.deepEqual([status, body.error?.code], [503, 'site_busy'], path)
    }
    assert.equal((await put(1, other, '/c', '<p>c')).status, 201)
    assert.equal((await nodes.ask(1, 'POST', '/pages', { path: '/live', html: '<p>live' })).status, 201)
    assert.equal((await nodes.visit(1, 'demo', '/live')).text, '<p>live')
    const newest = `select batch from log.entries where site = '${request}' order by number desc limit 1`
    await nodes.database.query(`update log.pieces set pack = 0 where batch = (${newest})`, nodes.url)
    await within(PATIENCE_MS, async () => {
      const { body } = await nodes.ask(1, 'GET', `/change-requests/${request}`)
      assert.equal(body.data.head, git(`${nodes.nodes[0]?.dataDir}/drafts/demo.git`, 'rev-parse', request).trim())
    })
  })
})
