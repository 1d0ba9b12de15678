import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOT_UTF8 } from '../../src/model/bytes.js'
import { type Outcome, runCommand } from '../scenarios/commands.js'
import { assertSound, git } from '../support/git.js'
import { startTestService, type TestService } from '../support/service.js'

describe('a folder with names that cannot be published', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startTestService()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-left-out-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  after(() => service.stop())

  const palimpsest = (...args: string[]): Promise<Outcome> =>
    runCommand({
      args,
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        BASE_URL: service.origin,
        SERVICE_API_TOKEN: service.key,
      },
    })
  const write = (name: string | Buffer, bytes: string | Buffer) => {
    const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)])
    mkdirSync(path.subarray(0, path.lastIndexOf('/')), { recursive: true })
    writeFileSync(path, bytes)
  }
  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const openDeploys = async () => {
    const { body } = await service.api().get('/deploys').expect(200)
    return (body as { data: { state: string }[] }).data.filter(({ state }) => state === 'open').length
  }

  /** Writes one name of each kind, beside a file that is fine. */
  const writeAll = () => {
    write('site/index.html', '<h1>Home</h1>')
    write('site/back\\slash.txt', 'x')
    write('site/bell\u0007.txt', 'x')
    write('site/collections/records.json', '{}')
    write(Buffer.concat([Buffer.from('site/caf'), Buffer.from([0xe9]), Buffer.from('.txt')]), 'x')
    write(Buffer.concat([Buffer.from('site/'), Buffer.from([0xfc]), Buffer.from('/a.txt')]), 'x')
    symlinkSync('nowhere', join(folder, 'site/broken.txt'))
    symlinkSync('self', join(folder, 'site/self'))
  }
  const LEFT_OUT = [
    /^left out: back\\\\?slash\.txt: .*backslash/m,
    /^left out: bell.*\.txt: .*control character/m,
    /^left out: collections\/records\.json: The folder collections\/ holds records/m,
    /^left out: caf\\\\?xe9\.txt: It has a name that is not UTF-8: rename it\.$/m,
    /^left out: \\\\?xfc: It has a name that is not UTF-8: rename it\.$/m,
    /^left out: broken\.txt: It is a link to nothing\.$/m,
    /^left out: self: It is a link that leads back to itself\.$/m,
  ]

  it('is published without them, after all of them were listed with their reasons', async () => {
    writeAll()
    const { code, stderr } = await palimpsest('publish', 'site')
    assert.equal(code, 0, stderr)
    for (const pattern of LEFT_OUT) assert.match(stderr, pattern)
    assert.equal([...stderr.matchAll(/^left out: /gm)].length, LEFT_OUT.length)
    assert.ok(stderr.lastIndexOf('left out: ') < stderr.indexOf('\nsent 1 of 1 files'), stderr)
    assert.match(stderr, /^7 names are left out, see above\.$/m)
    await service.visit('/').expect(200, '<h1>Home</h1>')
    const { stdout } = await palimpsest('publish', 'site', '--json')
    const { skipped } = JSON.parse(stdout) as { skipped: object[] }
    assert.equal(skipped.length, LEFT_OUT.length)
  })

  it('is not published with --strict, which lists the same', async () => {
    writeAll()
    write('site/strict.txt', 'strict')
    const before = head()
    const { code, stderr, stdout } = await palimpsest('publish', 'site', '--strict')
    assert.deepEqual([code, stdout], [1, ''], stderr)
    for (const pattern of LEFT_OUT) assert.match(stderr, pattern)
    assert.match(stderr, /Nothing was published: 7 of the names cannot be\./)
    assert.deepEqual([head(), await openDeploys()], [before, 0])
    rmSync(join(folder, 'site'), { recursive: true })
    write('site/strict.txt', 'strict')
    assert.equal((await palimpsest('publish', 'site', '--strict')).code, 0)
  })

  it('is not published if nothing is left, also with --delete', async () => {
    write('none/back\\slash.txt', 'x')
    const before = head()
    const { code, stderr } = await palimpsest('publish', 'none', '--delete')
    assert.equal(code, 1)
    assert.match(stderr, /Nothing was published: no file is left to publish\./)
    assert.equal(head(), before)
  })

  it('loses none of them to --delete', async () => {
    write('shared/a/b.txt', 'b')
    write('keep/index.html', 'home')
    write('keep/gone.txt', 'gone')
    symlinkSync('../shared', join(folder, 'keep/shared'))
    assert.equal((await palimpsest('publish', 'keep', '--follow-links')).code, 0)
    rmSync(join(folder, 'keep/gone.txt'))
    const { code, stderr } = await palimpsest('publish', 'keep', '--delete')
    assert.equal(code, 0, stderr)
    await service.visit('/shared/a/b.txt').expect(200, 'b')
    await service.visit('/gone.txt').expect(404)
  })

  it('tells of empty pages and pages in another encoding before anything is sent, and publishes them', async () => {
    write('old/latin.html', Buffer.from('<meta charset=windows-1252><h1>caf\xe9</h1>', 'latin1'))
    write('old/large.html', Buffer.from(`${'x'.repeat(1_500_000)}\xe9`, 'latin1'))
    write('old/fine.html', 'é'.repeat(800_000))
    write('old/empty.html', '')
    const { code, stderr } = await palimpsest('publish', 'old')
    assert.equal(code, 0, stderr)
    const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '))
    assert.deepEqual(warnings.toSorted(), [
      'warning: empty.html: This page is empty.',
      `warning: large.html: ${NOT_UTF8}`,
      `warning: latin.html: ${NOT_UTF8}`,
    ])
    assert.ok(stderr.lastIndexOf('warning: ') < stderr.indexOf('\nsent '), stderr)
    await service.visit('/empty').expect(200, '')
    await service.visit('/latin').expect(200)
  })

  it('warns of no page whose encoding the rules of the folder name', async () => {
    write('ko/_headers', '/manual/*\n  Content-Type: text/html; charset=euc-kr\n')
    write('ko/manual/a.html', Buffer.from('<h1>\xb0\xa1</h1>', 'latin1'))
    write('ko/b.html', Buffer.from('<h1>\xb0\xa1</h1>', 'latin1'))
    const { code, stderr } = await palimpsest('publish', 'ko')
    assert.equal(code, 0, stderr)
    assert.deepEqual(
      stderr.split('\n').filter((line) => line.startsWith('warning: ')),
      [`warning: b.html: ${NOT_UTF8}`],
    )
    assert.match(NOT_UTF8, /_headers/)
    await service.visit('/manual/a').expect('Content-Type', 'text/html; charset=euc-kr')
  })

  it('says above 20,000 files that git can push them', async () => {
    mkdirSync(join(folder, 'many'))
    for (let at = 0; at <= 20_000; at++) writeFileSync(join(folder, 'many', `${at}.txt`), '')
    const { code, stderr } = await palimpsest('publish', 'many')
    assert.equal(code, 2)
    assert.match(
      stderr,
      /more than 20000 files: push the folder with git, or publish a part of it at a time \(--path\)\./,
    )
  })

  it('names hidden folders that hold pages, unless a rule ignores them', async () => {
    write('hidden/index.html', 'home')
    write('hidden/api/.net/index.html', 'net')
    write('hidden/api/.net/core/index.html', 'core')
    write('hidden/.quiet/index.html', 'quiet')
    write('hidden/.git/description.html', 'git')
    write('hidden/.config/a.json', '{}')
    write('hidden/.palimpsestignore', '.quiet/\n')
    const { code, stderr } = await palimpsest('publish', 'hidden')
    assert.equal(code, 0, stderr)
    assert.deepEqual(
      stderr.split('\n').filter((line) => line.startsWith('warning: ')),
      ['warning: api/.net/: It holds 2 pages, but begins with a dot: no site serves it.'],
    )
  })

  it('publishes both of two names in different Unicode normal forms, and composes all others', async () => {
    write('forms/u\u0308.txt', 'alone')
    write('forms/e\u0301.txt', 'decomposed')
    write('forms/\u00e9.txt', 'composed')
    write('forms/o\u0308/a.html', 'a')
    const { code, stderr } = await palimpsest('publish', 'forms', '--path', 'forms')
    assert.equal(code, 0, stderr)
    await service.visit('/forms/%C3%BC.txt').expect(200, 'alone')
    await service.visit('/forms/u%CC%88.txt').expect(308).expect('Location', '/forms/%C3%BC.txt')
    await service.visit('/forms/e%CC%81.txt').expect(200, 'decomposed')
    await service.visit('/forms/%C3%A9.txt').expect(200, 'composed')
    await service.visit('/forms/%C3%B6/a').expect(200, 'a')
    assertSound(service.gitdir())
  })
})
