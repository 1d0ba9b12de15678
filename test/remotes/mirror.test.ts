// Sites that are mirrored to remotes: to repositories that `git http-backend` serves, and to another service like this one.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { MirrorData } from '../../schemas/mirrors.js'
import type { SiteData } from '../../schemas/sites.js'
import { assertSound, git } from '../support/git.js'
import { GitServer } from '../support/git-server.js'
import { RemoteGit } from '../support/remote-git.js'
import { startTestService, type TestService } from '../support/service.js'

const LOGIN = { username: 'ada', password: 'open sesame' }
const MAX_WAIT_MS = 15_000

describe('a mirror of a site', () => {
  const root = mkdtempSync(join(tmpdir(), 'palimpsest-remotes-'))
  const keyFile = join(root, 'secrets.key')
  const env = { REMOTE_ALLOW_PRIVATE: '127.0.0.1', SECRETS_KEY_FILE: keyFile }
  let service: TestService
  let remote: GitServer
  let admin: string
  let count = 0

  before(async () => {
    writeFileSync(keyFile, randomBytes(32))
    service = await startTestService({ env })
    admin = (await service.mint({ scopes: ['admin'] })).key
    remote = await new GitServer({ root }).start()
  })
  after(async () => {
    await service.stop()
    await remote.stop()
    rmSync(root, { recursive: true, force: true })
  })
  beforeEach(() => (remote.options = { root }))

  const api = () => service.api(admin)
  /** A site of its own, and an empty repository for it. */
  async function make(): Promise<{ site: SiteData; bare: string; url: string }> {
    const name = `mirrored-${count++}`
    const site = dataIn<SiteData>(await api().post('/sites').send({ slug: name }).expect(201))
    const bare = join(root, `${name}.git`)
    git(root, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
    git(bare, 'config', 'http.receivepack', 'true')
    return { site, bare, url: `${remote.origin}/${name}.git` }
  }
  const set = async ({ id }: SiteData, url: string, credentials?: typeof LOGIN): Promise<MirrorData> =>
    dataIn(
      await api()
        .put(`/sites/${id}/mirror`)
        .send({ url, ...(credentials && { credentials }) })
        .expect(200),
    )
  const look = async ({ id }: SiteData, of = api()): Promise<MirrorData> =>
    dataIn(await of.get(`/sites/${id}/mirror`).expect(200))
  const retry = async ({ id }: SiteData) => await api().post(`/sites/${id}/mirror/retry`).expect(200)
  const publish = async ({ id }: SiteData, path: string, of = api()) =>
    await of
      .post('/pages')
      .set('x-service-site-id', id)
      .send({ path, html: `<h1>${path}` })
      .expect(201)
  async function until(site: SiteData, state: MirrorData['state'], of = api()): Promise<MirrorData> {
    for (const end = Date.now() + MAX_WAIT_MS; ; await pause(20)) {
      const mirror = await look(site, of)
      if (mirror.state === state) return mirror
      assert.ok(Date.now() < end, `the mirror is ${mirror.state}, not ${state}: ${mirror.error}`)
    }
  }
  const assertFollows = (site: SiteData, bare: string) =>
    assert.equal(git(bare, 'rev-parse', 'main'), git(service.gitdir(site.slug), 'rev-parse', 'main'))

  it('follows a publish by the API, a push over HTTP and a push by path', async () => {
    const { site, bare, url } = await make()
    const unknown = { lag: null, error: null, lastSuccessAt: null, nextTryAt: null }
    assert.deepEqual(await set(site, `${url}/`), { url, hasCredentials: false, state: 'behind', ...unknown })
    const first = await until(site, 'ok')
    assert.deepEqual([first.lag, first.error, first.lastSuccessAt === null], [0, null, false])
    assertFollows(site, bare)
    await publish(site, '/by-api')
    await until(site, 'ok')
    assertFollows(site, bare)
    const client = new RemoteGit()
    const { host } = new URL(service.origin)
    await client.run('clone', '--quiet', `http://any:${admin}@${host}/git/${site.slug}.git`, 'clone')
    for (const target of ['origin', service.gitdir(site.slug)]) {
      await client.in('clone', 'commit', '--quiet', '--allow-empty', '-m', 'Push')
      await client.in('clone', 'push', '--quiet', target, 'HEAD:main')
      await until(site, 'ok')
      assertFollows(site, bare)
    }
    client.remove()
    assertSound(bare)
  })

  it('is behind by the commits that the remote has not taken yet', async () => {
    const { site, url } = await make()
    await set(site, url)
    await until(site, 'ok')
    remote.options = { root, intercept: () => true }
    for (const path of ['/one', '/two']) await publish(site, path)
    const { state, lag } = await look(site)
    assert.deepEqual([state, lag], ['behind', 2])
    remote.options = { root }
    await retry(site)
    assert.equal((await until(site, 'ok')).lag, 0)
  })

  it('goes on after a restart of the service, and once the remote can be reached again', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    const first = await startTestService({ dataDir, env, keep: true })
    const { bare, url } = await make()
    const site = first.site as unknown as SiteData
    const { key } = await first.mint({ scopes: ['admin'] })
    const login = `${LOGIN.username}:${LOGIN.password}`
    remote.options = { root, login }
    await first.api(key).put(`/sites/${site.id}/mirror`).send({ url, credentials: LOGIN }).expect(200)
    await until(site, 'ok', first.api(key))
    remote.options = { root, intercept: ({ socket }) => Boolean(socket.destroy()) }
    await publish(site, '/while-it-is-down', first.api(key))
    assert.match((await until(site, 'failed', first.api(key))).error ?? '', /^The connection to .* failed: /)
    await first.stop()
    remote.options = { root, login }
    // The next try is due by then.
    const second = await startTestService({ dataDir, env, clock: () => new Date(Date.now() + 60_000) })
    await until(site, 'ok', second.api(key))
    assert.equal(git(bare, 'rev-parse', 'main'), git(second.gitdir(), 'rev-parse', 'main'))
    await second.stop()
  })

  it('stops where the remote has commits of its own, and goes on once somebody has put it back', async () => {
    const { site, bare, url } = await make()
    await set(site, url)
    await until(site, 'ok')
    const ours = git(bare, 'rev-parse', 'main')
    const tree = git(bare, 'rev-parse', 'main^{tree}')
    const theirs = git(bare, 'commit-tree', tree, '-p', ours, '-m', 'Their own')
    git(bare, 'update-ref', 'refs/heads/main', theirs)
    await publish(site, '/here')
    const { error, lag } = await until(site, 'diverged')
    assert.match(error ?? '', /has commits that this site does not have/)
    assert.equal(lag, null)
    assert.equal(git(bare, 'rev-parse', 'main'), theirs)
    git(bare, 'update-ref', 'refs/heads/main', ours)
    assert.equal((await look(site)).state, 'diverged')
    await retry(site)
    await until(site, 'ok')
    assertFollows(site, bare)
  })

  it('says in the words of the remote why it takes no push, and shows no credentials', async () => {
    const { site, bare, url } = await make()
    remote.options = { root, login: `${LOGIN.username}:${LOGIN.password}` }
    await set(site, url)
    assert.match((await until(site, 'failed')).error ?? '', /asks for a user name and a password/)
    await set(site, url, { ...LOGIN, password: 'not the one' })
    const wrong = await until(site, 'failed')
    assert.match(wrong.error ?? '', /does not accept.*It says: no entry for ada:\*\*\*/)
    assert.ok(wrong.nextTryAt !== null && wrong.hasCredentials)
    writeFileSync(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho closed for today >&2\nexit 1\n', { mode: 0o755 })
    await set(site, url, LOGIN)
    assert.match((await until(site, 'failed')).error ?? '', /pre-receive hook declined.*closed for today/)
    rmSync(join(bare, 'hooks', 'pre-receive'))
    await retry(site)
    await until(site, 'ok')
    const kept = JSON.stringify(service.server.service.services.catalog.mirrors.find(site.id))
    assert.ok(!kept.includes(LOGIN.password) && !kept.includes(LOGIN.username))
  })

  it('is not ok where the remote reports success and does not show the commit', async () => {
    const { site, bare, url } = await make()
    writeFileSync(join(bare, 'hooks', 'post-receive'), '#!/bin/sh\ngit update-ref -d refs/heads/main\n', {
      mode: 0o755,
    })
    await set(site, url)
    assert.match((await until(site, 'failed')).error ?? '', /reports that it took the push, and does not show/)
  })

  it('needs its credentials where the key of the service is gone, and goes on with a retry once the key is back', async () => {
    const { site, bare, url } = await make()
    remote.options = { root, login: `${LOGIN.username}:${LOGIN.password}` }
    await set(site, url, LOGIN)
    await until(site, 'ok')
    await service.server.stop()
    const { dataDir } = service
    service = await startTestService({ dataDir, env: { ...env, SECRETS_KEY_FILE: '' } })
    await publish(site, '/without-the-key')
    assert.match((await until(site, 'off')).error ?? '', /needs its credentials/)
    const refusal = await api().put(`/sites/${site.id}/mirror`).send({ url, credentials: LOGIN }).expect(409)
    assert.match(JSON.stringify(refusal.body), /SECRETS_KEY_FILE/)
    await service.server.stop()
    service = await startTestService({ dataDir, env })
    assert.equal((await look(site)).state, 'off')
    await retry(site)
    await until(site, 'ok')
    assertFollows(site, bare)
  })

  it('connects to public addresses only, where no exception is made', async () => {
    const { site } = await make()
    await set(site, 'https://10.0.0.1/x.git')
    assert.match((await until(site, 'failed')).error ?? '', /has no public address/)
  })

  it('follows to another service like this one, with a key as the password', async () => {
    const other = await startTestService({ env })
    const { key } = await other.mint({ scopes: ['admin'] })
    const source = {
      importUrl: `${service.origin}/git/demo.git`,
      importCredentials: { username: 'any', password: admin },
    }
    const begun = await other
      .api(key)
      .post('/sites')
      .send({ slug: 'copy', ...source })
      .expect(202)
    const site = service.site as unknown as SiteData
    for (const end = Date.now() + MAX_WAIT_MS; ; await pause(20)) {
      const { state } = dataIn<SiteData>(
        await other
          .api(key)
          .get(`/sites/${dataIn<SiteData>(begun).id}`)
          .expect(200),
      )
      if (state === 'live') break
      assert.ok(Date.now() < end, 'the import does not end')
    }
    await set(site, `${other.origin}/git/copy.git`, { username: 'any', password: key })
    await publish(site, '/on-both')
    await until(site, 'ok')
    assert.equal((await other.visit('/on-both', 'copy').expect(200)).text, '<h1>/on-both')
    await other.stop()
  })

  it('ends with the site, also while a push is under way', async () => {
    const { site, url } = await make()
    let isAsked = () => {}
    const asked = new Promise<void>((done) => (isAsked = done))
    remote.options = {
      root,
      intercept: ({ method }) => {
        if (method === 'POST') isAsked()
        return method === 'POST'
      },
    }
    await set(site, url)
    await asked
    await api().delete(`/sites/${site.id}`).expect(200)
    await api().get(`/sites/${site.id}/mirror`).expect(404)
    assert.deepEqual(
      service.server.service.services.catalog.mirrors.listActive().filter(({ siteId }) => siteId === site.id),
      [],
    )
  })

  it('is removed and leaves the remote as it is; there is none then', async () => {
    const { site, bare, url } = await make()
    await set(site, url)
    await until(site, 'ok')
    const before = git(bare, 'rev-parse', 'main')
    await api().delete(`/sites/${site.id}/mirror`).expect(200)
    await publish(site, '/alone')
    const { state, url: none } = await look(site)
    assert.deepEqual([state, none], ['off', null])
    await api().delete(`/sites/${site.id}/mirror`).expect(404)
    await api().post(`/sites/${site.id}/mirror/retry`).expect(404)
    assert.equal(git(bare, 'rev-parse', 'main'), before)
  })

  it('is for keys with the scope admin, and takes the URL of a repository alone', async () => {
    const { site, url } = await make()
    for (const key of [service.key, (await service.mint({ scopes: ['admin'], sites: [service.site.id] })).key]) {
      const refused = key === service.key ? 403 : 404
      await service.api(key).put(`/sites/${site.id}/mirror`).send({ url }).expect(refused)
      await service.api(key).get(`/sites/${site.id}/mirror`).expect(refused)
    }
    for (const wrong of ['ftp://x.example/a', 'https://a:b@x.example/a', 'nonsense']) {
      const refusal = await api().put(`/sites/${site.id}/mirror`).send({ url: wrong }).expect(400)
      assert.equal((refusal.body as { error: { code: string } }).error.code, 'invalid_remote')
    }
  })
})

function dataIn<T>({ body }: { body: unknown }): T {
  return (body as { data: T }).data
}
