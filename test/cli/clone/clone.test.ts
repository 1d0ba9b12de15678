// `palimpsest clone` on a machine that has Node and no git; git itself judges what it leaves.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MAIN, type Outcome, runCommand } from '../../scenarios/commands.js'
import { run } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { offerEndless } from './endless-repository.js'

describe('a clone without git', () => {
  let service: TestService
  let folder: string
  let slug: string
  let carla: RemoteGit

  before(async () => {
    service = await startTestService()
    slug = service.site.slug
    carla = new RemoteGit([`http.extraHeader=Authorization: Bearer ${service.key}`])
    folder = carla.folder
    mkdirSync(join(folder, 'bin'))
    symlinkSync(process.execPath, join(folder, 'bin', 'node'))
    for (const path of ['/a', '/docs/', '/docs/deep/über']) await publish(path, `<h1>${path}</h1>`)
    await publish('/a', '<h1>again</h1>')
    git(service.gitdir(), 'tag', 'light', 'main~1')
    git(service.gitdir(), 'tag', '-a', '-m', 'Annotated', 'heavy', 'main~2')
  })
  after(async () => {
    await service.stop()
    carla.remove()
  })

  async function publish(path: string, html: string): Promise<void> {
    await service
      .api()
      .put(`/pages?path=${encodeURIComponent(path)}`)
      .send({ html })
      .expect((answer) => assert.ok(answer.ok))
  }
  const environment = (env: Record<string, string> = {}): Record<string, string> => ({
    PATH: join(folder, 'bin'),
    HOME: folder,
    BASE_URL: service.origin,
    SERVICE_API_TOKEN: service.key,
    ...env,
  })
  const clone = (args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
    runCommand({ args: ['clone', ...args], cwd: folder, env: environment(env) })
  const headNow = () => git(service.gitdir(), 'rev-parse', 'main')
  const contents = (name: string) => readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).toSorted()

  it('has the history, the tags and every file, is sound, and needs nothing but Node', async () => {
    const here = { cwd: folder, env: environment() }
    const missing = await run('node', ['--eval', 'require("child_process").execFileSync("git")'], here)
    assert.match(missing.stderr, /ENOENT/)
    const { code, stdout, stderr } = await run('node', [MAIN, 'clone', slug], here)
    assert.equal(code, 0, stderr)
    assert.match(stdout, new RegExp(`^${slug} is in ${slug}: \\d+ files\\.`))
    assert.equal(await carla.in(slug, 'fsck', '--full', '--strict'), '')
    assert.equal(await carla.in(slug, 'status', '--porcelain', '--branch'), '## main...origin/main')
    assert.equal(await carla.in(slug, 'rev-parse', 'main'), headNow())
    assert.equal(
      await carla.in(slug, 'rev-list', '--count', 'main'),
      git(service.gitdir(), 'rev-list', '--count', 'main'),
    )
    assert.equal(readFileSync(join(folder, slug, 'docs/deep/über.html'), 'utf8'), '<h1>/docs/deep/über</h1>')
    const tags = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags']
    assert.equal(await carla.in(slug, ...tags), git(service.gitdir(), ...tags))
  })

  it('has the settings of a clone by git, and no key in them', async () => {
    const url = `${service.origin}/git/${slug}.git`
    await carla.run('clone', '--quiet', url, 'by-git')
    const settings = async (name: string) =>
      (await carla.in(name, 'config', '--local', '--list')).split('\n').toSorted()
    assert.equal((await clone([url, 'by-us'])).code, 0)
    assert.deepEqual(await settings('by-us'), await settings('by-git'))
    assert.ok(!readFileSync(join(folder, 'by-us/.git/config'), 'utf8').includes(service.key))
  })

  it('is pushed by git, and brought up to date', async () => {
    assert.equal((await clone([service.site.id, 'worked-in'])).code, 0)
    writeFileSync(join(folder, 'worked-in', 'news.html'), '<h1>by hand</h1>')
    await carla.in('worked-in', 'add', '.')
    await carla.in('worked-in', 'commit', '--quiet', '--message=News')
    await carla.in('worked-in', 'push', '--quiet')
    assert.equal((await service.visit('/news').expect(200)).text, '<h1>by hand</h1>')
    await publish('/later', '<h1>later</h1>')
    await carla.in('worked-in', 'pull', '--quiet', '--ff-only')
    assert.equal(await carla.in('worked-in', 'rev-parse', 'HEAD'), headNow())
    assert.equal(await carla.in('worked-in', 'fsck', '--full', '--strict'), '')
  })

  it('fills an empty folder, and changes nothing in any other', async () => {
    for (const name of ['empty', 'full']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'full', 'mine.txt'), 'mine')
    assert.equal((await clone([slug, 'empty'])).code, 0)
    assert.equal(await carla.in('empty', 'status', '--porcelain'), '')
    const full = await clone([slug, 'full'])
    assert.equal(full.code, 2)
    assert.match(full.stderr, /full is not empty: name another folder/)
    assert.deepEqual(contents('full'), ['mine.txt'])
    assert.match((await clone([slug, 'full/mine.txt'])).stderr, /is a file: name another folder/)
  })

  it('of a public repository needs no key; any other does', async () => {
    const without = { SERVICE_API_TOKEN: '' }
    const refused = await clone([slug, 'public'], without)
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /There is no key for .*: set PALIMPSEST_TOKEN/)
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    await service.api(admin).patch(`/sites/${service.site.id}`).send({ publicRepository: true }).expect(200)
    assert.equal((await clone([slug, 'public'], without)).code, 0)
    await service.api(admin).patch(`/sites/${service.site.id}`).send({ publicRepository: false }).expect(200)
  })

  it('sends the key to no other service, and takes none from a URL', async () => {
    const elsewhere = await clone(['http://127.0.0.1:1/git/demo.git', 'elsewhere'])
    assert.equal(elsewhere.code, 2)
    assert.match(elsewhere.stderr, /is not at .*: set PALIMPSEST_URL=http:\/\/127\.0\.0\.1:1\.\n$/)
    const { host } = new URL(service.origin)
    const inUrl = await clone([`http://any:secret-key@${host}/git/${slug}.git`, 'elsewhere'])
    assert.equal(inUrl.code, 2)
    assert.match(inUrl.stderr, /Leave user and key out of the URL/)
    assert.ok(!inUrl.stderr.includes('secret-key'))
    assert.ok(!existsSync(join(folder, 'elsewhere')))
  })

  for (const [what, named, env, expected] of [
    ['of a site that the key does not see', 'no-such-site', {}, [1, /./]],
    [
      'with a key that is not valid',
      '',
      { SERVICE_API_TOKEN: 'pal_nothing' },
      [1, /Set PALIMPSEST_TOKEN to a valid key/],
    ],
    ['of a name that no site has', 'No Site', {}, [2, /Name a site by its slug or id/]],
    ['of a page', 'http://demo.localhost/about', {}, [2, /is not the URL of a repository/]],
    [
      'from where nothing answers',
      '',
      { BASE_URL: 'http://127.0.0.1:1' },
      [3, /Nothing answers at http:\/\/127\.0\.0\.1:1/],
    ],
  ] as const) {
    it(`${what} is refused with the reason, and leaves no folder`, async () => {
      const { code, stderr } = await clone([named === '' ? slug : named, 'parent/refused'], env)
      assert.equal(code, expected[0], stderr)
      assert.match(stderr, expected[1])
      assert.doesNotMatch(stderr, /\n {4}at /)
      assert.ok(!existsSync(join(folder, 'parent')))
    })
  }

  for (const [what, then, code, message] of [
    ['whose connection breaks', 'break', 3, /The connection to .* broke: try again/],
    ['of something that is no repository', 'end', 1, /What came is not a repository: /],
  ] as const) {
    it(`${what} says so, and leaves nothing`, async () => {
      const endless = await offerEndless(100_000, then)
      try {
        const outcome = await clone(['demo', 'parent/broken'], { BASE_URL: endless.origin })
        assert.equal(outcome.code, code, outcome.stderr)
        assert.match(outcome.stderr, message)
        assert.ok(!existsSync(join(folder, 'parent')))
      } finally {
        endless.close()
      }
    })
  }

  it('that is interrupted leaves nothing', async () => {
    const endless = await offerEndless(100_000)
    try {
      const args = [MAIN, 'clone', 'demo', 'given-up/demo']
      const child = spawn(process.execPath, args, { cwd: folder, env: environment({ BASE_URL: endless.origin }) })
      const said = text(child.stderr)
      child.stderr.once('data', () => child.kill('SIGINT'))
      const [code] = (await once(child, 'close')) as [number | null]
      assert.equal(code, 130, await said)
      assert.ok(!existsSync(join(folder, 'given-up')))
    } finally {
      endless.close()
    }
  })
})
