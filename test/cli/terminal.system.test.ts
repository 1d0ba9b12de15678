// Output of the command line on a terminal.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MirrorGround } from '../git/remotes/mirror-ground.js'
import { put } from '../scenarios/client.js'
import { git } from '../support/git.js'
import { startOwnService, type TestService } from '../support/service.js'
import { PATIENCE_MS, within } from '../support/within.js'
import { startOnTerminal } from './on-terminal.js'

const ESCAPE = '\u001b'

describe('the command line on a terminal', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startOwnService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-terminal-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const show = (args: string[], more: Record<string, string> = {}) => {
    const { origin, key } = service
    const env = { HOME: folder, TERM: 'xterm-256color', BASE_URL: origin, SERVICE_API_TOKEN: key, ...more }
    return startOnTerminal(args, { cwd: folder, env: { PATH: process.env['PATH'], ...env } }).ended
  }

  it('shows differences in red and green', async () => {
    for (const text of ['one', 'two']) await put(service.api(), '/about', `<p>${text}</p>\n`)
    const { stdout } = await show(['diff', '/about'])
    const red = `${ESCAPE}[31m-<p>one</p>${ESCAPE}[39m`
    const green = `${ESCAPE}[32m+<p>two</p>${ESCAPE}[39m`
    assert.ok(stdout.includes(`${red}\r\n${green}`), JSON.stringify(stdout))
  })

  it('shows errors in red and states in their colours, and has headings and ages, without colours under NO_COLOR', async () => {
    await put(service.api(), '/aged', '<p>aged</p>')
    const refused = await show(['pages', '--site', 'nowhere'])
    assert.ok(refused.stdout.startsWith(`${ESCAPE}[31mpalimpsest:${ESCAPE}[39m `), JSON.stringify(refused.stdout))
    mkdirSync(join(folder, 'states'))
    writeFileSync(join(folder, 'states', 'new.txt'), 'new')
    const created = await show(['publish', 'states', '--site', 'demo'])
    assert.ok(created.stdout.includes(`${ESCAPE}[32mcreated${ESCAPE}[39m  new.txt`), JSON.stringify(created.stdout))
    const sites = await show(['sites', 'list'], { NO_COLOR: '1' })
    assert.match(
      sites.stdout,
      /^id +slug +workspace +created\r\n[0-9a-f-]{36} +demo +[0-9a-f-]{36} +(?:just now|\d+ minutes? ago)\r/,
    )
    const keys = await show(['keys', 'list'], {
      NO_COLOR: '1',
      DATA_DIR: service.dataDir,
      BASE_URL: 'http://localhost',
    })
    assert.match(
      keys.stdout,
      /^id +prefix +label +scopes +expires +last used\r\n[0-9a-f-]{36} +pal_.* - +(?:-|just now|.*ago)\r/,
    )
    assert.equal((await show(['pages', '--site', 'nowhere'], { NO_COLOR: '1' })).stdout.includes(ESCAPE), false)
  })

  it('shows a bar, then what changed and the summary', async () => {
    mkdirSync(join(folder, 'few'))
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'few', `${name}.html`), `<h1>${name}</h1>`)
    const { stdout, code } = await show(['publish', 'few', '--site', 'demo'])
    assert.equal(code, 0, stdout)
    assert.ok(stdout.includes(`${ESCAPE}[`), 'nothing is drawn')
    assert.match(stdout, /created 3, replaced 0, unchanged 0, removed 0/)
    assert.match(stdout, /created\S* +a\.html/)
  })

  it('asks before a publish with --delete removes something, and does not ask with --yes', async () => {
    await put(service.api(), '/kept', '<p>kept</p>')
    mkdirSync(join(folder, 'all'))
    writeFileSync(join(folder, 'all', 'index.html'), '<h1>All</h1>')
    const { origin, key } = service
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      TERM: 'xterm-256color',
      BASE_URL: origin,
      PALIMPSEST_TOKEN: key,
    }
    const terminal = startOnTerminal(['publish', 'all', '--site', 'demo', '--delete'], { cwd: folder, env })
    await terminal.shows('of the site. Publish?')
    terminal.type('n')
    const refused = await terminal.ended
    assert.equal(refused.code, 1, refused.stdout)
    assert.match(
      refused.stdout,
      /Publishing all to demo \(http:\/\/demo\.[^]*removes kept\.html[^]*Nothing was published\./,
    )
    await service.visit('/kept').expect(200)
    assert.equal((await show(['publish', 'all', '--site', 'demo', '--delete', '--yes'])).code, 0)
    await service.visit('/kept').expect(404)
    // Nothing is removed now: nothing is asked.
    assert.equal((await show(['publish', 'all', '--site', 'demo', '--delete'])).code, 0)
  })

  it('asks before an undo', async () => {
    for (const text of ['one', 'two']) await put(service.api(), '/asked', `<p>${text}</p>`)
    const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'xterm-256color' }
    const terminal = startOnTerminal(['undo'], {
      cwd: folder,
      env: { ...env, BASE_URL: service.origin, PALIMPSEST_TOKEN: service.key },
    })
    await terminal.shows('Undo this?')
    terminal.type('y')
    const { code, stdout } = await terminal.ended
    assert.equal(code, 0, stdout)
    assert.match(stdout, /1 file would change\./)
    await service.visit('/asked').expect(200, '<p>one</p>')
  })

  it('asks before the repositories of deleted sites are removed', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'deleted' }).expect(201)
    const site = (body as { data: { id: string } }).data.id
    await service.api(key).delete(`/sites/${site}`).expect(200)
    const env = { PATH: process.env['PATH'], TERM: 'xterm-256color', DATA_DIR: service.dataDir }
    const terminal = startOnTerminal(['sites', 'purge', '--older-than', '0'], { cwd: folder, env })
    await terminal.shows('for good?')
    terminal.type('n')
    const { code, stdout } = await terminal.ended
    assert.equal(code, 1, stdout)
    assert.match(stdout, /deleted +[0-9a-f-]{36}[^]*Nothing was removed\./)
    assert.ok(existsSync(join(service.dataDir, '.retired', `deleted-${site}.git`, 'HEAD')))
  })

  it('opens a page in the browser', async () => {
    const browser = join(folder, 'browser')
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${folder}/opened\n`, { mode: 0o755 })
    await put(service.api(), '/opened', '<p>opened</p>')
    const { code, stdout } = await show(['open', '/opened'], { BROWSER: browser })
    assert.equal(code, 0, stdout)
    const url = stdout.trim()
    await within(PATIENCE_MS, () => assert.equal(readFileSync(join(folder, 'opened'), 'utf8').trim(), url))
    assert.match(url, /^http:\/\/demo\..*\/opened$/)
  })

  it('shows no escape sequence of a label', async () => {
    // A label of before labels were checked.
    const { catalog, newId } = service.server.service.services
    await catalog.workspaces.create({ id: newId(), name: `nice${ESCAPE}]52;c;eA==`, createdAt: '2026-01-01T00:00:00Z' })
    const { stdout } = await show(['workspaces', 'list'], { DATA_DIR: service.dataDir, BASE_URL: 'http://localhost' })
    assert.match(stdout, /nice\uFFFD\]52/)
    assert.ok(!stdout.includes(`${ESCAPE}]52`))
  })

  it('shows an import as one line that changes', async () => {
    const ground = new MirrorGround()
    await ground.start()
    try {
      git(ground.root, 'clone', '--quiet', '--bare', ground.service.gitdir(), 'source.git')
      const url = `${ground.remote.origin}/source.git`
      const env = { BASE_URL: ground.service.origin, SERVICE_API_TOKEN: ground.admin }
      const { code, stdout } = await show(['sites', 'import', url, '--slug', 'shown'], env)
      assert.equal(code, 0, stdout)
      // oxlint-disable-next-line no-control-regex -- the sequence that clears a line is what is looked for
      assert.match(stdout, /\r\u001b\[2K(?:Waiting|Receiving|Checking)[^\n]*\r\u001b\[2Khttp:\/\/shown\.localhost/)
    } finally {
      await ground.stop()
    }
  })
})
