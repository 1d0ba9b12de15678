import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { put } from '../client.js'
import { within } from '../../support/within.js'
import { connectHttp, textOf } from '../../protocols/mcp/clients.js'

/** Debian's git-doc and debian-faq, which .ci/run installs, by the path below which their pages are published. */
const CORPORA = { '': '/usr/share/doc/git/html', '/faq': '/usr/share/doc/debian/FAQ' }
const SENTENCE = 'This option defaults to never.'
const CORRECTED = 'This option defaults to never, unless an operator says otherwise.'

interface Page {
  path: string
  html: string
}

describe('a day of an agent, on the pages of git-doc and debian-faq', function () {
  let service: TestService
  let agent: Client
  const spent: Record<string, number> = {}
  /** The most tokens that each step may cost. */
  const bounds: Readonly<Record<string, number>> = {
    sentence: 373,
    navigation: 1_300,
    'see it': 150,
    undo: 900,
    links: 2_500,
    records: 900,
  }

  before(async () => {
    for (const folder of Object.values(CORPORA))
      assert.ok(existsSync(folder), `${folder} is not there: apt-get install git-doc debian-faq`)
    service = await startOwnService()
    await publishAll(service, corpus())
    agent = await connectHttp(service.origin, service.key, 'modern')
    // On a busy machine the index of so many pages is complete some seconds after the last answer.
    await within(60_000, async () => void (await service.api().get('/search?q=never').expect(200)))
  })
  after(async () => {
    await agent?.close()
    await service?.stop()
  })

  /** Calls a tool, and counts what a model writes and reads: 4 bytes are a token. */
  const call = async (step: string, name: string, given: Record<string, unknown>): Promise<string> => {
    const answer = await agent.callTool({ name, arguments: given })
    const text = textOf(answer)
    assert.notEqual(answer.isError, true, `${name}: ${text}`)
    spent[step] =
      (spent[step] ?? 0) +
      Math.ceil((Buffer.byteLength(JSON.stringify({ name, arguments: given })) + Buffer.byteLength(text)) / 4)
    return text
  }

  it('finds a sentence by its text and corrects it in a long page', async () => {
    const found = await call('sentence', 'search_pages', { q: SENTENCE, prefix: '/git-config', limit: 2 })
    assert.match(found, /\/git-config/)
    const etag = /etag="?([0-9a-f]{40})/.exec(found)?.[1] ?? (await etagOf('/git-config'))
    await call('sentence', 'edit_page', {
      id: '/git-config',
      edits: [{ find: SENTENCE, replace: CORRECTED }],
      ifMatch: etag,
    })
    assert.ok((await service.visit('/git-config')).text.includes(CORRECTED))
  })

  it('puts a navigation into 25 pages in one commit, previews it first, and undoes it as one', async () => {
    const key = (await service.mint()).key
    const paths = (await pathsWith('/git-c')).slice(0, 25)
    assert.equal(paths.length, 25)
    const [first = '', second = ''] = paths
    const html = (await service.visit(first)).text
    const edits = [{ find: '<body class="manpage">', replace: '<body class="manpage"><nav>Guide</nav>' }]
    const since = new Date(Math.floor(Date.now() / 1000) * 1000 + 1000).toISOString()
    // Commit times are whole seconds: the agent's earlier work must not count.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const shown = await call('navigation', 'edit_pages', { pages: paths, edits, dryRun: true, maxTokens: 500 })
    assert.match(shown, /^Dry run: would change 25 places on 25 pages/)
    await call('navigation', 'edit_pages', { pages: paths, edits, reason: 'navigation' })
    const seen = await call('see it', 'list_commits', { author: 'me', limit: 1 })
    assert.match(seen, /by you "navigation" \("Change 25 pages"\) by /)

    // Two later versions by another author, in pages that the navigation changed.
    for (const path of [first, second]) {
      const now = (await service.visit(path)).text
      await put(service.api(key), path, now.replace('</body>', '<p>A remark of somebody else.</p></body>'))
    }
    const preview = await call('undo', 'undo_my_changes', { since, dryRun: true, maxTokens: 500 })
    assert.match(preview, /^Dry run: would undo 1 commit:/)
    const undone = await call('undo', 'undo_my_changes', { since })
    assert.match(undone, /^Undid 1 commit/)
    assert.equal((await service.visit(first)).text, html.replace('</body>', '<p>A remark of somebody else.</p></body>'))
    for (const path of paths) assert.ok(!(await service.visit(path)).text.includes('<nav>Guide'), path)
    assert.match(git(service.gitdir(), 'log', '-1', '--format=%B', 'main'), /^Revert "navigation"/)
  })

  it('repairs all broken links of the site', async () => {
    const report = await call('links', 'check_site', {})
    const targets = [...report.matchAll(/^Broken link to (\S+) on/gm)].map(([, target = '']) => target)
    assert.ok(targets.length > 0, report)
    // Debian does not publish these files: the agent keeps the text of links, and drops images and style sheets.
    const lost = `"(?:[^"]*/)?(?:${targets.map((target) => basename(target).replaceAll('.', '\\.')).join('|')})(?:#[^"]*)?"`
    const edits = [
      { pattern: `<a [^>]*href=${lost}[^>]*>`, replace: '<a>', occurrences: 'all' },
      { pattern: `<(?:img|link) [^>]*(?:src|href)=${lost}[^>]*>`, replace: '', occurrences: 'all' },
    ]
    const shown = await call('links', 'edit_pages', { prefix: '/', edits, dryRun: true, maxTokens: 500 })
    const count = Number(/count=(\d+)/.exec(shown)?.[1])
    await call('links', 'edit_pages', { prefix: '/', edits, count, reason: 'broken links' })
    // The manual has a page of the name of the file that it explains.
    assert.match(await call('links', 'check_site', {}), /^gitweb\.conf\.html: The page .* is sent as HTML, .*$/)
  })

  it('builds a page from records', async () => {
    await call('records', 'create_collection', {
      name: 'events',
      schema: { type: 'object', properties: { title: { type: 'string' } } },
    })
    const titles = ['Spring meeting', 'Summer school', 'Autumn fair']
    for (const title of titles)
      await call('records', 'create_record', { id: 'events', data: { title }, idempotencyKey: title.replace(' ', '-') })
    const listed = await call('records', 'list_records', { id: 'events' })
    const html = `<title>Events</title><ul>${titles.map((title) => `<li>${title}</li>`).join('')}</ul>`
    assert.ok(titles.every((title) => listed.includes(title)))
    await call('records', 'create_page', { path: '/events', html })
    assert.equal((await service.visit('/events')).text, html)
  })

  it('costs under 373 tokens for the sentence, under 8,000 in all, and for each step at most its bound', () => {
    for (const [step, tokens] of Object.entries(spent)) assert.ok(tokens < (bounds[step] ?? 0), `${step}: ${tokens}`)
    const total = Object.values(spent).reduce((sum, tokens) => sum + tokens, 0)
    assert.ok(total < 8_000, JSON.stringify(spent))
    if (process.env['SHOW_TOKENS'] !== undefined) process.stdout.write(`${JSON.stringify({ ...spent, total })}\n`)
  })

  const etagOf = async (path: string): Promise<string> => {
    const listed = await call('sentence', 'list_pages', { path })
    return /etag="([0-9a-f]{40})"/.exec(listed)?.[1] ?? assert.fail(listed)
  }
  const pathsWith = async (prefix: string): Promise<string[]> => {
    const { body } = await service.api().get(`/pages?prefix=${prefix}&limit=1000`).expect(200)
    return (body.data as Page[]).map(({ path }) => path)
  }
})

/** The longest page, /git-config, is among them. */
function corpus(): Page[] {
  return Object.entries(CORPORA).flatMap(([prefix, folder]) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && statSync(join(folder, name)).isFile())
      .map((name) => ({
        path: `${prefix}/${name.replace(/\.html$/, '')}`,
        html: readFileSync(join(folder, name), 'utf8'),
      })),
  )
}

async function publishAll(service: TestService, pages: readonly Page[]): Promise<void> {
  const once = new Map(pages.map((page) => [page.path.toLowerCase(), page]))
  const operations = [...once.values()].map(({ path, html }) => ({ op: 'putPage', path, html }))
  for (let at = 0; at < operations.length; at += 50) {
    await service
      .api()
      .post('/batch')
      .send({ operations: operations.slice(at, at + 50) })
      .expect(200)
  }
}
