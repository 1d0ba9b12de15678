import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import type { TestService } from '../../../support/service.js'
import { fail, succeed, textOf, type ToolResult, useAgent } from '../clients.js'

interface Page {
  id: string
  etag: string
  title: string | null
}

interface Batch {
  commit: string
  items: { id: string; path?: string; changed: boolean }[]
}

describe('an operation of a batch', () => {
  let service: TestService
  let agent: Client
  useAgent((...started) => ([service, agent] = started))

  const page = async (path: string) => await succeed<Page>(agent, 'create_page', { path, html: `<p>${path}</p>` })
  const run = async (...operations: object[]) => await succeed<Batch>(agent, 'batch', { operations })
  const lives = async (path: string) => (await service.visit(path)).status === 200

  it('has the name and the arguments of the tool that does the same, and names pages by path', async () => {
    for (const path of ['/one', '/two', '/three', '/four']) await page(path)
    const { etag } = await succeed<Page>(agent, 'get_page', { id: '/one' })
    await run(
      { op: 'create_page', path: '/new', html: '<p>new</p>' },
      { op: 'edit_page', id: '/one', edits: { find: '/one', replace: 'edited' }, ifMatch: etag.replaceAll('"', '') },
      { op: 'update_page', id: 'two', html: '<p>replaced</p>' },
      { op: 'retitle_page', id: '/three', title: 'Third' },
      { op: 'delete_page', id: '/four' },
      { op: 'put_page', path: '/put', html: '<p>put</p>' },
      { op: 'put_file', path: '/a.css', text: 'a{}' },
    )
    assert.deepEqual(
      [(await service.visit('/one')).text, (await service.visit('/two')).text, await lives('/four')],
      ['<p>edited</p>', '<p>replaced</p>', false],
    )
    assert.equal((await succeed<Page>(agent, 'get_page', { id: '/three' })).title, 'Third')
    assert.ok((await lives('/new')) && (await lives('/put')) && (await lives('/a.css')))
  })

  it('names a collection by its name, and a record by its id', async () => {
    await succeed(agent, 'create_collection', { name: 'events' })
    const { items } = await run(
      { op: 'create_record', id: 'events', data: { title: 'a' } },
      { op: 'create_record', collectionId: 'events', data: { title: 'b' } },
    )
    const [first, second] = items.map(({ id }) => id)
    await run(
      { op: 'update_record', collectionId: 'events', recordId: first, data: { title: 'c' } },
      { op: 'delete_record', id: 'events', recordId: second },
    )
    const { data } = await succeed<{ data: { data: object }[] }>(agent, 'list_records', { id: 'events' })
    assert.deepEqual(
      data.map((record) => record.data),
      [{ title: 'c' }],
    )
  })

  it('may have null for all that it leaves out', async () => {
    const names =
      'path html templateId title asPage ifMatch id edits text base64 url oid force collectionId data recordId'
    const nothing = Object.fromEntries(names.split(' ').map((name) => [name, null]))
    const all = async (...operations: object[]) => await run(...operations.map((each) => ({ ...nothing, ...each })))
    await page('/null')
    await succeed(agent, 'retitle_page', { id: '/null', title: 'Null' })
    await succeed(agent, 'create_collection', { name: 'nulls' })
    const edits = [{ find: '/null', replace: 'edited', pattern: null, lines: null, occurrences: null }]
    const { items } = await all(
      { op: 'create_page', path: '/null/new', html: '<p>new</p>' },
      { op: 'edit_page', id: '/null', edits, ifMatch: '*' },
      { op: 'put_file', path: '/null.css', text: 'a{}' },
      { op: 'create_record', collectionId: 'nulls', data: { title: 'a' } },
      { op: 'create_record', id: 'nulls', data: { title: null } },
    )
    await all({ op: 'retitle_page', id: '/null', title: null }, { op: 'delete_page', id: '/null/new' })
    await all({ op: 'delete_record', collectionId: 'nulls', recordId: items[3]?.id })
    const { data } = await succeed<{ data: { data: object }[] }>(agent, 'list_records', { id: 'nulls' })
    assert.deepEqual(
      data.map((record) => record.data),
      [{ title: null }],
    )
    assert.equal((await succeed<Page>(agent, 'get_page', { id: '/null' })).title, null)
    assert.deepEqual([await lives('/null/new'), await lives('/null.css')], [false, true])
  })

  it('is answered with the ids of new records alone: all else has a path that tools take', async () => {
    const answer: ToolResult = await agent.callTool({
      name: 'batch',
      arguments: {
        operations: [
          { op: 'put_page', path: '/answered', html: '<title>A</title>' },
          { op: 'put_file', path: '/answered.css', text: 'a{}' },
          { op: 'create_record', collectionId: 'events', data: { title: 'z' } },
        ],
      },
    })
    assert.match(textOf(answer), /^3 of 3 made changes, in the commit [0-9a-f]{40}\.\nNew records:\nid=[0-9a-f-]{36}$/)
  })

  it("may have the API's name, in either spelling, and be named by `type`", async () => {
    await page('/five')
    await page('/six')
    await run({ op: 'unpublishPage', id: '/five' }, { type: 'deletePage', id: '/six' })
    assert.deepEqual([await lives('/five'), await lives('/six')], [false, false])
  })

  it('gets the same answer again under the same key, by path and by name', async () => {
    await page('/again')
    await succeed(agent, 'create_collection', { name: 'again' })
    const operations = [
      { op: 'update_page', id: '/again', html: '<p>2</p>' },
      { op: 'create_record', collectionId: 'again', data: {} },
    ]
    const given = { operations, idempotencyKey: 'once' }
    const first = await succeed<Batch>(agent, 'batch', given)
    assert.deepEqual(await succeed(agent, 'batch', given), first)
  })

  it('is refused with the names that there are, and with what is named wrongly', async () => {
    const unknown = await fail(agent, 'batch', { operations: [{ op: 'copyPage', from: '/a', to: '/b' }] })
    assert.equal(unknown.code, 'invalid_arguments')
    assert.match(unknown.message, /operations\/0\/op must be one of create_page, .*, delete_record\./)
    const lost = await fail(agent, 'batch', {
      operations: [
        { op: 'delete_page', id: '/nowhere' },
        { op: 'create_record', collectionId: 'nothing', data: {} },
      ],
    })
    assert.match(lost.text, /page_not_found[^]*collection_not_found/)
    const api = await service
      .api()
      .post('/batch')
      .send({ operations: [{ op: 'copyPage' }] })
      .expect(400)
    assert.match(JSON.stringify(api.body), /must be one of createPage, .*deleteRecord/)
  })
})
