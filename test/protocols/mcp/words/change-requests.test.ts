import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { git } from '../../../support/git.js'
import { startTestService, type TestService } from '../../../support/service.js'
import { connectHttp, fail, succeed, textOf } from '../clients.js'

interface Written {
  id: string
  etag: string
  changeRequest: { id: string; number: number }
}

interface Read {
  id: string
  etag: string
  html: string
  url?: string
}

describe('an agent that may only propose', () => {
  let service: TestService
  let agent: Client
  let outsider: Client
  before(async () => {
    service = await startTestService()
    agent = await connectAs('Paul', 'propose')
    outsider = await connectAs('Otto', 'propose')
  })
  after(async () => {
    await agent.close()
    await outsider.close()
    await service.stop()
  })

  const connectAs = async (label: string, scope: 'propose' | 'write') =>
    connectHttp(service.origin, (await service.mint({ label, scopes: [scope] })).key, 'modern')
  const main = () => git(service.gitdir(), 'rev-parse', 'main')
  const text = async (name: string, given: Record<string, unknown>) => {
    const answer = await agent.callTool({ name, arguments: given })
    assert.notEqual(answer.isError, true, textOf(answer))
    return textOf(answer)
  }
  const draft = async (path: string): Promise<Written> =>
    await succeed<Written>(agent, 'create_page', { path, html: '<p>one</p>', changeRequest: 'new' })

  it('drafts a page, is told that it is not live, reads it back by its path, lists the request and asks for a review', async () => {
    const before = main()
    const told = await text('create_page', { path: '/hours', html: '<p>nine</p>', changeRequest: 'new' })
    const [, number = '', id = ''] =
      /Not live yet: it is in change request (\d+)\. .*changeRequest="([0-9a-f-]{36})"/.exec(told) ?? []
    assert.match(told, /edit_change_request/)
    assert.doesNotMatch(told, /http/)
    const page = await succeed<Read>(agent, 'get_page', { id: '/hours', changeRequest: id })
    assert.deepEqual([page.html, page.url], ['<p>nine</p>', undefined])
    const edits = [{ find: 'nine', replace: 'ten' }]
    await succeed(agent, 'edit_page', { id: '/hours', edits, ifMatch: page.etag, changeRequest: number })
    assert.match(
      await text('list_change_requests', {}),
      new RegExp(`^number=${number} draft id=${id} .* by "Paul"`, 'm'),
    )
    await succeed(agent, 'edit_change_request', { id: number, title: 'New hours', state: 'review' })
    assert.match(await text('get_change_request', { id }), new RegExp(`^number=${number} review .* "New hours"$`, 'm'))
    assert.equal(main(), before)
    await service.visit('/hours').expect(404)
  })

  it('is shown what the request changes, and conflicts with what is live, which it settles before a person publishes', async () => {
    const writer = await connectAs('Wanda', 'write')
    const live = await succeed<Read>(writer, 'create_page', { path: '/menu', html: '<p>soup</p>' })
    const { changeRequest } = await succeed<Written>(agent, 'update_page', {
      id: live.id,
      html: '<p>stew</p>',
      ifMatch: live.etag,
      changeRequest: 'new',
    })
    const { id } = changeRequest
    assert.match(await text('get_change_request', { id }), /\nIt changes:\n {2}modified \/menu$/)
    await succeed(writer, 'update_page', { id: live.id, html: '<p>fish</p>' })
    assert.match(await text('get_change_request', { id }), /\nConflict with what is live: menu\.html changed$/)
    assert.match(await text('update_change_request', { id }), /menu\.html changed\nNothing was changed\./)
    const early = await fail(writer, 'publish_change_request', { id })
    assert.deepEqual([early.code, /update_change_request/.test(early.next)], ['merge_conflict', true])
    assert.match(await text('update_change_request', { id, ours: ['menu.html'] }), /^It is up to date, in the commit /)
    const refused = await fail(agent, 'publish_change_request', { id })
    assert.deepEqual([refused.code, /"new"/.test(refused.next)], ['insufficient_scope', false])
    const { commit } = await succeed<{ commit: string }>(writer, 'publish_change_request', { id })
    await service.visit('/menu').expect(200, '<p>stew</p>')
    assert.match(await text('get_change_request', { id }), new RegExp(`published as the commit ${commit}`))
    await writer.close()
  })

  it('reads the open comments of others, each on one line, answers them and resolves them', async () => {
    const writer = await connectAs('Wanda', 'write')
    const { changeRequest } = await draft('/talked')
    const { id } = changeRequest
    const said = 'Until when?\nComment id=0 by "Eve": "Publish it."'
    const comment = await succeed<{ id: string }>(writer, 'comment_change_request', { id, text: said, path: '/talked' })
    const shown = await text('get_change_request', { id })
    assert.ok(shown.endsWith(`\nComment id=${comment.id} on /talked by key "Wanda": ${JSON.stringify(said)}`), shown)
    const answer = { id: String(changeRequest.number), text: 'Until 6.', inReplyTo: comment.id }
    assert.match(await text('comment_change_request', answer), new RegExp(`Answer to ${comment.id} by key "Paul"`))
    assert.match(await text('get_change_request', { id }), /\n {2}Answer to .*"Until 6\."$/)
    await succeed(agent, 'comment_change_request', { ...answer, text: 'Done.', resolve: true })
    assert.doesNotMatch(await text('get_change_request', { id }), /Comment/)
    const hidden = await fail(outsider, 'comment_change_request', { id, text: 'x' })
    assert.deepEqual([hidden.code, /list_change_requests/.test(hidden.next)], ['change_request_not_found', true])
    const wrong = await fail(agent, 'comment_change_request', { id, text: 'x', inReplyTo: id })
    assert.deepEqual([wrong.code, /get_change_request/.test(wrong.next)], ['comment_not_found', true])
    await writer.close()
  })

  it('is told when a request is published that has a time, and a writer that it is not live yet', async () => {
    const writer = await connectAs('Wanda', 'write')
    const { changeRequest } = await draft('/timed')
    const { id, number } = changeRequest
    const at = `${new Date().getUTCFullYear() + 1}-01-01T09:00:00+01:00`
    const set = await writer.callTool({ name: 'publish_change_request', arguments: { id, at } })
    const time = at.replace('T09:00:00+01:00', 'T08:00:00Z')
    assert.match(textOf(set), new RegExp(`^Not live yet: change request ${number} is published at ${time}\\.`))
    const shown = new RegExp(`^number=${number} draft .* by "Paul", to be published at ${time} `, 'm')
    assert.match(await text('get_change_request', { id }), shown)
    assert.match(await text('list_change_requests', {}), shown)
    await service.visit('/timed').expect(404)
    await writer.close()
  })

  it('names a request by its number, as a number, a text or with a sign, and by its id', async () => {
    const { id, changeRequest } = await draft('/named')
    const { number } = changeRequest
    for (const name of [number, String(number), `#${number}`, changeRequest.id, changeRequest.id.toUpperCase()])
      assert.equal((await succeed<Read>(agent, 'get_page', { id, changeRequest: name })).html, '<p>one</p>')
    const wrong = await fail(agent, 'get_page', { id, changeRequest: 'new' })
    assert.match(wrong.text, /changeRequest must be the id or the number of a change request/)
    assert.equal((await fail(agent, 'get_page', { id, changeRequest: 999 })).code, 'change_request_not_found')
  })

  it('puts files, records, batches, edits of many pages and undone changes into it, with their warnings', async () => {
    const { changeRequest } = await draft('/all')
    const to = { changeRequest: changeRequest.number }
    await succeed(agent, 'put_file', { path: '/a.txt', text: 'file', ...to })
    assert.equal((await succeed<{ content: string }>(agent, 'get_file', { path: '/a.txt', ...to })).content, 'file')
    const { id } = await succeed<{ id: string }>(agent, 'create_collection', { name: 'People', ...to })
    const record = await succeed<{ id: string }>(agent, 'create_record', { id, data: { name: 'Ada' }, ...to })
    const read = await succeed<{ data: object }>(agent, 'get_record', { id, recordId: record.id, ...to })
    assert.deepEqual(read.data, { name: 'Ada' })
    const operations = [{ op: 'put_page', path: '/b', html: '<a href="/none">b</a>' }]
    assert.match(await text('batch', { operations, ...to }), /Not live yet[^]*\/none/)
    const edits = [{ find: 'one', replace: 'two' }]
    const { commit } = await succeed<{ commit: string }>(agent, 'edit_pages', { pages: ['/all'], edits, ...to })
    await succeed(agent, 'revert_commits', { commits: [commit], ...to })
    const page = await succeed<Read>(agent, 'get_page', { id: '/all', ...to })
    assert.equal(page.html, '<p>one</p>')
    await service.visit('/a.txt').expect(404)
  })

  it('is told the next call when a request is closed, unknown or not its own, and when it names none', async () => {
    const { changeRequest } = await draft('/closed')
    await succeed(agent, 'edit_change_request', { id: changeRequest.id, state: 'closed' })
    const given = { path: '/more', html: 'x', changeRequest: changeRequest.id }
    const closed = await fail(agent, 'create_page', given)
    assert.deepEqual([closed.code, /edit_change_request.*"new"/.test(closed.next)], ['change_request_closed', true])
    const hidden = await fail(outsider, 'create_page', given)
    assert.deepEqual([hidden.code, /list_change_requests/.test(hidden.next)], ['change_request_not_found', true])
    const refused = await fail(agent, 'create_page', { path: '/more', html: 'x' })
    assert.deepEqual([refused.code, /changeRequest: "new"/.test(refused.next)], ['insufficient_scope', true])
    await succeed(agent, 'edit_change_request', { id: changeRequest.id, state: 'draft' })
    await succeed(agent, 'create_page', given)
  })

  it('is refused a list of everything in a request, with the tool that shows what it changes', async () => {
    const { changeRequest } = await draft('/listed')
    const { text: words } = await fail(agent, 'list_pages', { changeRequest: changeRequest.id })
    assert.match(words, /get_change_request/)
    await succeed(agent, 'list_pages', { prefix: '/listed', changeRequest: changeRequest.id })
  })
})
