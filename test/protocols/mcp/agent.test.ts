import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import supertest from 'supertest'
import type { TestService } from '../../support/service.js'
import { ASKS_FOR_DATA, fail, programData, succeed, textOf, useAgent } from './clients.js'

interface Page {
  id: string
  etag: string
  html: string
  lines: { from: number; to: number; total: number }
}

describe('an agent at work', () => {
  let service: TestService
  let agent: Client
  useAgent((...started) => ([service, agent] = started))

  it('finds a page among 1,000, edits a sentence, is refused as stale, reads again, retries, and rolls back', async () => {
    for (const half of [0, 500]) {
      const operations = Array.from({ length: 500 }, (_, i) => ({ op: 'createPage', ...pageOf(half + i) }))
      await service.api().post('/batch').send({ operations }).expect(200)
    }
    const found = await succeed<{ data: { id: string }[] }>(agent, 'list_pages', { q: 'recipe number 731' })
    const [{ id } = { id: '' }] = found.data
    assert.equal(found.data.length, 1)

    const part = await succeed<Page>(agent, 'get_page', { id, lines: '40-42' })
    assert.deepEqual([part.html.trimEnd().split('\n').length, part.lines], [3, { from: 40, to: 42, total: 102 }])
    const edits = [{ find: '<p>Step 41 of 731</p>', replace: '<p>Rest for an hour</p>' }]

    const other = pageOf(731).html.replace('Step 7 ', 'Step seven ')
    await service.api().put(`/pages/${id}/content`).send({ html: other }).expect(200)
    const stale = await fail(agent, 'edit_page', { id, edits, ifMatch: part.etag })
    assert.equal(stale.code, 'precondition_failed')
    assert.match(stale.text, /-<p>Step 7 of 731<\/p>\n\+<p>Step seven of 731<\/p>/)
    assert.match(stale.next, /ifMatch/)

    const again = await succeed<Page>(agent, 'get_page', { id, lines: '40-42' })
    await succeed(agent, 'edit_page', { id, edits, ifMatch: again.etag })
    const live = await service.visit('/recipes/731')
    assert.ok(live.text.includes('Rest for an hour') && live.text.includes('Step seven'))

    await succeed(agent, 'rollback_page', { id, version: 1 })
    assert.equal((await service.visit('/recipes/731')).text, pageOf(731).html)
  })

  it('tries a change first, and learns that nothing was published, where to look, and which links would break', async () => {
    const html = '<p>before</p>'
    const { id, etag } = await succeed<Page>(agent, 'create_page', { path: '/tried', html })
    const edits = [{ find: 'before', replace: '<a href="/nowhere">after</a>' }]
    const given = { id, edits, ifMatch: etag, dryRun: true }
    const tried = await agent.callTool({ name: 'edit_page', arguments: given, _meta: ASKS_FOR_DATA })
    const { dryRun } = programData<{ dryRun: { previewUrl: string } }>(tried)
    const said = textOf(tried)
    assert.match(said, /^Dry run, nothing was published: \/tried would be published as version=2/)
    assert.ok(said.includes(dryRun.previewUrl) && said.includes('Warning: /tried: The link to /nowhere'), said)
    const { host, pathname } = new URL(dryRun.previewUrl)
    assert.match((await supertest(service.origin).get(pathname).set('Host', host)).text, /after/)
    assert.equal((await service.visit('/tried')).text, html)
    const same = { id, html, dryRun: true }
    assert.match(textOf(await agent.callTool({ name: 'update_page', arguments: same })), /\/tried would not change id=/)
  })

  it('gets a long page in parts that end with a line, each with the range of the next part', async () => {
    const html = Array.from({ length: 3000 }, (_, i) => `<p>${i} ${'x'.repeat(40)}</p>`).join('\n')
    const { id } = await succeed<Page>(agent, 'create_page', { path: '/long', html })
    const first = textOf(await agent.callTool({ name: 'get_page', arguments: { id } }))
    assert.match(first, /^Lines 1-\d+ of 3000, characters 1-\d+ of \d+\. Go on with chars=\d+-$/m)
    const read: string[] = []
    for (let next: string | undefined = '1-'; next !== undefined; ) {
      const said = textOf(await agent.callTool({ name: 'get_page', arguments: { id, chars: next, maxTokens: 20_000 } }))
      assert.ok(Buffer.byteLength(said) <= 80_000)
      read.push(/<(page-content-\S+)>\n([^]*)\n<\/\1>$/.exec(said)?.[2] ?? '')
      ;[, next] = /Go on with chars=(\S+)/.exec(said) ?? []
    }
    assert.ok(read.length > 1)
    assert.equal(read.join('\n'), html)
  })
})

function pageOf(number: number): { path: string; title: string; html: string } {
  const steps = Array.from({ length: 100 }, (_, i) => `<p>Step ${i} of ${number}</p>`)
  return {
    path: `/recipes/${number}`,
    title: `Recipe number ${number}`,
    html: ['<!doctype html>', `<title>Recipe number ${number}</title>`, ...steps].join('\n'),
  }
}
