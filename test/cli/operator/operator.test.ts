import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finished, MAIN, run, runPalimpsest } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

const ESCAPE = '\u001b'

describe("the operator's commands", () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startOwnService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-operator-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const palimpsest = (...args: string[]): Promise<Finished> => runPalimpsest({ DATA_DIR: service.dataDir }, ...args)

  for (const [what, args, message] of [
    ['an expiry in the past', ['--expires', '2020-01-01T00:00:00Z'], /past/],
    ['an empty label', ['--label', ''], /label is empty/],
    ['a label of 400 characters', ['--label', 'x'.repeat(400)], /longer than 100 characters/],
    ['a label with an escape sequence', ['--label', `${ESCAPE}]52;c;eA==`], /control characters/],
  ] as const) {
    it(`refuse a key with ${what}, as the API does`, async () => {
      const { code, stdout, stderr } = await palimpsest('keys', 'create', ...args)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /\n {4}at /)
    })
  }

  it('rotate the key that signs commits, and refuse a future time', async () => {
    await service.api().put('/pages?path=/signed').send({ html: 'one' }).expect(201)
    const { code, stdout, stderr } = await palimpsest('signing', 'rotate')
    assert.equal(code, 0, stderr)
    const [, key = ''] = /^The service signs with ssh-ed25519 (\S+)$/m.exec(stdout) ?? []
    const signers = await (await fetch(`${service.origin}/allowed_signers`)).text()
    const [before, after] = signers.split('\n')
    assert.match(before ?? '', /valid-before="\d{14}Z"/)
    assert.ok(key !== '' && after?.endsWith(key), signers)
    const wrong = await palimpsest('signing', 'rotate', '--compromised-since', '2999-01-01T00:00:00Z')
    assert.match(wrong.stderr, /has passed/)
    assert.equal(await (await fetch(`${service.origin}/allowed_signers`)).text(), signers)
  })

  it('make a key that writes only to some paths', async () => {
    const { stdout, stderr } = await palimpsest('keys', 'create', '--scopes', 'write', '--paths', '/blog/*,/news')
    assert.match(stdout, /^\S+\n$/, stderr)
    const api = service.api(stdout.trim())
    await api.put('/pages?path=/blog/first').send({ html: '<p>first</p>' }).expect(201)
    const { body } = await api.put('/pages?path=/about').send({ html: '<p>about</p>' }).expect(403)
    assert.equal((body as { error: { code: string } }).error.code, 'path_not_allowed')
    const wrong = await palimpsest('keys', 'create', '--paths', '../x')
    assert.notEqual(wrong.code, 0)
    assert.match(wrong.stderr, /path/)
  })

  it('make a key for the pages of some origins, with a toolset', async () => {
    const origins = 'https://app.example,http://localhost:5173'
    const { stdout, stderr } = await palimpsest('keys', 'create', '--origins', origins, '--toolset', 'pages')
    const { body } = await service.api(stdout.trim()).get('/me').set('Origin', 'http://localhost:5173')
    assert.equal((body as { data: { key: { toolset: string } } }).data.key.toolset, 'pages', stderr)
    for (const wrong of [
      ['--origins', 'app.example'],
      ['--toolset', 'none'],
    ])
      assert.notEqual((await palimpsest('keys', 'create', ...wrong)).code, 0)
  })

  it('refuse a key for a site of another workspace', async () => {
    await palimpsest('workspaces', 'create', 'Other', '--site', 'other-site')
    const { code, stderr } = await palimpsest('keys', 'create', '--sites', 'other-site')
    assert.equal(code, 1)
    assert.match(stderr, /no such site in this workspace/)
  })

  it('list every key of a workspace, past the 200 of a page of the API', async () => {
    for (let at = 0; at < 205; at += 1) await service.mint({ label: `key ${at}` })
    const { stdout } = await palimpsest('keys', 'list')
    assert.ok(stdout.trim().split('\n').length >= 205)
  })

  it('create, list and choose sites by the same rules as the API', async () => {
    assert.match((await palimpsest('sites', 'create', 'www')).stderr, /kept for the service/)
    assert.match((await palimpsest('sites', 'create', 'a--b')).stderr, /slug has/)
    const { stdout } = await palimpsest('sites', 'create', 'second')
    assert.match(stdout, /^[0-9a-f-]{36}\n$/)
    assert.match((await palimpsest('sites', 'list')).stdout, /\tsecond\t/)
    assert.equal((await palimpsest('sites', 'default', 'second')).code, 0)
    assert.match((await palimpsest('workspaces', 'list')).stdout, new RegExp(stdout.trim()))
  })

  it('delete a site while the service is stopped, and refuse to while it runs', async () => {
    const stopped = await startOwnService({ keep: true })
    try {
      const command = (...args: string[]) => runPalimpsest({ DATA_DIR: stopped.dataDir }, ...args)
      assert.equal((await command('sites', 'create', 'short-lived')).code, 0)
      assert.match((await command('sites', 'delete', 'short-lived')).stderr, /Another process serves/)
      await stopped.stop()
      assert.match((await command('sites', 'delete', 'demo')).stderr, /default site/)
      const { code, stdout, stderr } = await command('sites', 'delete', 'short-lived')
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^Deleted short-lived/)
      assert.doesNotMatch((await command('sites', 'list')).stdout, /short-lived/)
      assert.match((await command('sites', 'create', 'short-lived')).stderr, /is or was in use/)
      assert.ok(!existsSync(stopped.gitdir('short-lived')))
    } finally {
      await stopped.stop().catch(() => undefined)
      rmSync(stopped.dataDir, { recursive: true, force: true })
    }
  })

  it('name the command line as it was started: installed, by node, or by npm in a checkout', async () => {
    const installed = join(folder, 'palimpsest')
    symlinkSync(MAIN, installed)
    const { npm_lifecycle_event: _script, ...own } = process.env
    const env = { ...own, HOME: folder, SERVICE_API_TOKEN: '' }
    assert.match((await run(process.execPath, [installed, 'pages'], { env })).stderr, /run "palimpsest login"/)
    assert.match((await run(process.execPath, [MAIN, 'pages'], { env })).stderr, /run "node \S+palimpsest\.js login"/)
    const npm = { ...env, npm_lifecycle_event: 'palimpsest' }
    assert.match(
      (await run(process.execPath, [MAIN, 'pages'], { env: npm })).stderr,
      /npm run --silent palimpsest -- login/,
    )
  })

  it('print the versions of the package and of SQLite', async () => {
    assert.match((await palimpsest('--version')).stdout, /^\d+\.\d+\.\d+ \(SQLite \d+\.\d+\.\d+\)\n$/)
  })

  it('end without a stack trace if the reader of their output closes the pipe', async () => {
    const command = `"${process.execPath}" "${MAIN}" keys list | true`
    const { stderr } = await run('sh', ['-c', command], { env: { ...process.env, DATA_DIR: service.dataDir } })
    assert.equal(stderr, '')
  })

  const wrong = ['notaurl', 'localhost:8200', 'http://a:b@localhost:9', 'http://localhost:9?x', 'http://localhost:9/#x']
  for (const baseUrl of wrong) {
    it(`say what BASE_URL must be if it is ${baseUrl}`, async () => {
      const { code, stderr } = await runPalimpsest({ BASE_URL: baseUrl, SERVICE_API_TOKEN: 'x' }, 'pages')
      assert.equal(code, 2)
      assert.match(stderr, /^palimpsest: BASE_URL must be an http or https URL without query and user/)
    })
  }

  it('say that BASE_URL names another service if a web page answers', async () => {
    const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<h1>'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await runPalimpsest(
      { BASE_URL: `http://127.0.0.1:${port}`, SERVICE_API_TOKEN: 'x' },
      'pages',
    )
    server.close()
    assert.deepEqual([code, stderr.split('\n').length], [1, 2])
    assert.match(stderr, /What answers at http:.* \(status 200\) is not this service/)
  })

  it('import a repository from a relative path', async () => {
    git(folder, 'init', '--quiet', '--initial-branch=main', 'plain')
    git(join(folder, 'plain'), 'commit', '--quiet', '--allow-empty', '-m', 'Begin')
    const env = { ...process.env, DATA_DIR: service.dataDir }
    const { code, stderr } = await run(process.execPath, [MAIN, 'sites', 'import', 'copy', './plain'], {
      cwd: folder,
      env,
    })
    assert.equal(code, 0, stderr)
  })
})
