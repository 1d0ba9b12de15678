// Change requests that are pushed to one node and read on another, by git itself.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git } from '../../../support/git.js'
import { RemoteGit } from '../../../support/remote-git.js'
import { NodeServices } from '../node-services.js'

describe('a push to refs/for/main of a node', function () {
  this.timeout(120_000)
  const client = new RemoteGit([], true)
  let nodes: NodeServices
  let siteId: string

  before(async () => {
    nodes = await NodeServices.start()
    const { body } = await nodes.ask(0, 'GET', '/sites')
    siteId = body.data[0].id
    await client.run('clone', '--quiet', nodes.cloneUrl(0), 'clone')
  })
  after(async () => {
    await nodes?.stop()
    client.remove()
  })

  async function commit(text: string): Promise<string> {
    writeFileSync(join(client.path('clone'), 'hours.html'), text)
    await client.in('clone', 'add', '--all')
    await client.in('clone', 'commit', '--quiet', '-m', text)
    return await client.in('clone', 'rev-parse', 'HEAD')
  }

  it('is in the first answer of the other one, takes commits there, and is published there', async () => {
    const first = await commit('one')
    await client.in('clone', 'push', '--quiet', nodes.cloneUrl(0), 'HEAD:refs/for/main')
    const listed = await nodes.ask(1, 'GET', `/sites/${siteId}/change-requests`)
    const [{ id, number, head }] = listed.body.data
    assert.equal(head, first)
    const second = await commit('two')
    await client.in('clone', 'push', '--quiet', nodes.cloneUrl(1), `HEAD:refs/for/main/${number}`)
    const page = await nodes.ask(0, 'GET', `/pages?path=/hours&changeRequest=${id}`)
    assert.equal(page.body.data.length, 1)
    assert.equal((await nodes.ask(0, 'GET', `/change-requests/${id}`)).body.data.head, second)
    assert.equal((await nodes.visit(0, 'demo', '/hours')).status, 404)
    assert.equal((await nodes.ask(0, 'POST', `/change-requests/${id}/publish`, {})).status, 200)
    assert.equal((await nodes.visit(1, 'demo', '/hours')).text, 'two')
    for (const { dataDir } of nodes.nodes) {
      const drafts = join(dataDir, 'drafts', 'demo.git')
      assert.equal(git(drafts, 'rev-parse', id), second)
      assertSound(drafts)
    }
  })

  it('begins where the clone is, also if another node has moved main since', async () => {
    const made = await nodes.ask(1, 'POST', '/pages', { path: '/meanwhile', html: '<p>x' })
    assert.equal(made.status, 201)
    const tip = await commit('behind')
    await client.in('clone', 'push', '--quiet', nodes.cloneUrl(0), 'HEAD:refs/for/main')
    const listed = await nodes.ask(1, 'GET', `/sites/${siteId}/change-requests`)
    const [{ id, head }] = listed.body.data
    assert.equal(head, tip)
    const changes = await nodes.ask(1, 'GET', `/change-requests/${id}/changes`)
    assert.deepEqual(
      changes.body.data.map(({ path }: { path: string }) => path),
      ['hours.html'],
    )
  })
})
