// The first push of a repository of one's own into a new site.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { put } from '../../scenarios/client.js'

describe('the first push of an own repository into a new site', () => {
  let service: TestService
  let client: RemoteGit

  before(async () => (service = await startTestService()))
  after(() => service.stop())
  beforeEach(() => (client = new RemoteGit()))
  afterEach(() => client.remove())

  const urlOf = (site: TestService) => `http://git:${site.key}@127.0.0.1:${site.server.port}/git/${site.site.slug}`

  /** Makes a repository of three commits, the last of which has two pages. */
  async function makeOwn(site: TestService, name = 'own'): Promise<string[]> {
    await client.run('init', '--quiet', '--initial-branch=main', name)
    const commits: string[] = []
    for (const [file, text] of [
      ['index.html', 'one'],
      ['about.html', 'about'],
      ['index.html', `two of ${name}`],
    ] as const) {
      writeFileSync(join(client.path(name), file), text)
      await client.in(name, 'add', '--all')
      await client.in(name, 'commit', '--quiet', '-m', `Write ${file}`)
      commits.push(await client.in(name, 'rev-parse', 'HEAD'))
    }
    await client.in(name, 'remote', 'add', 'origin', urlOf(site))
    return commits
  }

  for (const version of [0, 1, 2])
    it(`is live, keeps its commits, and leads to a pull, in protocol ${version}`, async () => {
      const site = await service.inNewWorkspace()
      const commits = await makeOwn(site)
      const protocol = `protocol.version=${version}`
      const { ok, stderr } = await client.attempt(
        '-c',
        protocol,
        '-C',
        client.path('own'),
        'push',
        '-u',
        'origin',
        'main',
      )
      assert.ok(ok, stderr)
      assert.match(stderr, /published http:\/\/\S+\/about/)
      assert.match(stderr, /your commits are kept, .*git pull/)
      assert.doesNotMatch(stderr, /to undo it/)
      assert.equal((await site.visit('/')).text, 'two of own')
      await client.in('own', '-c', protocol, 'pull', '--quiet', '--ff-only')
      const head = await client.in('own', 'rev-parse', 'HEAD')
      assert.equal(head, git(site.gitdir(), 'rev-parse', 'main'))
      const history = (await client.in('own', 'rev-list', 'HEAD')).split('\n')
      for (const commit of commits) assert.ok(history.includes(commit))
      assert.equal(git(site.gitdir(), 'show', 'main:.site.json'), git(site.gitdir(), 'show', 'main^1:.site.json'))
      const { body } = await site.api().get(`/sites/${site.site.id}/commits`).expect(200)
      const [newest] = (body as { data: { id: string; verified: string; mine: boolean }[] }).data
      assert.deepEqual([newest?.id, newest?.verified, newest?.mine], [head, 'service', true])
      assertSound(site.gitdir())
      writeFileSync(join(client.path('own'), 'about.html'), 'later')
      await client.in('own', 'commit', '--quiet', '-a', '-m', 'Later')
      await client.in('own', 'push', '--quiet')
      assert.equal((await site.visit('/about')).text, 'later')
      await site.stop()
    })

  it('may be tried as a dry run, and forced', async () => {
    const site = await service.inNewWorkspace()
    await makeOwn(site)
    const tried = await client.attempt('-C', client.path('own'), 'push', '-o', 'dry-run', 'origin', 'main')
    assert.match(tried.stderr, /would publish at/)
    await site.visit('/about').expect(404)
    await client.in('own', 'push', '--quiet', '--force', 'origin', 'main')
    await site.visit('/about').expect(200, 'about')
  })

  it('goes on from a clone of the empty site without a commit on top', async () => {
    const site = await service.inNewWorkspace()
    await client.run('clone', '--quiet', urlOf(site), 'clone')
    writeFileSync(join(client.path('clone'), 'about.html'), 'cloned')
    await client.in('clone', 'add', '--all')
    await client.in('clone', 'commit', '--quiet', '-m', 'Begin')
    const { ok, stderr } = await client.attempt('-C', client.path('clone'), 'push')
    assert.ok(ok, stderr)
    assert.match(stderr, /to undo it: git revert/)
    assert.equal(await client.in('clone', 'rev-parse', 'HEAD'), git(site.gitdir(), 'rev-parse', 'main'))
    await site.visit('/about').expect(200, 'cloned')
  })

  it('keeps the id of the site if the repository is that of another site', async () => {
    const [site, other] = [await service.inNewWorkspace(), await service.inNewWorkspace()]
    const { id } = await put(other.api(), '/about', 'of the other')
    await client.run('clone', '--quiet', urlOf(other), 'clone')
    await client.in('clone', 'push', '--quiet', urlOf(site), 'main')
    assert.equal(JSON.parse(git(site.gitdir(), 'show', 'main:.site.json')).id, site.site.id)
    await site.visit('/about').expect(200, 'of the other')
    const { body } = await site.api().get('/pages').expect(200)
    assert.deepEqual(
      (body as { data: { id: string }[] }).data.map((page) => page.id),
      [id],
    )
  })

  it('is refused once the site has content, and only one of several lands', async () => {
    const site = await service.inNewWorkspace()
    const names = ['one', 'two', 'three']
    for (const name of names) await makeOwn(site, name)
    const pushes = await Promise.all(
      names.map((name) => client.attempt('-C', client.path(name), 'push', 'origin', 'main')),
    )
    assert.equal(pushes.filter(({ ok }) => ok).length, 1)
    const [winner] = names.filter((_, at) => pushes[at]?.ok)
    await site.visit('/').expect(200, `two of ${winner}`)
    await makeOwn(site, 'late')
    const { ok, stderr } = await client.attempt('-C', client.path('late'), 'push', 'origin', 'main')
    assert.equal(ok, false)
    assert.match(stderr, /fetch first/)
    await client.in('late', 'pull', '--quiet', '--rebase', '-X', 'theirs', 'origin', 'main')
    await client.in('late', 'push', '--quiet', 'origin', 'main')
    await site.visit('/').expect(200, 'two of late')
  })
})
