import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { put } from '../scenarios/client.js'
import { type Finished, runPalimpsest } from '../scenarios/serve-process.js'
import { runCommand } from '../scenarios/commands.js'
import { git, withClone } from '../support/git.js'
import { startTestService, type TestService } from '../support/service.js'

const MANUAL_FILES = 200

describe('the command line for authors', () => {
  let service: TestService
  let folder: string
  let manual: string

  before(async () => {
    service = await startTestService('authors')
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-authors-'))
    manual = writeManual(join(folder, 'the manual'))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const palimpsest = (args: string[], env: Record<string, string> = {}): Promise<Finished> =>
    runCommand({ args, cwd: folder, env: environment(env) })

  const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: folder,
    BASE_URL: service.origin,
    SERVICE_API_TOKEN: service.key,
    ...env,
  })

  const write = (name: string, html: string | Buffer): string => {
    const file = join(folder, name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, html)
    return file
  }

  it('pulls every other file if one cannot be written, and says why', async () => {
    const long = 'n'.repeat(250)
    const query = `path=/odd/${long}`
    await service.api().put(`/pages?${query}`).send({ html: 'long' }).expect(201)
    await service.api().put('/pages?path=/odd/page').send({ html: 'page' }).expect(201)
    await withClone(service.gitdir(), (clone) => {
      writeFileSync(join(clone, 'odd', 'a:b.txt'), 'a name that Windows does not know')
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '--message=Odd')
      git(clone, 'push', '--quiet')
    })
    const pulled = join(folder, 'odd')
    mkdirSync(join(pulled, 'odd', 'page.html'), { recursive: true })
    const { code, stdout, stderr } = await palimpsest(['pull', '--output', pulled])
    assert.equal(code, 1)
    assert.match(stderr, /\/odd\/a:b\.txt: The name "a:b\.txt" has ":" in it/)
    assert.match(stderr, /page\.html is a folder: remove it/)
    assert.match(stderr, /failed 2\n$/)
    assert.equal(readFileSync(join(pulled, 'odd', `${long}.html`), 'utf8'), 'long')
    assert.match(stdout, /^written\t\/\t/m)
  })

  it('publishes a folder as one commit, and sends and changes nothing the second time', async () => {
    const before = git(service.gitdir(), 'rev-list', '--count', 'main')
    const first = await palimpsest(['publish', manual, '--path', '/manual', '--json', '--message', 'the whole manual'])
    assert.equal(first.code, 0, first.stderr)
    const { created, replaced, unchanged, removed } = JSON.parse(first.stdout)
    assert.deepEqual(
      { created, replaced, unchanged, removed },
      { created: MANUAL_FILES, replaced: 0, unchanged: 0, removed: 0 },
    )
    assert.equal(git(service.gitdir(), 'rev-list', '--count', 'main'), String(Number(before) + 1))
    assert.equal(git(service.gitdir(), 'log', '-1', '--format=%s', 'main'), 'the whole manual')
    const second = await palimpsest(['publish', manual, '--path', '/manual/'])
    assert.equal(second.code, 0, second.stderr)
    assert.match(second.stderr, new RegExp(`^created 0, replaced 0, unchanged ${MANUAL_FILES}, removed 0$`, 'm'))
    assert.doesNotMatch(second.stderr, /sent/)
    const { text } = await service.visit('/manual/git-log').expect(200)
    assert.equal(text, readFileSync(join(manual, 'git-log.html'), 'utf8'))
  })

  it('pulls pages into the files that they were published from, and keeps a file that differs', async () => {
    const pulled = join(folder, 'pulled')
    for (const name of ['/manual/git-log', '/manual/howto/new-command']) {
      const { code, stderr } = await palimpsest(['pull', name, '--output', pulled])
      assert.equal(code, 0, stderr)
    }
    const log = join(pulled, 'manual/git-log.html')
    assert.deepEqual(readFileSync(log), readFileSync(join(manual, 'git-log.html')))
    assert.ok(existsSync(join(pulled, 'manual/howto/new-command.html')))
    writeFileSync(log, 'mine')
    const again = await palimpsest(['pull', '/manual/git-log', '--output', pulled])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /git-log\.html exists and differs/)
    assert.equal(readFileSync(log, 'utf8'), 'mine')
  })

  it('pulls an earlier version of a page to standard output', async () => {
    const path = ['--path', '/earlier']
    for (const html of ['<h1>first</h1>', '<h1>second</h1>'])
      assert.equal((await palimpsest(['publish', write('earlier.html', html), ...path])).code, 0)
    for (const args of [
      ['/earlier', '--version', '1'],
      ['--version', '1', '/earlier'],
      ['/earlier', '--version=1'],
    ])
      assert.equal((await palimpsest(['pull', ...args])).stdout, '<h1>first</h1>')
  })

  it('does not pull through a symbolic link in the folder', async () => {
    const outside = join(folder, 'outside')
    mkdirSync(outside)
    for (const [at, link] of [
      ['linked/manual', outside],
      ['linked-file/manual/git-log.html', join(outside, 'x')],
    ] as const) {
      mkdirSync(join(folder, at, '..'), { recursive: true })
      symlinkSync(link, join(folder, at))
      const args = ['pull', '/manual/git-log', '--force', '--output', join(folder, at.split('/')[0]!)]
      const { code, stderr } = await palimpsest(args)
      assert.equal(code, 1)
      assert.match(stderr, /is a symbolic link: remove it/)
    }
    assert.deepEqual(readdirSync(outside), [])
  })

  for (const slug of ['../../escaped', '/tmp/escaped', 'a/b', '..']) {
    it(`does not pull into a folder that a service names ${slug}`, async () => {
      const answer = {
        success: true,
        data: [{ id: '1', slug, isDefault: true, url: '' }],
        paging: { nextCursor: null },
      }
      const hostile = createServer((_request, response) =>
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer)),
      )
      await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
      const { port } = hostile.address() as AddressInfo
      const { code, stderr } = await palimpsest(['pull'], { BASE_URL: `http://127.0.0.1:${port}` })
      hostile.close()
      assert.equal(code, 2)
      assert.match(stderr, /a site name that is not a slug/)
    })
  }

  it('lists a page by the title of the file that was published last', async () => {
    for (const title of ['First', 'Second']) {
      const { code } = await palimpsest(['publish', write('titled.html', `<title>${title}</title>\n`)])
      assert.equal(code, 0)
    }
    const { stdout } = await palimpsest(['pages', '--search', 'second', '--json'])
    assert.deepEqual(
      JSON.parse(stdout).map(({ path, title }: { path: string; title: string }) => [path, title]),
      [['/titled', 'Second']],
    )
  })

  it('lists versions, shows differences and rolls back', async () => {
    for (const text of ['one', 'two']) {
      const { code, stdout } = await palimpsest(['publish', write('about.html', `<p>${text}</p>\n`)])
      assert.equal(code, 0)
      assert.match(stdout, /^(created|replaced)\t\/about\thttp:/)
    }
    const difference = await palimpsest(['diff', '/about'])
    assert.ok(difference.stdout.includes('-<p>one</p>\n+<p>two</p>\n'), difference.stdout)
    const { code } = await palimpsest(['rollback', '/about', '1', '--message', 'it was better'])
    assert.equal(code, 0)
    assert.equal((await service.visit('/about')).text, '<p>one</p>\n')
    const versions = JSON.parse((await palimpsest(['versions', '/about', '--json'])).stdout)
    assert.deepEqual(
      versions.map(({ number, action }: { number: number; action: string }) => [number, action]),
      [
        [3, 'rollback'],
        [2, 'replace'],
        [1, 'publish'],
      ],
    )
  })

  it('shows differences, broken links and the preview of a page in a dry run, and publishes nothing', async () => {
    await put(service.api(), '/dry/old', '<p>before</p>\n')
    const file = write('dry/old.html', '<p>after</p> <a href="nowhere">see</a>\n')
    const head = git(service.gitdir(), 'rev-parse', 'main')
    const { code, stdout, stderr } = await palimpsest(['publish', file, '--path', '/dry/old', '--diff'])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^-<p>before<\/p>\n\+<p>after<\/p> .*$/m)
    assert.match(stderr, /^warning: \/dry\/old: The link to \/dry\/nowhere would lead nowhere\.$/m)
    const { host, pathname } = new URL(/^replaced\t\/dry\/old\t(\S+)$/m.exec(stdout)?.[1] ?? '')
    const preview = await supertest(service.origin).get(pathname).set('Host', host)
    assert.equal(preview.text, readFileSync(file, 'utf8'))
    const { dryRun } = JSON.parse((await palimpsest(['publish', 'dry/old.html', '--dry-run', '--json'])).stdout)
    assert.deepEqual(dryRun.files[0], { path: 'old.html', change: 'added' })
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), head)
  })

  it('acts in another workspace that granted the key access, and otherwise names these workspaces', async () => {
    const create = ['workspaces', 'create', 'Next door', '--site', 'next-door']
    const made = await runPalimpsest({ DATA_DIR: service.dataDir }, ...create)
    assert.equal(made.code, 0, made.stderr)
    const [workspaceId = ''] = /[0-9a-f-]{36}/.exec(made.stdout) ?? []
    const { grants } = service.server.service.services.catalog
    await grants.grant(workspaceId, service.workspaceId, ['write'])
    const file = write('there.html', '<p>there</p>')
    const { code, stderr } = await palimpsest(['publish', file, '--workspace', 'Next door'])
    assert.equal(code, 0, stderr)
    assert.equal((await service.visit('/there', 'next-door')).text, '<p>there</p>')
    assert.equal((await service.visit('/there')).status, 404)
    const unknown = await palimpsest(['pages', '--workspace', 'Elsewhere'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /The key sees no workspace "Elsewhere"\. It sees: .*Next door \([0-9a-f-]{36}\)/)
  })

  it('says what to do about each kind of error, and exits with the code for it', async () => {
    const trouble = async (args: string[], env: Record<string, string> = {}) => {
      const { code, stderr, stdout } = await palimpsest(args, env)
      assert.equal(stdout, '')
      return [code, stderr.trim()] as const
    }
    const { key: reader } = await service.mint({ scopes: ['read'] })
    const file = write('refused.html', '<p>refused</p>')
    const breaking = await serveHalfAnswers()
    const all = await Promise.all([
      trouble(['pages'], { SERVICE_API_TOKEN: '' }),
      trouble(['pages'], { SERVICE_API_TOKEN: 'nobody' }),
      trouble(['publish', file], { SERVICE_API_TOKEN: reader }),
      trouble(['pages', '--site', 'elsewhere']),
      trouble(['publish', 'nothing.html']),
      trouble(['pages'], { BASE_URL: 'http://127.0.0.1:9' }),
      trouble(['pull', '--output', file]),
      trouble(['rollback', '/about', 'first']),
      trouble(['publish', '/proc/self/mem', '--path', '/mem']),
      trouble(['pages'], { BASE_URL: breaking.url }),
    ])
    breaking.server.close()
    const expected = [
      [2, /no key for .*PALIMPSEST_TOKEN/],
      [1, /Set PALIMPSEST_TOKEN/],
      [1, /or use a key that may do it/],
      [2, /no site "elsewhere"\. It sees: authors/],
      [2, /There is no nothing\.html/],
      [3, /Nothing answers at http:\/\/127\.0\.0\.1:9/],
      [2, /refused\.html is a file: name another folder/],
      [2, /first is no version: give its number/],
      [1, /^palimpsest: E[A-Z]+: [^\n]*$/],
      [3, /^palimpsest: The connection to http:\S+ broke: try again\.$/],
    ] as const
    for (const [i, [code, message]] of all.entries()) {
      assert.equal(code, expected[i]?.[0], message)
      assert.match(message, expected[i]?.[1] ?? /never/)
    }
  })
})

/** Writes as many pages as a manual has, two of them named as in git's manual. */
function writeManual(folder: string): string {
  mkdirSync(join(folder, 'howto'), { recursive: true })
  const names = ['git-log', 'howto/new-command', ...Array.from({ length: MANUAL_FILES - 2 }, (_, n) => `git-${n}`)]
  for (const name of names) {
    const links = names.map((other) => `<a href="/manual/${other}">${other}</a>`).join('\n')
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><title>${name}</title>\n<h1>${name}</h1>\n${links}\n`)
  }
  return folder
}

/** A server whose answers break off in the middle. */
async function serveHalfAnswers(): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    response.write('{"success": true', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
