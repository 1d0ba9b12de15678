import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from '@modelcontextprotocol/client'
import { inToolWords } from '../../../src/protocols/mcp/text/tool-words.js'
import type { TestService } from '../../support/service.js'
import { fail, succeed, useAgent } from './clients.js'

interface Page {
  id: string
  etag: string
  html: string
}

describe('slips of models', () => {
  let service: TestService
  let client: Client
  useAgent((...started) => ([service, client] = started))

  it('are corrected if they have only one meaning: text for numbers, lists and objects, one edit for a list, null for nothing', async () => {
    const made = await succeed<Page>(client, 'create_page', { path: '/slips', html: '<p>one</p>', title: null })
    const edit = { find: 'one', replace: 'two' }
    const bare = made.etag.replaceAll('"', '')
    const second = await succeed<Page>(client, 'edit_page', {
      id: made.id,
      edits: JSON.stringify([edit]),
      ifMatch: bare,
    })
    const third = { id: made.id, edits: { find: 'two', replace: 'three' }, ifMatch: second.etag }
    await succeed(client, 'edit_page', third)
    const { data } = await succeed<{ data: unknown[] }>(client, 'list_versions', { id: made.id, limit: '2' })
    assert.equal(data.length, 2)
    const { unified } = await succeed<{ unified: string }>(client, 'diff_versions', { id: made.id, from: 1, to: 3 })
    assert.match(unified, /\+<p>three<\/p>/)
    await succeed(client, 'rollback_page', { id: made.id, version: '1' })
    assert.equal((await succeed<Page>(client, 'get_page', { id: made.id })).html, '<p>one</p>')
  })

  it('are no slips where a schema has one type: a count of occurrences and the id of a commit come as text', async () => {
    const { id, etag } = await succeed<Page>(client, 'create_page', { path: '/counted', html: '<p>a a</p>' })
    const edits = [{ find: 'a', replace: 'b', occurrences: '2' }]
    await succeed(client, 'edit_page', { id, edits, ifMatch: etag })
    const again = [{ find: 'b', replace: 'c', occurrences: '2' }]
    await succeed(client, 'edit_pages', { pages: [id], edits: again })
    assert.equal((await service.visit('/counted')).text, '<p>c c</p>')
    await succeed(client, 'put_file', { path: '/counted.css', text: 'a a' })
    await succeed(client, 'edit_file', { path: '/counted.css', edits, ifMatch: '*' })
    const oid = '1'.repeat(40)
    assert.equal((await fail(client, 'rollback_page', { id, version: oid })).code, 'version_not_found')
  })

  it('are corrected in names, paths, ranges and versions that can mean only one thing', async () => {
    await succeed(client, 'create_page', { path: '/one', content: '<title>One</title>\n<p>a</p>\n<p>b</p>' })
    const { url, id } = await succeed<Page & { url: string }>(client, 'get_page', { path: '/one' })
    for (const name of [url, `${url}/`, '/one/', 'one']) {
      assert.equal((await succeed<Page>(client, 'get_page', { id: name })).id, id, name)
    }
    const elsewhere = url.replace('//', '//other-')
    assert.equal((await fail(client, 'get_page', { id: elsewhere })).code, 'page_not_found')
    for (const lines of ['2', 2, [2, 2], '2-2']) {
      assert.equal((await succeed<Page>(client, 'get_page', { id, lines })).html.trim(), '<p>a</p>')
    }
    await succeed(client, 'update_page', { path: '/one', text: '<title>Two</title>' })
    assert.match((await succeed<Page>(client, 'get_version', { id, version: 'v1' })).html, /One/)
    await succeed(client, 'put_file', { path: '/slip.css', content: 'a{}' })
    assert.equal((await service.visit('/slip.css')).text, 'a{}')
  })

  it('are told in words, not in patterns', async () => {
    const refused: [string, Record<string, unknown>, string][] = [
      ['get_page', { id: '/', lines: 'all' }, 'lines must be a range such as 10-20, or 10- for all from there on'],
      ['get_version', { id: '/', version: 'previous' }, 'version must be the number of a version, such as 1'],
      [
        'create_page',
        { path: '/m', markdown: '# Hi' },
        'markdown is not known: turn it into HTML, and send it as html',
      ],
    ]
    for (const [name, given, expected] of refused) {
      const { message } = await fail(client, name, given)
      assert.ok(message.includes(expected), message)
    }
  })

  it('are refused with the right form if they have no clear meaning', async () => {
    const right = 'edits must look like [{"find":"old text","replace":"new text"}]'
    for (const edits of [[{ old: 'a', new: 'b' }], [{ old_string: 'a', new_string: 'b' }], 'replace a by b', 7]) {
      const { code, message } = await fail(client, 'edit_page', { id: '/', edits, ifMatch: '1'.repeat(40) })
      assert.deepEqual([code, message], ['invalid_arguments', `The arguments are not valid: ${right}.`])
    }
    const filter = { id: 'events', filter: 'role=Baker' }
    assert.match((await fail(client, 'list_records', filter)).message, /filter must look like {"year":{"gte":1990}}/)
    const { message } = await fail(client, 'list_pages', { limit: 'many', color: 1 })
    assert.match(message, /limit must be an integer; color is not known|color is not known.*; limit must be an integer/)
  })

  it('never turn a number into a page', async () => {
    const { message } = await fail(client, 'create_page', { path: '/number', html: 7 })
    assert.match(message, /html must be a string/)
  })

  it('an entity tag needs no quotes in the API either', async () => {
    const made = await service.api().post('/pages').send({ path: '/bare', html: '<p>1' }).expect(201)
    const { id, etag } = made.body.data as Page
    const put = (tag: string) => service.api().put(`/pages/${id}/content`).set('If-Match', tag).send({ html: '<p>2' })
    await put('1'.repeat(40)).expect(412)
    await put(etag.replaceAll('"', '')).expect(200)
  })

  it('a refusal names tools and arguments, never endpoints and header fields', async () => {
    const nobodys = '11111111-1111-4111-8111-111111111111'
    const refused: [string, Record<string, unknown>, RegExp][] = [
      ['get_page', { id: nobodys }, /list_pages/],
      ['list_pages', { siteId: nobodys }, /list_sites/],
      ['list_pages', { accountId: nobodys }, /list_workspaces/],
      ['list_records', { id: nobodys }, /list_collections/],
      ['update_page', { id: '/', html: '<p>', ifMatch: '1'.repeat(40) }, /in ifMatch/],
      ['update_page', { id: '/', html: '<p>', ifMatch: 'no tag' }, /ifMatch must be/],
      ['create_page', { path: '/x', templateId: 'none' }, /none/],
    ]
    for (const [name, given, expected] of refused) {
      const { message } = await fail(client, name, given)
      assert.match(message, expected)
      assert.doesNotMatch(message, /[A-Z]+ \/\w|x-service|If-Match|\/html/)
    }
  })

  it('every refusal of the use cases and the store does so too', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:usecases|store|model|api)\/.*\.ts$/.test(file))
      .map((file) => readFileSync(`src/${file}`, 'utf8'))
    const messages = sources.flatMap((source) =>
      [...source.matchAll(/new ServiceError\(\s*'\w+',\s*(['"`])((?:(?!\1)[^\\])*)\1/g)].map(
        ([, , message = '']) => message,
      ),
    )
    assert.ok(messages.length > 50)
    for (const message of messages) {
      const said = inToolWords({ code: 'x', message }).message
      assert.doesNotMatch(
        said,
        /\b(GET|POST|PUT|PATCH|DELETE) \/|x-service|If-Match|Idempotency-Key|the API[?/]/,
        message,
      )
    }
  })
})
