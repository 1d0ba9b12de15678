import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { reasonText } from '../../../../src/protocols/mcp/text/reason-text.js'
import { startTestService, type TestService } from '../../../support/service.js'
import { connectHttp, succeed, textOf } from '../clients.js'

describe('the history that an agent reads', () => {
  let service: TestService
  let agent: Client
  before(async () => {
    service = await startTestService()
    agent = await connectHttp(service.origin, service.key, 'modern')
  })
  after(async () => {
    await agent.close()
    await service.stop()
  })

  const say = async (name: string, given: Record<string, unknown> = {}) =>
    textOf(await agent.callTool({ name, arguments: given }))

  it('says why a change was made, in commits and versions', async () => {
    await succeed(agent, 'create_page', { path: '/why', html: '<p>one</p>' })
    await succeed(agent, 'update_page', { id: '/why', html: '<p>two</p>', reason: 'The "shop" moved' })
    const told = `, because "The \\"shop\\" moved"`
    const [line = ''] = (await say('list_commits')).split('\n')
    assert.ok(line.endsWith(told), line)
    const [oid = ''] = line.split(' ')
    assert.ok((await say('get_commit', { oid })).includes(told))
    const [newest = '', first = ''] = (await say('list_versions', { id: '/why' })).split('\n')
    assert.deepEqual([newest.endsWith(told), first.includes('because')], [true, false])
  })

  it("tells no list of changes as a reason, and a pusher's first line", () => {
    assert.equal(reasonText('Change 2 pages\n\n- Publish /a\n- Publish /b', 'service'), '')
    assert.equal(reasonText('Change 2 pages\n\n- Publish /a\n- Publish /b\n\nSpring', 'service'), ', because "Spring"')
    assert.equal(reasonText('Fix it\n\nIt broke.\nYesterday.\n\nMore', 'none'), ', because "It broke."')
    assert.equal(reasonText('Fix it', 'none'), '')
    assert.equal(reasonText(undefined, undefined), '')
  })
})
