import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { put } from '../../scenarios/client.js'
import { type Outcome, runCommand } from '../../scenarios/commands.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('commands about a whole site', () => {
  let service: TestService
  let folder: string
  let admin: string

  before(async () => {
    service = await startTestService()
    admin = (await service.mint({ scopes: ['admin'] })).key
    for (const slug of ['club', 'other']) await service.api(admin).post('/sites').send({ slug }).expect(201)
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-site-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  after(() => service.stop())

  const palimpsest = (args: string[], { key = service.key, cwd = folder } = {}): Promise<Outcome> =>
    runCommand({
      args,
      cwd,
      env: { PATH: process.env['PATH'], HOME: folder, PALIMPSEST_URL: service.origin, PALIMPSEST_TOKEN: key },
    })
  const succeed = async (...args: string[]): Promise<Outcome> => {
    const outcome = await palimpsest(args)
    assert.equal(outcome.code, 0, outcome.stderr)
    return outcome
  }
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }

  it('take the site that a folder is linked to, also from folders in it, unless an option names another', async () => {
    write('dist/linked.html', '<h1>Linked</h1>')
    const linked = await succeed('link', 'club')
    assert.match(linked.stdout, /^Commands in this folder mean club \(http:\S+\) now: .*\.palimpsest\.json$/m)
    assert.deepEqual(JSON.parse(readFileSync(join(folder, '.palimpsest.json'), 'utf8')), { site: 'club' })
    assert.match((await succeed('link')).stdout, /^club \(/)
    const { stderr } = await succeed('publish', 'dist')
    assert.match(stderr, /^Publishing dist to club \(http:\/\/club\..*\)\n/)
    await service.visit('/linked', 'club').expect(200)
    await service.visit('/linked').expect(404)
    const inside = await palimpsest(['pages', '--json'], { cwd: join(folder, 'dist') })
    assert.match(inside.stdout, /"path": "\/linked"/)
    assert.match((await succeed('publish', 'dist', '--site', 'other')).stderr, /^Publishing dist to other \(/)
  })

  it('take the link of the folder that is published, wherever they run', async () => {
    write('project/dist/apart.html', '<h1>Apart</h1>')
    write('project/.palimpsest.json', '{"site": "other"}')
    assert.match((await succeed('publish', 'project/dist')).stderr, /^Publishing project\/dist to other \(/)
    assert.match((await succeed('publish', 'project/dist/apart.html')).stderr, /^Publishing \S+ to other \(/)
  })

  it('give the site in the commands that they advise', async () => {
    const { stderr } = await palimpsest(['versions', '/none', '--site', 'club'])
    assert.match(stderr, /See "palimpsest pages --site club"\./)
    const mirror = await palimpsest(['mirror', '--site', 'club'], { key: admin })
    assert.match(mirror.stderr, /"palimpsest mirror set <url> --site club" sets one/)
  })

  it('say which file links a folder to a site that the key does not see, or cannot be read', async () => {
    write('.palimpsest.json', '{"site": "elsewhere"}')
    const unknown = await palimpsest(['pages'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /no site "elsewhere", which \S+\.palimpsest\.json names\. It sees: /)
    write('.palimpsest.json', '["club"]')
    const broken = await palimpsest(['pages'])
    assert.equal(broken.code, 2)
    assert.match(broken.stderr, /\.palimpsest\.json is not what "palimpsest link" writes/)
    assert.equal((await palimpsest(['link', 'nowhere'])).code, 2)
    await succeed('link', 'club')
  })

  it('name the default site before they change it, but not in JSON', async () => {
    write('plain.html', '<h1>Plain</h1>')
    assert.match((await succeed('publish', 'plain.html')).stderr, /^Publishing plain\.html to \S+ \(http:/)
    assert.match((await succeed('publish', 'plain.html', '--dry-run')).stderr, /^Trying plain\.html on \S+ \(http:/)
    assert.match((await succeed('rm', '/plain')).stderr, /^Removing from \S+ \(http:/)
    assert.equal((await succeed('publish', 'plain.html', '--json')).stderr, '')
  })

  it('undo the newest commit of the key, and bring it back the second time', async () => {
    for (const text of ['one', 'two']) await put(service.api(), '/undone', `<p>${text}</p>`)
    const trial = await succeed('undo', '--dry-run')
    assert.match(
      trial.stderr,
      /^Undoing in .*\n[0-9a-f]{10} Replace \/undone \(.*\)\n1 file would change\.\nPreview until /,
    )
    assert.equal((await service.visit('/undone')).text, '<p>two</p>')
    const { stdout } = await succeed('undo', '--message', 'too early')
    assert.match(stdout, /^undone\t[0-9a-f]{40}\tReplace \/undone$/m)
    assert.equal((await service.visit('/undone')).text, '<p>one</p>')
    await succeed('undo')
    assert.equal((await service.visit('/undone')).text, '<p>two</p>')
  })

  it('undo the commits that are named, and say so if there is nothing of this key', async () => {
    const page = await put(service.api(), '/named', '<p>named</p>')
    await put(service.api(), '/later', '<p>later</p>')
    await succeed('undo', page.version.id)
    await service.visit('/named').expect(404)
    await service.visit('/later').expect(200)
    const { key } = await service.mint({ scopes: ['write'] })
    const { code, stderr } = await palimpsest(['undo'], { key })
    assert.equal(code, 2)
    assert.match(stderr, /This key has made no commit in the site/)
  })

  it('find words, with the lines that hold them', async () => {
    await put(service.api(), '/found', '<title>Found</title>\n<p>The rare word quokka</p>')
    assert.match((await succeed('search', 'rare', 'quokka')).stdout, /^\/found\t2\tThe rare word quokka$/m)
    assert.match((await succeed('search', 'unheardof')).stderr, /^No page has all of these words\.$/m)
    assert.equal(JSON.parse((await succeed('search', 'quokka', '--json')).stdout)[0].path, '/found')
  })

  it('list broken links, and end with 1 if there are any', async () => {
    const clean = await palimpsest(['checks', '--site', 'club'])
    assert.deepEqual([clean.code, clean.stdout], [0, ''], clean.stderr)
    await put(service.api(), '/broken', '<p>\n<a href="/nowhere">there</a>')
    const { code, stdout } = await palimpsest(['checks'])
    assert.equal(code, 1)
    assert.match(stdout, /^broken_link\t\/broken:2\t.*nowhere/m)
  })

  it('name the pages that use a file which is moved or removed', async () => {
    const user = '/users'
    await put(service.api(), user, '<img src="/img/used.png"><img src="/img/moved.png">')
    for (const name of ['used', 'moved', 'free'])
      await service.api().put(`/files?path=/img/${name}.png`).type('image/png').send(Buffer.from(name)).expect(201)
    assert.match((await succeed('rm', '/img/used.png')).stderr, /^warning: \/users: .*\/img\/used\.png/m)
    assert.match(
      (await succeed('mv', '/img/moved.png', '/img/m.png')).stderr,
      /^warning: \/users: .*\/img\/moved\.png/m,
    )
    assert.doesNotMatch((await succeed('mv', '/img/free.png', '/img/f.png')).stderr, /warning/)
  })

  it('create and list sites over the API where no DATA_DIR is', async () => {
    const { code, stdout, stderr } = await palimpsest(['sites', 'create', 'by-command'], { key: admin })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^[0-9a-f-]{36}\n$/)
    const listed = await succeed('sites', 'list')
    assert.ok(listed.stdout.includes(`${stdout.trim()}\tby-command\t`), listed.stdout)
    const refused = await palimpsest(['sites', 'create', 'refused'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /scope "sites"/)
  })
})
