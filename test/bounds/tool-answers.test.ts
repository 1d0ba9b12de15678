import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { array, assert as check, constantFrom, integer, property, string } from 'fast-check'
import { boundOf } from '../../src/protocols/mcp/text/bound.js'
import { TOOLS } from '../../src/protocols/mcp/tools/tool-table.js'
import { refusalResult } from '../../src/protocols/mcp/text/refusal-result.js'
import { entryTexts, shortListText, shortText } from '../../src/protocols/mcp/text/short-text.js'
import { startOwnService, type TestService } from '../support/service.js'
import { ASKS_FOR_DATA, connectHttp, programData, succeed, textOf } from '../protocols/mcp/clients.js'

/** Greek, Arabic, Devanagari, Chinese, Thai, emoji of two code units and with joiners, and letters outside the first plane. */
const SCRIPTS = 'αβγ العربية हिन्दी 漢字かな ภาษาไทย 😀👩‍💻 𐍈𝒜 e\u0301 '

const PAGES: Readonly<Record<string, string>> = {
  'one line': `<p>${'word '.repeat(53_000)}</p>`,
  '100,000 lines': '<p>x</p>\n'.repeat(100_000),
  '10 MiB': `<pre>${`${'y'.repeat(79)}\n`.repeat(131_000)}</pre>`,
  CRLF: '<p>one</p>\r\n'.repeat(20_000),
  'every script on one line': `<p>${SCRIPTS.repeat(4_000)}</p>`,
  'every script by lines': `<h2>${SCRIPTS}</h2>\r\n`.repeat(4_000),
}

interface Page {
  id: string
  etag: string
}

interface Drafted {
  changeRequest: { id: string }
}

describe('an answer of a tool', () => {
  let service: TestService
  let client: Client
  before(async () => {
    service = await startOwnService({ env: { MAX_HTML_BYTES: '12000000' } })
    client = await connectHttp(service.origin, service.key, 'modern')
  })
  after(async () => {
    await client.close()
    await service.stop()
  })

  async function call(name: string, given: Record<string, unknown>): Promise<string> {
    const result = await client.callTool({ name, arguments: given, _meta: ASKS_FOR_DATA })
    const text = textOf(result)
    const bytes = boundOf(given['maxTokens'])
    assert.ok(
      Buffer.byteLength(text) <= bytes,
      `${name} ${JSON.stringify(given).slice(0, 200)}: ${Buffer.byteLength(text)}`,
    )
    assert.ok(text.isWellFormed())
    assert.ok(JSON.stringify(programData(result) ?? null).length <= 80_000)
    return text
  }

  for (const [kind, html] of Object.entries(PAGES)) {
    it(`stays within its bound for a page of ${kind}: read in every form, compared, changed in a dry run, stale, as a resource`, async () => {
      const path = `/${kind.replaceAll(/\W/g, '')}`
      const { id, etag } = await succeed<Page>(client, 'create_page', { path, html: `<p>before</p>` })
      await succeed(client, 'update_page', { id, html })
      for (const as of ['html', 'text', 'markdown', 'outline'])
        for (const maxTokens of as === 'html' ? [undefined, 500, 1_000_000] : [500])
          await call('get_page', { id, as, ...(maxTokens !== undefined && { maxTokens }) })
      await call('get_page', { id, lines: '1-' })
      await call('get_page', { id, chars: '101-', maxTokens: 600 })
      await call('get_page', { id, selector: 'p, h2, pre' })
      await call('get_version', { id, version: 2 })
      await call('diff_versions', { id })
      await call('diff_versions', { id, chars: '1001-', maxTokens: 700 })
      await call('update_page', { id, html: '<p>after</p>', dryRun: true })
      await call('update_page', { id, html: '<p>after</p>', ifMatch: etag })
      await call('edit_page', { id, edits: [{ find: 'o', replace: '' }], ifMatch: etag })
      const { contents } = await client.readResource({ uri: `palimpsest://demo${path}` })
      assert.ok(
        Buffer.byteLength(contents.map((content) => ('text' in content ? content.text : '')).join('')) <= 16_000,
      )
    })
  }

  it('leads to the end of a page of one line by characters, and loses nothing', async () => {
    const html = PAGES['every script on one line'] ?? ''
    let read = ''
    for (let next: string | undefined = '1-'; next !== undefined; ) {
      const text = await call('get_page', { id: '/everyscriptononeline', chars: next, maxTokens: 20_000 })
      read += /<(page-content-\S+)>\n([^]*)\n<\/\1>$/.exec(text)?.[2] ?? ''
      ;[, next] = /Go on with chars=(\S+)/.exec(text) ?? []
    }
    assert.equal(read, html)
  })

  it('names the URIs by which a resource is read to its end', async () => {
    let read = ''
    for (let uri = 'palimpsest://demo/CRLF'; uri !== ''; ) {
      const [first, second] = (await client.readResource({ uri })).contents as { uri: string; text: string }[]
      read += first?.text ?? ''
      uri = second?.uri ?? ''
    }
    assert.equal(read, PAGES['CRLF'])
  })

  it('ends a list of long entries sooner, with a cursor for the rest, and shows a long entry alone', async () => {
    const { id } = await succeed<Page>(client, 'create_collection', { name: 'Long' })
    for (const length of [30_000, 10, 3_000, 3_000, 3_000, 3_000]) {
      const record = await succeed<Page>(client, 'create_record', { id, data: { text: '漢'.repeat(length) } })
      await call('get_record', { id, recordId: record.id, maxTokens: 500 })
    }
    let seen = 0
    let cursor: string | undefined
    do {
      const text = await call('list_records', { id, ...(cursor !== undefined && { cursor }) })
      seen += [...text.matchAll(/^id=/gm)].length
      ;[, cursor] = /There are more: pass cursor=(\S+)/.exec(text) ?? []
    } while (cursor !== undefined)
    assert.equal(seen, 6)
  })

  it('stays within its bound for a site of many pages, files and change requests with long names, for every tool', async () => {
    const long = (at: number) => `/${'長'.repeat(60)}/${at}-${'x'.repeat(120)}`
    const broken = Array.from({ length: 20 }, (_, at) => `<a href="/gone-${at}-${'y'.repeat(150)}">x</a>`).join('\n')
    const operations = Array.from({ length: 60 }, (_, at) => [
      { op: 'putPage', path: long(at), title: SCRIPTS.repeat(3), html: `<p>word</p><a href="/hub">x</a>\n${broken}` },
      { op: 'putFile', path: `${long(at)}.css`, text: 'a{}' },
    ]).flat()
    const { id: hub } = await succeed<Page>(client, 'create_page', { path: '/hub', html: '<p>hub</p>' })
    const { commit } = await succeed<{ commit: string }>(client, 'batch', { operations })
    const draft = async (at: number) => {
      const given = { path: `/drafted${long(at)}`, html: 'x', changeRequest: 'new' }
      return (await succeed<Drafted>(client, 'create_page', given)).changeRequest.id
    }
    const requestId = await draft(0)
    const changes = operations.map((each) => ({
      ...each,
      ifMatch: '*',
      ...(each.op === 'putPage' ? { html: 'y' } : { text: 'y' }),
    }))
    await succeed(client, 'batch', { operations: changes, changeRequest: requestId })
    await succeed(client, 'edit_change_request', { id: requestId, title: SCRIPTS.repeat(3) })
    for (let at = 1; at < 20; at += 1) {
      await succeed(client, 'comment_change_request', { id: requestId, text: SCRIPTS.repeat(10), path: long(0) })
      await draft(at)
    }
    const pages = [long(0), long(1)]
    const calls: [name: string, given: Record<string, unknown>][] = [
      ['list_pages', { limit: 1000 }],
      ['search_pages', { q: 'word', limit: 100 }],
      ['list_backlinks', { id: hub, limit: 1000 }],
      ['list_files', { limit: 1000 }],
      ['list_commits', {}],
      ['get_commit', { oid: commit }],
      ['check_site', {}],
      ['list_versions', { id: hub }],
      ['delete_page', { id: '/hub', ifMatch: '*', dryRun: true }],
      ['batch', { operations: changes, dryRun: true }],
      ['edit_pages', { pages, edits: [{ find: 'x', replace: 'z', occurrences: 'all' }], dryRun: true }],
      ['edit_pages', { pages, edits: [{ find: 'nowhere', replace: 'z' }], dryRun: true }],
      ['revert_commits', { commits: [commit], dryRun: true }],
      ['undo_my_changes', { since: '2000-01-01T00:00:00Z', dryRun: true }],
      ['list_change_requests', { limit: 1000 }],
      ['get_change_request', { id: requestId }],
      ['list_collections', {}],
      ['list_sites', {}],
      ['list_templates', {}],
      ['list_workspaces', {}],
      ['get_me', {}],
      ['get_usage', {}],
      ['create_page', { path: long(0), html: 'x' }],
      ['retitle_page', { id: long(0), title: SCRIPTS.repeat(3) }],
      ['rollback_page', { id: hub, version: 9 }],
      ['get_file', { path: `${long(0)}.css` }],
      ['edit_file', { path: `${long(0)}.css`, edits: [{ find: 'a', replace: 'b' }], ifMatch: '*', dryRun: true }],
      ['put_file', { path: `${long(0)}.css`, text: 'b{}' }],
      ['put_file', { path: `${long(0)}.css`, text: 'b{}', ifMatch: '"0000000000000000000000000000000000000000"' }],
      ['delete_file', { path: `${long(0)}.css`, dryRun: true }],
    ]
    for (const [name, given] of calls) await call(name, { ...given, maxTokens: 500 })
    const reading = TOOLS.filter(({ effect }) => effect === 'reads').map(({ name }) => name)
    const others = reading.filter((name) => calls.every(([used]) => used !== name))
    // Other tests here call them, except search_records, which answers like list_records.
    assert.deepEqual(others.toSorted(), [
      'diff_versions',
      'get_page',
      'get_record',
      'get_version',
      'list_records',
      'search_records',
    ])
    let cursor: string | undefined
    do {
      const part = await resourcesFrom(cursor)
      const bytes = Buffer.byteLength(JSON.stringify(part.resources))
      assert.ok(bytes <= 16_000 + part.resources.length, `${part.resources.length} resources: ${bytes}`)
      cursor = part.nextCursor
    } while (cursor !== undefined)
  })

  /** One part of the list: the client of the SDK reads them all at once. */
  async function resourcesFrom(cursor: string | undefined): Promise<{ resources: object[]; nextCursor?: string }> {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await fetch(`${service.origin}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/list', params }),
    })
    const [, message = ''] = /^(?:[^{]*data: )?(\{.*\})\s*$/s.exec(await answer.text()) ?? []
    return (JSON.parse(message) as { result: { resources: object[]; nextCursor?: string } }).result
  }

  it('stays within its bound for any content, also if it is a refusal', () => {
    const text = array(constantFrom(SCRIPTS, 'x'.repeat(500), '\n', '\ud800', '"\\', '\u202e'), { maxLength: 60 }).map(
      (all) => all.join(''),
    )
    check(
      property(text, text, string(), integer({ min: 0, max: 3_000 }), (path, html, title, maxTokens) => {
        const bytes = boundOf(maxTokens)
        const page = {
          path,
          status: 'published',
          version: { number: 1 },
          id: 'i',
          etag: 'e',
          url: `http://x${path}`,
          title,
          html,
        }
        const said = [
          shortText('page', page, bytes),
          shortListText(
            entryTexts(
              'page',
              Array.from({ length: 9 }, () => page),
            ),
            'cursor',
            bytes,
          ),
          shortListText(entryTexts('record', [{ id: 'i', etag: 'e', data: { html } }]), null, bytes),
          textOf(refusalResult({ code: 'conflict', message: path, details: { diff: html, title } }, bytes)),
        ]
        for (const answer of said) assert.ok(Buffer.byteLength(answer) <= bytes, answer.slice(0, 300))
      }),
    )
  })
})
