import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { reasonText } from '../../../../src/protocols/mcp/text/message-text.js'
import type { TestService } from '../../../support/service.js'
import { connectHttp, succeed, textOf, useAgent } from '../clients.js'

describe('the history that an agent reads', () => {
  let service: TestService
  let agent: Client
  useAgent((...started) => ([service, agent] = started))

  const say = async (name: string, given: Record<string, unknown> = {}) =>
    textOf(await agent.callTool({ name, arguments: given }))

  it('says why a change was made, in commits and versions', async () => {
    await succeed(agent, 'create_page', { path: '/why', html: '<p>one</p>' })
    await succeed(agent, 'update_page', { id: '/why', html: '<p>two</p>', reason: 'The "shop" moved' })
    const told = `"The \\"shop\\" moved" ("Replace /why")`
    const [line = ''] = (await say('list_commits')).split('\n')
    assert.ok(line.includes(` ${told} by `), line)
    const [oid = ''] = line.split(' ')
    assert.ok((await say('get_commit', { oid })).includes(told))
    const [newest = '', first = ''] = (await say('list_versions', { id: '/why' })).split('\n')
    assert.deepEqual([newest.endsWith(`: ${told}`), first.includes('Publish')], [true, false])
  })

  it('is that of one author where the call names the label', async () => {
    const { key } = await service.mint({ label: 'Nightly import' })
    const other = await connectHttp(service.origin, key, 'modern')
    await succeed(other, 'create_page', { path: '/nightly', html: '<title>Nightly</title>' })
    await other.close()
    const lines = (await say('list_commits', { author: 'Nightly import' })).split('\n')
    assert.match(lines[0] ?? '', /Publish \/nightly/)
    assert.equal(lines.filter((line) => /^[0-9a-f]{40} /.test(line)).length, 1)
    assert.doesNotMatch(await say('list_commits', { author: 'Nobody' }), /Publish/)
  })

  it('says what an undo changes, however large it is, and names commits so that tools take them', async () => {
    const mine = await service.mint()
    const author = await connectHttp(service.origin, mine.key, 'modern')
    const call = async (name: string, given: Record<string, unknown>) =>
      textOf(await author.callTool({ name, arguments: given }))
    const since = '2000-01-01T00:00:00Z'
    for (const name of ['a', 'b']) {
      const html = `<title>${name}</title>`
      const pages = Array.from({ length: 30 }, (_, at) => ({ op: 'put_page', path: `/${name}/${at}`, html }))
      await call('batch', { operations: [...pages, { op: 'put_file', path: `/${name}.css`, text: 'x{}' }] })
    }
    const shown = await call('undo_my_changes', { since, dryRun: true })
    assert.match(shown, /^Dry run: would undo 2 commits:\n/)
    assert.match(shown, /\nIt\n {2}unpublishes 60 pages: \/.* … and 50 more\n {2}deletes 2 files: \/a\.css \/b\.css\n/)
    assert.match(shown, /The difference is too long to show/)
    const [, short = ''] = /\n([0-9a-f]{10}) /.exec(shown) ?? []
    assert.match(await call('get_commit', { oid: short }), new RegExp(`^${short}[0-9a-f]{30} `))
    assert.match(await call('revert_commits', { commits: short, dryRun: true }), /unpublishes 30 pages/)
    assert.match(await call('get_commit', { oid: 'abc' }), /oid must be the id of a commit, or its first 7 digits/)
    assert.match(
      await call('undo_my_changes', { since }),
      /^Undid 2 commits, in the commit [0-9a-f]{40}:\n[^]*\nIt\n {2}unpublishes 60 pages: /,
    )
    await call('create_page', { path: '/small', html: '<title>S</title>' })
    await call('delete_page', { id: '/small', ifMatch: '*' })
    const [last = ''] = (await call('list_commits', { author: 'me' })).split(' ')
    const small = await call('revert_commits', { commits: [last], dryRun: true })
    assert.match(small, /restores 1 page: \/small\n[^]*\n\+<title>S/)
    await author.close()
  })

  it("tells no list of changes as a reason, and a pusher's first line", () => {
    assert.equal(reasonText('Change 2 pages\n\n- Publish /a\n- Publish /b', 'service'), '')
    assert.equal(
      reasonText('Change 2 pages\n\n- Publish /a\n- Publish /b\n\nSpring', 'service'),
      ': "Change 2 pages" ("Spring")',
    )
    assert.equal(reasonText('Fix it\n\nIt broke.\nYesterday.\n\nMore', 'none'), ': "Fix it" ("It broke.")')
    assert.equal(reasonText('Fix it', 'none'), '')
    assert.equal(reasonText(undefined, undefined), '')
  })
})
