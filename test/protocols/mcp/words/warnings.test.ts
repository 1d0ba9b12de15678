import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import type { TestService } from '../../../support/service.js'
import { connectStdio, succeed, textOf, useAgent } from '../clients.js'

interface Page {
  id: string
  etag: string
}

const page = (body: string) => `<!doctype html><title>A page</title>${body}`

describe('the answer to a write that is done', () => {
  let service: TestService
  let agent: Client
  useAgent((...started) => ([service, agent] = started))

  const say = async (name: string, given: Record<string, unknown>, client = agent) =>
    textOf(await client.callTool({ name, arguments: given }))
  const warningsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('Warning: '))

  it('warns of links to nothing as its dry run does', async () => {
    const given = { path: '/links', html: page('<a href="/nowhere">x</a>') }
    const shown = warningsIn(await say('create_page', { ...given, dryRun: true }))
    assert.deepEqual(shown, ['Warning: /links: The link to /nowhere would lead nowhere.'])
    assert.deepEqual(warningsIn(await say('create_page', given)), [
      'Warning: /links: The link to /nowhere leads nowhere.',
    ])
    const edits = [{ find: '/nowhere', replace: '/lost' }]
    const { id } = await succeed<Page>(agent, 'get_page', { id: '/links' })
    assert.match(await say('edit_page', { id, edits, ifMatch: '*' }), /The link to \/lost leads nowhere/)
    assert.match(await say('rollback_page', { id, version: 1 }), /The link to \/nowhere leads nowhere/)
  })

  it('warns of the links of other pages that it breaks', async () => {
    await succeed(agent, 'create_page', { path: '/goal', html: page('<p>x</p>') })
    await succeed(agent, 'create_page', { path: '/from', html: page('<a href="/goal">x</a>') })
    const { etag } = await succeed<Page>(agent, 'get_page', { id: '/goal' })
    assert.deepEqual(warningsIn(await say('delete_page', { id: '/goal', ifMatch: etag })), [
      'Warning: /from: The link to /goal leads nowhere.',
    ])
  })

  it('warns of a link that a page had before if its target goes with the same change', async () => {
    for (const [path, body] of [
      ['/end', '<p>x</p>'],
      ['/start', '<a href="/end">x</a>'],
    ] as const)
      await succeed(agent, 'create_page', { path, html: page(body) })
    const operations = [
      { op: 'delete_page', id: '/end' },
      { op: 'update_page', id: '/start', html: page('<a href="/end">y</a>') },
    ]
    assert.deepEqual(warningsIn(await say('batch', { operations })), [
      'Warning: /start: The link to /end leads nowhere.',
    ])
  })

  it('warns of the links of a file as its dry run does, put or edited', async () => {
    const given = { path: '/look.css', text: 'a { background: url(/no-picture.png) }' }
    const shown = warningsIn(await say('put_file', { ...given, dryRun: true }))
    assert.deepEqual(shown, ['Warning: /look.css: The link to /no-picture.png would lead nowhere.'])
    const told = shown.map((line) => line.replace('would lead', 'leads'))
    assert.deepEqual(warningsIn(await say('put_file', given)), told)
    assert.deepEqual(warningsIn(await say('put_file', { ...given, ifMatch: '*' })), [])
    const edits = [{ find: 'no-picture', replace: 'no-image' }]
    assert.deepEqual(warningsIn(await say('edit_file', { path: '/look.css', edits, ifMatch: '*' })), [
      'Warning: /look.css: The link to /no-image.png leads nowhere.',
    ])
    const put = await succeed<{ commit: string }>(agent, 'put_file', { path: '/plain.txt', text: 'x' })
    assert.match(put.commit, /^[0-9a-f]{40}$/)
    assert.match(await say('delete_file', { path: '/plain.txt', ifMatch: '*' }), /^Deleted \/plain\.txt\./)
  })

  it('warns of a text without tags, and of a page without a title, once', async () => {
    assert.match(
      await say('create_page', { path: '/markdown', html: '# Hello\n\n*x* < y' }),
      /Warning: \/markdown: .* Markdown/,
    )
    const bare = { path: '/bare', html: '<p>one</p>' }
    assert.match(await say('create_page', { ...bare, dryRun: true }), /Warning: \/bare: It has no <title>/)
    assert.match(await say('create_page', bare), /Warning: \/bare: It has no <title>/)
    assert.deepEqual(warningsIn(await say('update_page', { id: '/bare', html: '<p>two</p>' })), [])
  })

  it('names five warnings and counts the others, over many pages at once', async () => {
    const links = Array.from({ length: 8 }, (_, at) => `<a href="/gone-${at}">x</a>`).join('')
    const operations = ['a', 'b'].map((name) => ({ op: 'put_page', path: `/many/${name}`, html: page(links) }))
    const overStdio = await connectStdio({ BASE_URL: service.origin, SERVICE_API_TOKEN: service.key }, 'modern')
    const said = await say('batch', { operations }, overStdio)
    await overStdio.close()
    assert.deepEqual([warningsIn(said).length, said.endsWith('\n… and 11 more')], [5, true])
    const edits = [{ find: 'gone-1', replace: 'gone-9' }]
    // The other links were broken before.
    assert.deepEqual(warningsIn(await say('edit_pages', { prefix: '/many/', edits })), [
      'Warning: /many/a: The link to /gone-9 leads nowhere.',
      'Warning: /many/b: The link to /gone-9 leads nowhere.',
    ])
  })

  it('has no warnings if nothing is wrong, or nothing changed', async () => {
    const html = page('<a href="/fine">x</a><a href="/">start</a>')
    assert.deepEqual(warningsIn(await say('create_page', { path: '/fine', html })), [])
    assert.doesNotMatch(
      await say('update_page', { id: '/fine', html: html.replace('start', 'home'), dryRun: true }),
      /Warning/,
    )
    assert.deepEqual(warningsIn(await say('update_page', { id: '/links', html: page('<a href="/nowhere">x</a>') })), [])
  })
})
