import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { startOwnService, type TestService } from '../../../support/service.js'
import { connectHttp, textOf } from '../clients.js'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2_000, 7)])

describe('an agent pays in tokens', () => {
  let service: TestService
  let agent: Client
  let pictures: Server
  let origin: string
  before(async () => {
    service = await startOwnService({ env: { REMOTE_ALLOW_PRIVATE: '127.0.0.1' } })
    agent = await connectHttp(service.origin, service.key, 'modern')
    pictures = createServer((_, answer) => answer.end(PNG)).listen(0, '127.0.0.1')
    await once(pictures, 'listening')
    origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`
  })
  after(async () => {
    await agent.close()
    pictures.close()
    pictures.closeAllConnections()
    await service.stop()
  })

  /** Calls a tool that must succeed, and counts what a model writes and reads: 4 bytes are a token. */
  async function call(
    name: string,
    given: Record<string, unknown>,
  ): Promise<{ text: string; out: number; in: number }> {
    const answer = await agent.callTool({ name, arguments: given })
    const text = textOf(answer)
    assert.notEqual(answer.isError, true, text)
    const tokens = (each: string) => Math.ceil(Buffer.byteLength(each) / 4)
    return { text, out: tokens(JSON.stringify({ name, arguments: given })), in: tokens(text) }
  }

  it('at most 373 to find a sentence by its text in a page of 400 KB, and to correct it', async () => {
    const option = (at: number) =>
      `<dt id="option-${at}">option.${at}</dt>\n<dd><p>Says how often the option ${at} of the manual is read.</p></dd>\n`
    const list = Array.from({ length: 4_000 }, (_, at) => option(at)).join('')
    const html = `<!doctype html>\n<title>Options</title>\n<dl>\n${list}</dl>\n<p>This option defaults to never.</p>\n`
    await service.api().post('/pages').send({ path: '/manual/options', html }).expect(201)
    const spent = [
      await call('search_pages', { q: 'This option defaults to never.', limit: 2 }),
      await call('get_page', { id: '/manual/options', find: 'defaults to never.' }),
    ]
    const [, ifMatch] = /etag="?([0-9a-f]{40})/.exec(spent[1]?.text ?? '') ?? []
    const edits = [{ find: 'defaults to never.', replace: 'defaults to never, unless an operator says otherwise.' }]
    spent.push(await call('edit_page', { id: '/manual/options', edits, ifMatch }))
    assert.match((await service.visit('/manual/options')).text, /unless an operator says otherwise/)
    const sum = spent.reduce((all, each) => all + each.out + each.in, 0)
    assert.ok(sum <= 373, `${sum} tokens`)
  })

  it('at most 2,500 to publish a folder of 30 files, of which 9 are pictures by their URL', async () => {
    const operations = folder(origin)
    assert.equal(operations.length, 30)
    const spent = await call('batch', { operations, reason: 'The site of the bakery' })
    assert.deepEqual((await service.visit('/img/bread-3.png')).body, PNG)
    assert.ok(spent.out + spent.in <= 2_500, `${spent.out} + ${spent.in} tokens`)
    // The arguments are the site itself. The answer is short, whatever the number of files.
    assert.ok(spent.in <= 50, spent.text)
  })
})

/** A small site as an agent publishes it: 18 pages, a style sheet, a script, rules, and pictures. */
function folder(origin: string): Record<string, string>[] {
  const page = (path: string, title: string, text: string) => ({
    op: 'put_page',
    path,
    html: `<!doctype html><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/style.css"><nav><a href="/">Home</a></nav><h1>${title}</h1><p>${text}</p>`,
  })
  const breads = Array.from({ length: 9 }, (_, at) => at + 1)
  return [
    page('/', 'Bakery', 'We bake each morning.'),
    ...['about', 'contact', 'hours', 'jobs', 'news', 'prices', 'press', 'terms'].map((name) =>
      page(`/${name}`, name, `All about ${name}.`),
    ),
    ...breads.map((at) => page(`/breads/${at}`, `Bread ${at}`, `<img src="/img/bread-${at}.png" alt="Bread ${at}">`)),
    { op: 'put_file', path: '/style.css', text: 'body{font:1rem/1.5 sans-serif;max-width:40rem;margin:auto}' },
    { op: 'put_file', path: '/menu.js', text: "document.querySelector('nav').hidden=false" },
    { op: 'put_file', path: '/_redirects', text: '/old-menu /prices 301\n' },
    ...breads.map((at) => ({ op: 'put_file', path: `/img/bread-${at}.png`, url: `${origin}/bread-${at}.png` })),
  ]
}
