import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { connectHttp, fail, succeed } from './clients.js'

interface Thing {
  id: string
  etag: string
  siteId: string
}

describe('names instead of ids', () => {
  let service: TestService
  let client: Client
  let second: string
  before(async () => {
    service = await startTestService()
    const admin = await service.mint({ scopes: ['admin'] })
    const made = await service.api(admin.key).post('/sites').send({ slug: 'second-name' }).expect(201)
    second = (made.body.data as Thing).id
    client = await connectHttp(service.origin, service.key, 'modern')
  })
  after(async () => {
    await client.close()
    await service.stop()
  })

  it('can be the path of a page, published or not, and the slug of a site', async () => {
    const html = '<p>one</p>'
    const here = await succeed<Thing>(client, 'create_page', { path: '/named', html })
    const there = await succeed<Thing>(client, 'create_page', { path: '/named', html, siteId: 'second-name' })
    assert.deepEqual([here.siteId, there.siteId], [service.site.id, second])

    const read = await succeed<Thing>(client, 'get_page', { id: 'named', siteId: 'second-name' })
    assert.equal(read.id, there.id)
    await succeed(client, 'delete_page', { id: '/named', ifMatch: here.etag })
    const { data } = await succeed<{ data: unknown[] }>(client, 'list_versions', { id: '/named' })
    assert.equal(data.length, 2)
  })

  it('can be the name of a collection, and are refused if a push brought a second one', async () => {
    const made = await succeed<Thing>(client, 'create_collection', { name: 'Events' })
    await succeed(client, 'create_record', { id: 'Events', data: { year: 1990 } })
    const { data } = await succeed<{ data: unknown[] }>(client, 'list_records', { id: made.id })
    assert.equal(data.length, 1)

    const again = await fail(client, 'create_collection', { name: 'Events' })
    assert.equal(again.code, 'name_taken')
    assert.ok(again.text.includes(made.id), again.text)

    const twin = '0c000000-0000-4000-8000-000000000009'
    await withClone(service.gitdir(service.site.slug), (folder) => {
      writeFileSync(join(folder, `collections/${twin}.json`), JSON.stringify({ id: twin, name: 'Events' }))
      git(folder, 'add', '.')
      git(folder, 'commit', '-q', '-m', 'A second collection')
      git(folder, 'push', '-q')
    })
    const { code, text } = await fail(client, 'list_records', { id: 'Events' })
    assert.equal(code, 'ambiguous_id')
    assert.ok(text.includes(made.id) && text.includes(twin), text)
  })

  it('are refused if unknown, with the tool that lists the names', async () => {
    const page = await fail(client, 'get_page', { id: '/nowhere' })
    assert.match(page.text, /^page_not_found: There is no page with this path: "\/nowhere".\nNext: .*list_pages/)
    const site = await fail(client, 'list_pages', { siteId: 'nowhere' })
    assert.match(site.text, /^site_not_found: .*"nowhere".\nNext: .*list_sites/)
    const collection = await fail(client, 'list_records', { id: 'nothing' })
    assert.match(collection.text, /^collection_not_found: .*"nothing".\nNext: .*list_collections/)
    assert.equal((await fail(client, 'get_page', { id: '/a//b' })).code, 'invalid_path')
  })

  it('are not found for a site that the key may not see, in its own workspace or another', async () => {
    const limited = await service.mint({ scopes: ['write'], sites: [service.site.id] })
    const other = await connectHttp(service.origin, limited.key, 'modern')
    assert.equal((await fail(other, 'list_pages', { siteId: 'second-name' })).code, 'site_not_found')
    await other.close()
  })

  it('are not needed for the only site that a key sees, even if it is not the default site', async () => {
    const limited = await service.mint({ scopes: ['write'], sites: [second] })
    const other = await connectHttp(service.origin, limited.key, 'modern')
    const made = await succeed<Thing>(other, 'create_page', { path: '/only', html: '<p>' })
    assert.equal(made.siteId, second)
    await other.close()
  })
})
