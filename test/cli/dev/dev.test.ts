import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../scenarios/commands.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { type RunningDev, runDev } from './run-dev.js'

describe('palimpsest dev', () => {
  let folder: string
  let dev: RunningDev

  const write = (name: string, text: string | Buffer) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const visit = async (path: string, init: RequestInit = {}) =>
    await fetch(dev.origin + path, { redirect: 'manual', ...init })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-dev-'))
    write('index.html', '<!doctype html><title>Home</title>')
    write('about.html', '<h1>About</h1>')
    write('docs/index.html', '<h1>Docs</h1>')
    write('docs/404.html', '<h1>No such chapter</h1>')
    write('style.css', 'h1 { color: teal }')
    write('film.mp4', Buffer.from('0123456789'))
    write('node_modules/tool/index.html', '<h1>of a package</h1>')
    write('.draft.html', '<h1>hidden</h1>')
    write('_redirects', '/old /about 301\n/app/* /index.html 200\nwrong\n')
    write('_headers', '/about\n  X-Of-Site: yes\n/style.css\n  Cache-Control: max-age=600\n')
    dev = await runDev(folder)
  })
  after(async () => {
    assert.deepEqual(await dev.end('SIGINT'), { code: 0 })
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers at the addresses of the site, with their redirects', async () => {
    for (const [path, text] of [
      ['/', 'Home'],
      ['/about', 'About'],
      ['/docs/', 'Docs'],
      ['/style.css', 'teal'],
    ] as const) {
      const answer = await visit(path)
      assert.equal(answer.status, 200, path)
      assert.match(await answer.text(), new RegExp(text))
    }
    for (const [path, status, location] of [
      ['/about/', 308, '/about'],
      ['/docs', 308, '/docs/'],
      ['/old', 301, '/about'],
    ] as const) {
      const answer = await visit(path)
      assert.deepEqual([answer.status, answer.headers.get('Location')], [status, location])
    }
    assert.match(await (await visit('/app/any')).text(), /Home/)
  })

  it('answers 404 with the page of the nearest folder, and for what publish leaves out', async () => {
    const missing = await visit('/docs/none')
    assert.equal(missing.status, 404)
    assert.match(await missing.text(), /No such chapter/)
    for (const path of ['/none', '/node_modules/tool/', '/.draft', '/.draft.html', '/_redirects', '/%zz'])
      assert.equal((await visit(path)).status, 404, path)
    assert.match(await (await visit('/sitemap.xml')).text(), /The service makes sitemap\.xml/)
  })

  it('sends the fields of the rules and the type of each file, and lets nothing be kept', async () => {
    const page = await visit('/about')
    assert.equal(page.headers.get('X-Of-Site'), 'yes')
    const style = await visit('/style.css')
    assert.match(style.headers.get('Content-Type') ?? '', /^text\/css/)
    assert.equal(style.headers.get('Cache-Control'), 'no-store')
  })

  it('sends the part of a film that a player asks for', async () => {
    const part = await visit('/film.mp4', { headers: { Range: 'bytes=2-4' } })
    assert.deepEqual([part.status, await part.text()], [206, '234'])
    assert.equal((await visit('/film.mp4', { headers: { Range: 'bytes=99-' } })).status, 416)
    const head = await visit('/film.mp4', { method: 'HEAD' })
    assert.equal(head.headers.get('Content-Length'), '10')
  })

  it('takes no other method, and no name of another host', async () => {
    assert.equal((await visit('/', { method: 'POST' })).status, 405)
    const { port } = new URL(dev.origin)
    const [answer] = (await once(get({ host: '127.0.0.1', port, headers: { Host: 'evil.example' } }), 'response')) as [
      IncomingMessage,
    ]
    assert.equal(answer.statusCode, 421)
    answer.resume()
  })

  it('names the lines of the rules that have no effect, again once they change', async () => {
    await within(PATIENCE_MS, () => assert.match(dev.said(), /^warning: _redirects:3: /m))
    write('_redirects', '/old /about 301\n/app/* /index.html 200\n')
    await within(PATIENCE_MS, () => assert.match(dev.said(), /^The rules have no faults any more\.$/m))
  })

  it('tells pages of a change, and then serves it, in a new folder too', async () => {
    const page = await (await visit('/about')).text()
    const [, version] = /<script src="\/\.palimpsest\/reload\.js" data-version="(\d+)"><\/script>\n$/.exec(page) ?? []
    const stream = await fetch(`${dev.origin}/.palimpsest/changes`)
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.ok(reader)
    assert.equal((await reader.read()).value, `data: ${version}\n\n`)
    write('new/page.html', '<h1>New</h1>')
    assert.match((await reader.read()).value ?? '', /^data: \d+\n\n/)
    await within(PATIENCE_MS, async () => assert.equal((await visit('/new/page')).status, 200))
    await reader.cancel()
  })

  it('is refused a port that is taken, and a folder that is none', async () => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const taken = String((other.address() as AddressInfo).port)
    const run = (...args: string[]) => runCommand({ args: ['dev', ...args], env: { PATH: process.env['PATH'] } })
    for (const [args, message] of [
      [[folder, '--port', taken], `Port ${taken} cannot be used (EADDRINUSE): choose another with --port.`],
      [[folder, '--port', 'http'], '"http" is no port: give a number up to 65535; 0 takes a free one.'],
      [[join(folder, 'none')], `There is no ${join(folder, 'none')}.`],
      [[join(folder, 'about.html')], `${join(folder, 'about.html')} is no folder: dev serves folders.`],
    ] as const) {
      const { code, stderr } = await run(...args)
      assert.deepEqual([code, stderr], [2, `palimpsest: ${message}\n`])
    }
    other.close()
  })
})
