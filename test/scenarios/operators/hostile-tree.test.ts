import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../support/git.js'
import { exceptFromJudgement } from '../../support/second-judge.js'
import { startTestService, type TestService } from '../../support/service.js'
import { put, sendRaw } from '../client.js'
import { runGit } from './operator.js'
import { PATIENCE_MS, within } from '../../support/within.js'

const CANARY = 'CANARY: a file outside of the repository'
const LINK = '120000'
const MODULE = '160000'

interface Hostile {
  mode?: string
  /** The path; bytes where it is not valid UTF-8. */
  path: string
  content: string
}

describe('a hostile tree', () => {
  let service: TestService
  let outside: string
  let folder: string

  before(async () => {
    outside = mkdtempSync(join(tmpdir(), 'palimpsest-outside-'))
    writeFileSync(join(outside, 'canary.html'), CANARY)
  })
  after(() => rmSync(outside, { recursive: true, force: true }))
  beforeEach(async () => {
    service = await startTestService()
    exceptFromJudgement(service.gitdir())
    await put(service.api(), '/good', 'good')
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-hostile-'))
    git(folder, 'clone', '--quiet', '--bare', service.gitdir(), 'clone.git')
  })
  afterEach(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Makes one commit in the bare clone, of any names and modes, on top of the existing ones. */
  function commitRaw(files: readonly Hostile[]): void {
    const cwd = join(folder, 'clone.git')
    const commands = files.map(({ mode = '100644', path, content }) => {
      const name = `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
      if (mode === MODULE) return `M ${mode} ${content} ${name}\n`
      return `M ${mode} inline ${name}\ndata ${Buffer.byteLength(content)}\n${content}\n`
    })
    const head = 'commit refs/heads/main\ncommitter M <m@example.org> 1790000000 +0000\ndata 7\nHostile\n'
    execFileSync('git', ['fast-import', '--quiet'], {
      cwd,
      input: `${head}from refs/heads/main^0\n${commands.join('')}`,
    })
  }

  const push = () => runGit(join(folder, 'clone.git'), 'push', '--quiet', 'origin', 'main')

  /** Sends the request target unchanged, where a browser would normalise it. */
  const getRaw = (target: string) =>
    sendRaw(
      service.server.port,
      `GET ${target} HTTP/1.1\r\nHost: ${service.site.slug}.localhost\r\nConnection: close\r\n\r\n`,
    )

  const accepted: Hostile[] = [
    { mode: LINK, path: 'link.html', content: 'CANARY_FILE' },
    { mode: LINK, path: '404.html', content: 'CANARY_FILE' },
    { mode: LINK, path: 'folder', content: 'CANARY_FOLDER' },
    { mode: LINK, path: '.pages/00', content: 'CANARY_FOLDER' },
    { mode: LINK, path: '_headers', content: 'CANARY_FILE' },
    { mode: MODULE, path: 'module', content: 'a'.repeat(40) },
    { mode: MODULE, path: 'module.html', content: 'b'.repeat(40) },
    { mode: '100755', path: 'executable.html', content: 'executable' },
    { path: 'index.html/inner.html', content: 'a folder named as a page' },
    { path: 'Good.html', content: 'differs by case' },
    { path: 'caf\u00e9.html', content: 'composed' },
    { path: 'cafe\u0301.html', content: 'decomposed' },
    { path: 'CON.html', content: 'a device' },
    { path: 'a.html.html', content: 'twice' },
    { path: '.html', content: 'no name' },
    { path: '...html', content: 'dots' },
    { path: '%2e%2e.html', content: 'encoded dots' },
    { path: 'a%2fb.html', content: 'encoded slash' },
    { path: '<script>alert(1)<', content: 'markup in a name' },
    { path: '.htpasswd', content: CANARY },
    { path: '.env', content: CANARY },
    { path: '.templates/evil.html', content: '{% include "/etc/passwd" %}{{ constructor }}' },
    { path: `.pages/zz/${randomUUID()}.json`, content: '{"path":"/good","title":null,"template":null}' },
    { path: '.pages/11/11111111-1111-4111-8111-111111111111.json', content: '{"path":"/../../etc/passwd"}' },
    { path: '.pages/22/22222222-2222-4222-8222-222222222222.json', content: `{"path":"/${'x'.repeat(60_000)}"}` },
    { path: '.pages/33/33333333-3333-4333-8333-333333333333.json', content: '{"__proto__":{"path":"/p"},"path":7}' },
    { path: '.pages/44/44444444-4444-4444-8444-444444444444.json', content: '['.repeat(50_000) },
    {
      path: 'collections/55555555-5555-4555-8555-555555555555.json',
      content: '{"name":"c","schema":{"$ref":"http://x/"}}',
    },
    { path: 'collections/55555555-5555-4555-8555-555555555555/not-an-id.json', content: '{}' },
    {
      path: 'collections/55555555-5555-4555-8555-555555555555/66666666-6666-4666-8666-666666666666.json',
      content: '[1]',
    },
    { path: `${'deep/'.repeat(400)}page.html`, content: 'deep' },
  ]

  it('harms only itself: no file from outside is served, good pages are, and the API answers', async () => {
    commitRaw(
      accepted.map((file) => ({
        ...file,
        content: file.content.replace('CANARY_FILE', join(outside, 'canary.html')).replace('CANARY_FOLDER', outside),
      })),
    )
    const { code, stderr } = await push()
    assert.equal(code, 0, stderr)
    await within(PATIENCE_MS, async () => assert.equal((await service.visit('/executable')).text, 'executable'))

    const names = accepted.map(({ path }) => `/${encodeURI(path)}`)
    const more = [
      '/link',
      '/folder/canary',
      '/folder/canary.html',
      '/module/',
      '/.git/config',
      '/../canary.html',
      '/nothing',
    ]
    for (const target of [...names, ...names.map((name) => name.replace(/\.html$/, '')), ...more]) {
      const { status, text } = await getRaw(target)
      assert.ok([200, 308, 400, 404].includes(status), `${target}: ${status}`)
      assert.ok(!text.includes('CANARY') && !text.includes(outside), `${target}: ${text}`)
    }
    assert.equal((await service.visit('/good')).text, 'good')

    const list = await service.api().get('/pages?status=all&limit=1000')
    assert.equal(list.status, 200)
    for (const page of list.body.data as { id: string; status: string }[]) {
      const { status } = await service.api().get(`/pages/${page.id}`)
      assert.equal(status, page.status === 'published' ? 200 : 404)
    }
    for (const path of ['/collections', '/templates', `/sites/${service.site.id}/commits`]) {
      assert.equal((await service.api().get(path)).status, 200, path)
    }
    const checks = await service.api().get(`/sites/${service.site.id}/checks`)
    assert.equal(checks.status, 200)
    const named = new Set((checks.body.data.findings as { path: string }[]).map(({ path }) => path))
    for (const path of ['link.html', '.pages/11/11111111-1111-4111-8111-111111111111.json']) {
      assert.ok(named.has(path), `${path} is not among ${[...named].join(', ')}`)
    }
    const evil = await service.api().post('/pages').send({ path: '/evil', templateId: 'evil' })
    assert.ok(evil.status < 500 && !JSON.stringify(evil.body).includes('root:'), String(evil.status))
    await put(service.api(), '/good', 'still good')
    assert.equal((await service.visit('/good')).text, 'still good')
  })

  it('is served without rules if the object of its rules is missing', async () => {
    const gitdir = service.gitdir()
    const entries = git(gitdir, 'ls-tree', 'main')
    const missing = `100644 blob ${'ab'.repeat(20)}\t_redirects`
    const tree = execFileSync('git', ['-C', gitdir, 'mktree', '--missing'], { input: `${entries}\n${missing}\n` })
    const planted = git(gitdir, 'commit-tree', tree.toString().trim(), '-p', 'main', '-m', 'Rules that are not there')
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', planted)
    await within(PATIENCE_MS, () =>
      assert.equal(service.server.service.services.store.reader.snapshot(service.site).commit, planted),
    )
    assert.equal((await service.visit('/good')).text, 'good')
  })

  it('is refused if a checkout could misread its names, and changes nothing', async () => {
    const head = git(service.gitdir(), 'rev-parse', 'main')
    for (const path of ['a\\b.html', 'a\nb.html', 'a\tb.html', `${'x'.repeat(256)}.html`]) {
      git(join(folder, 'clone.git'), 'update-ref', 'refs/heads/main', head)
      commitRaw([{ path, content: 'x' }])
      const { code, stderr } = await push()
      assert.notEqual(code, 0, JSON.stringify(path))
      assert.match(stderr, /refused|fsck|invalid path/i)
    }
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), head)
  })
})
