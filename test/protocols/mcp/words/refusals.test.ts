import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import type { TestService } from '../../../support/service.js'
import { connectHttp, fail, succeed, textOf, useAgent } from '../clients.js'

interface Thing {
  id: string
  etag: string
}

describe('the next step after a refusal', () => {
  let service: TestService
  let agent: Client
  useAgent((...started) => ([service, agent] = started))

  it('names the scope that is missing', async () => {
    const site = await fail(agent, 'create_site', { slug: 'more' })
    assert.deepEqual(
      [site.code, /scope "sites"/.test(site.next), /"write"/.test(site.next)],
      ['insufficient_scope', true, false],
    )
    const { key } = await service.mint({ scopes: ['admin'], sites: [service.site.id] })
    const limited = await connectHttp(service.origin, key, 'modern')
    assert.match((await fail(limited, 'create_site', { slug: 'more' })).next, /not limited to sites/)
    await limited.close()
  })

  it('says which count to send, and which prefix holds no page', async () => {
    for (const name of ['a', 'b']) await succeed(agent, 'create_page', { path: `/menu/${name}`, html: '<p>x x</p>' })
    const edits = [{ find: 'x', replace: 'y', occurrences: 'all' }]
    const { next, text } = await fail(agent, 'edit_pages', { prefix: '/menu/', edits })
    assert.equal(next, 'Send count=4 to replace all of these places.', text)
    const nothing = await fail(agent, 'edit_pages', { prefix: '/mneu/', edits, count: 0 })
    assert.match(
      nothing.text,
      /^page_not_found: The path of no published page begins with \/mneu\/\. Nothing was changed\./,
    )
    assert.match(
      (await fail(agent, 'edit_pages', { prefix: '/menu/*', edits, dryRun: true })).text,
      /no wildcards: leave out \*/,
    )
    const missed = [{ find: 'nowhere', replace: 'y', occurrences: 'all' }]
    const said = await agent.callTool({ name: 'edit_pages', arguments: { prefix: '/menu/', edits: missed, count: 0 } })
    assert.equal(textOf(said), 'No page has it. Nothing was changed. count=0')
  })

  it('names the paths that the key may write to, for one page as for many', async () => {
    const { key } = await service.mint({ scopes: ['write'], paths: ['/blog/*', '/about'] })
    const limited = await connectHttp(service.origin, key, 'modern')
    const refused = await fail(limited, 'create_page', { path: '/shop', html: '<p>' })
    assert.match(refused.text, /may not write to \/shop\. It may write to: \/blog\/\*, \/about\./)
    assert.match(refused.next, /may write/)
    await limited.close()
  })

  it('names tools in warnings and findings, and no endpoints', async () => {
    const said = textOf(
      await agent.callTool({ name: 'create_page', arguments: { path: '/gitweb.conf', html: '<p>', asPage: true } }),
    )
    assert.doesNotMatch(said, /PUT \//)
    const { etag } = await succeed<Thing>(agent, 'get_page', { id: '/gitweb.conf' })
    const found = textOf(await agent.callTool({ name: 'check_site', arguments: {} }))
    assert.match(found, /put_file path=\/gitweb\.conf and unpublish the page \(delete_page\)/)
    await succeed(agent, 'delete_page', { id: '/gitweb.conf', ifMatch: etag })
  })
})
