import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { deployFolder } from '../../src/cli/authors/deploy-folder.js'
import { explain } from '../../src/cli/connection/explain.js'
import { serviceFetch } from '../../src/cli/connection/service-fetch.js'
import { createClient } from '../../src/protocols/client/client.js'
import { MAIN, type Outcome, runCommand } from '../scenarios/commands.js'
import { run } from '../scenarios/serve-process.js'
import { git } from '../support/git.js'
import { startTestService, type TestService } from '../support/service.js'

describe('publishing by the command line', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startTestService()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-folder-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  after(() => service.stop())

  const environment = (baseUrl = service.origin): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: folder,
    BASE_URL: baseUrl,
    SERVICE_API_TOKEN: service.key,
  })
  const palimpsest = (...args: string[]): Promise<Outcome> => runCommand({ args, cwd: folder, env: environment() })
  const write = (name: string, bytes: string | Buffer) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  /** The files of the site outside its own folders, by name. */
  const tree = () =>
    git(service.gitdir(), '-c', 'core.quotePath=off', 'ls-tree', '-r', '--name-only', 'main')
      .split('\n')
      .filter((name) => !/^\.(?:pages|site)/.test(name))
  const head = (slug?: string) => git(service.gitdir(slug), 'rev-parse', 'main')

  it('publishes files of every kind byte for byte, and afterwards sends only changes', async () => {
    const image = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 7) % 251))
    write('site/index.html', '<link rel=stylesheet href=style.css><h1>Hello</h1>')
    write('site/style.css', 'h1 { color: teal }')
    write('site/img/picture.png', image)
    const first = await palimpsest('publish', 'site', '--path', '/kinds')
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stderr, /^sent 3 of 3 files, /m)
    assert.match(first.stdout, /^created\tkinds\/img\/picture\.png$/m)
    const got = await service
      .visit('/kinds/img/picture.png')
      .buffer(true)
      .expect(200)
      .expect('Content-Type', 'image/png')
    assert.deepEqual(got.body, image)
    await service.visit('/kinds/style.css').expect(200, 'h1 { color: teal }')
    write('site/style.css', 'h1 { color: navy }')
    const second = await palimpsest('publish', 'site', '--path', '/kinds')
    assert.match(second.stderr, /^sent 1 of 1 files, 18 bytes of 18 bytes$/m)
    assert.match(second.stderr, /^created 0, replaced 1, unchanged 2, removed 0$/m)
  })

  it('reports the sending of many large files in at most ten lines', async () => {
    for (let at = 0; at < 40; at += 1) write(`large/${at}.bin`, Buffer.alloc(270_000, at + 1))
    const { code, stderr } = await palimpsest('publish', 'large', '--path', '/large')
    assert.equal(code, 0, stderr)
    const lines = stderr.split('\n').filter((line) => line.startsWith('sent '))
    assert.ok(lines.length > 1 && lines.length <= 10, stderr)
    assert.match(lines.at(-1) ?? '', /^sent 40 of 40 files, /)
  })

  it('leaves out hidden files, node_modules and the files named in .palimpsestignore, unless that asks for them', async () => {
    for (const name of ['a.txt', '.env', '.git/config', 'node_modules/x/y.js', 'drafts/b.txt', 'keep.log', 'c.log'])
      write(`out/${name}`, name)
    write('out/.palimpsestignore', 'drafts/\n*.log\n!keep.log\n!node_modules/\n')
    const { code, stderr } = await palimpsest('publish', 'out', '--path', 'out')
    assert.equal(code, 0, stderr)
    assert.match(
      stderr,
      /^5 hidden or ignored names are left out: \.env \(hidden\), \.git\/ \(hidden\), \.palimpsestignore \(hidden\), c\.log \(\.palimpsestignore\), drafts\/ \(\.palimpsestignore\)\.$/m,
    )
    assert.deepEqual(
      tree().filter((name) => name.startsWith('out/')),
      ['out/a.txt', 'out/keep.log', 'out/node_modules/x/y.js'],
    )
  })

  it('names the first twenty names that it leaves out', async () => {
    for (let at = 10; at < 35; at++) write(`many/.a${at}`, 'x')
    write('many/node_modules/x.js', 'x')
    write('many/a.txt', 'x')
    const { stderr } = await palimpsest('publish', 'many', '--path', 'many')
    assert.match(
      stderr,
      /^26 hidden or ignored names are left out: \.a10 \(hidden\), .*\.a29 \(hidden\), … and 6 more\.$/m,
    )
    write('one/node_modules/x.js', 'x')
    write('one/a.txt', 'x')
    const one = await palimpsest('publish', 'one', '--path', 'one')
    assert.match(one.stderr, /^1 hidden or ignored name is left out: node_modules\/ \(packages\)\.$/m)
  })

  it('follows links within the folder, and one that leads out only if asked', async () => {
    write('links/shared/a.txt', 'shared')
    write('secret.txt', 'outside')
    symlinkSync('shared', join(folder, 'links/also'))
    symlinkSync('../secret.txt', join(folder, 'links/leak.txt'))
    symlinkSync('..', join(folder, 'links/shared/up'))
    const { code, stderr } = await palimpsest('publish', 'links', '--path', '/links')
    assert.equal(code, 0, stderr)
    await service.visit('/links/also/a.txt').expect(200, 'shared')
    assert.match(stderr, /links\/leak\.txt: It is a link that leads out of the folder: --follow-links follows it/)
    assert.match(stderr, /links\/shared\/up: It is a link to a folder that holds it/)
    await service.visit('/links/leak.txt').expect(404)
    const asked = await palimpsest('publish', 'links', '--path', '/links', '--follow-links')
    assert.equal(asked.code, 0, asked.stderr)
    await service.visit('/links/leak.txt').expect(200, 'outside')
  })

  it('makes the site equal to the folder with --delete, after a dry run that shows it and changes nothing', async () => {
    write('whole/index.html', '<h1>New home</h1>')
    write('whole/_redirects', '/old /new\nwrong\n')
    write('whole/.well-known/security.txt', 'Contact: mailto:us@example.com')
    const before = head()
    const dry = await palimpsest('publish', 'whole', '--delete', '--dry-run')
    assert.equal(dry.code, 0, dry.stderr)
    assert.match(dry.stdout, /^removed\tkinds\/style\.css$/m)
    assert.match(dry.stderr, /^warning: _redirects:2: /m)
    assert.equal(head(), before)
    const { host } = new URL(/^Preview until \S+: (\S+)$/m.exec(dry.stderr)?.[1] ?? '')
    await supertest(service.origin).get('/').set('Host', host).expect(200, '<h1>New home</h1>')
    await supertest(service.origin).get('/kinds/style.css').set('Host', host).expect(404)
    const done = await palimpsest('publish', 'whole', '--delete')
    assert.equal(done.code, 0, done.stderr)
    assert.deepEqual(tree(), ['.well-known/security.txt', '_redirects', 'index.html'])
    await service.visit('/kinds/').expect(404)
  })

  it('makes a part of the site equal to the folder with --delete and --path, and nothing else', async () => {
    write('all/docs/a.html', 'a')
    write('all/docs/b.txt', 'b')
    write('all/docs-old/c.txt', 'c')
    write('all/docs.html', 'docs')
    assert.equal((await palimpsest('publish', 'all')).code, 0)
    const before = tree()
    write('part/new.html', 'new')
    write('part/index.html', 'home')
    const { code, stderr } = await palimpsest('publish', 'part', '--delete', '--path', '/docs/')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^created 2, replaced 0, unchanged 0, removed 2$/m)
    const others = before.filter((name) => !name.startsWith('docs/'))
    assert.deepEqual(tree().toSorted(), [...others, 'docs/index.html', 'docs/new.html'].toSorted())
    const everything = await palimpsest('publish', 'part', '--delete', '--path', '/')
    assert.equal(everything.code, 0, everything.stderr)
    assert.deepEqual(tree(), ['index.html', 'new.html'])
  })

  it('continues after a kill during sending: the next run sends only the rest', async () => {
    for (const name of ['a', 'b', 'c']) write(`killed/${name}.bin`, Buffer.alloc(400_000, name))
    const proxy = await passOneUpload(service.origin)
    const child = spawn(process.execPath, [MAIN, 'publish', 'killed', '--path', '/killed'], {
      cwd: folder,
      env: environment(proxy.origin),
      stdio: 'ignore',
    })
    await proxy.passed
    child.kill('SIGKILL')
    await once(child, 'exit')
    proxy.close()
    const { code, stderr } = await palimpsest('publish', 'killed', '--path', '/killed')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^sent 2 of 2 files, /m)
    await service.visit('/killed/c.bin').expect(200)
  })

  it('publishes one folder to two sites, and to one of them by two commands at once', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    await service.api(key).post('/sites').send({ slug: 'second-folder' }).expect(201)
    write('one/about.html', '<h1>One folder</h1>')
    assert.equal((await palimpsest('publish', 'one')).code, 0)
    const before = head('second-folder')
    const args = [MAIN, 'publish', 'one', '--site', 'second-folder']
    const command = () => run(process.execPath, args, { cwd: folder, env: environment() })
    for (const { code, stderr } of await Promise.all([command(), command()])) assert.equal(code, 0, stderr)
    assert.equal(git(service.gitdir('second-folder'), 'rev-parse', 'main^'), before)
    for (const slug of [undefined, 'second-folder'])
      await service.visit('/about', slug).expect(200, '<h1>One folder</h1>')
  })

  it('says that the next run continues if the service does not confirm the publish in time', async () => {
    write('late/late.txt', 'late')
    const before = head()
    const client = createClient({
      baseUrl: service.origin,
      key: service.key,
      // A commit takes longer.
      fetch: (request) => serviceFetch(request, 1),
      retries: 0,
    })
    const options = {
      folder: join(folder, 'late'),
      replace: false,
      dryRun: false,
      diff: false,
      followLinks: false,
      strict: false,
    }
    const error: unknown = await deployFolder({ client, named: undefined }, { ...options, json: true }).catch(
      (reason: unknown) => reason,
    )
    const { message, exitCode } = explain(error) ?? {}
    assert.match(message ?? '', /did not answer in time\. Run the command again to resume\.$/)
    assert.equal(exitCode, 3)
    assert.equal((await palimpsest('publish', 'late')).code, 0)
    assert.equal(git(service.gitdir(), 'rev-parse', 'main^'), before)
    await service.visit('/late.txt').expect(200, 'late')
  })

  it('publishes, moves, pulls and removes single files', async () => {
    write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const { stdout, stderr, code } = await palimpsest('publish', 'logo.svg', '--path', '/img/logo.svg')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^created\t\/img\/logo\.svg\thttp:\S+\/img\/logo\.svg$/m)
    assert.equal((await palimpsest('mv', '/img/logo.svg', '/img/mark.svg')).code, 0)
    await service.visit('/img/logo.svg').expect(404)
    assert.equal((await palimpsest('pull', '/img/mark.svg', '--output', 'pulled')).code, 0)
    assert.deepEqual(readFileSync(join(folder, 'pulled/img/mark.svg')), readFileSync(join(folder, 'logo.svg')))
    await service.api().put('/files?path=/rules.txt').send('no path').expect(201)
    assert.match((await palimpsest('mv', '/rules.txt', '/_headers')).stderr, /\/_headers was not changed\. Line 1: /)
    const forced = await palimpsest('mv', '/rules.txt', '/_headers', '--force')
    assert.equal(forced.stdout, '/rules.txt is /_headers now.\n', forced.stderr)
    const page = await palimpsest('mv', '/', '/home')
    assert.match(page.stdout, /^\/ is \/home now: http:\S+\/home\n$/, page.stderr)
    const leads = await service.visit('/').redirects(0)
    assert.deepEqual([leads.status, leads.get('Location')], [308, '/home'])
    const moved = await palimpsest('mv', '/img/', '/pictures/', '--rewrite-links')
    assert.equal(moved.stdout, '/img/ is /pictures/ now: 0 pages and 1 files moved.\n', moved.stderr)
    await service.visit('/pictures/mark.svg').expect(200)
    assert.equal((await palimpsest('mv', '/pictures/', '/img/')).code, 0)
    assert.equal((await palimpsest('mv', '/nothing', '/else')).code, 1)
    const removed = await palimpsest('rm', '/img/mark.svg', '/home')
    assert.equal(removed.code, 0, removed.stderr)
    await service.visit('/img/mark.svg').expect(404)
    await service.visit('/').expect(404)
    assert.match((await palimpsest('rm', '/nothing')).stderr, /neither a page nor a file at \/nothing/)
  })
})

/** A proxy before the service that passes one upload on, and leaves all others without an answer. */
async function passOneUpload(origin: string) {
  let uploads = 0
  let pass: () => void = () => undefined
  const passed = new Promise<void>((resolve) => (pass = resolve))
  const server = createServer((request, response) => {
    const isUpload = request.method === 'PUT' && request.url?.includes('/blobs/') === true
    if (isUpload && ++uploads > 1) return
    const upstream = ask(origin + request.url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
      if (isUpload) pass()
    })
    request.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}`, passed, close }
}
