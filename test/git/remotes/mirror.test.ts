// Sites that are mirrored to remotes: to repositories that `git http-backend` serves, and to another service like this one.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SiteData } from '../../../schemas/sites.js'
import { assertSound, git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startOwnService } from '../../support/service.js'
import { dataIn, MirrorGround } from './mirror-ground.js'
import { until } from '../../support/within.js'

const LOGIN = { username: 'ada-of-the-mirror', password: 'open sesame' }

describe('a mirror of a site', () => {
  const ground = new MirrorGround()
  const { root, env, remote } = ground

  before(async () => await ground.start())
  after(async () => await ground.stop())
  beforeEach(() => (remote.options = { root }))

  it('follows a publish by the API, a push over HTTP and a push by path', async () => {
    const { site, bare, url } = await ground.make()
    const unknown = { lag: null, error: null, lastSuccessAt: null, nextTryAt: null }
    assert.deepEqual(await ground.set(site, `${url}/`), { url, hasCredentials: false, state: 'behind', ...unknown })
    const first = await ground.until(site, 'ok')
    assert.deepEqual([first.lag, first.error, first.lastSuccessAt === null], [0, null, false])
    ground.assertFollows(site, bare)
    await ground.publish(site, '/by-api')
    await ground.until(site, 'ok')
    ground.assertFollows(site, bare)
    const client = new RemoteGit()
    const { host } = new URL(ground.service.origin)
    await client.run('clone', '--quiet', `http://any:${ground.admin}@${host}/git/${site.slug}.git`, 'clone')
    for (const target of ['origin', ground.service.gitdir(site.slug)]) {
      await client.in('clone', 'commit', '--quiet', '--allow-empty', '-m', 'Push')
      await client.in('clone', 'push', '--quiet', target, 'HEAD:main')
      await ground.until(site, 'ok')
      ground.assertFollows(site, bare)
    }
    client.remove()
    assertSound(bare)
  })

  it('is behind by the commits that the remote has not accepted yet', async () => {
    const { site, url } = await ground.make()
    await ground.set(site, url)
    await ground.until(site, 'ok')
    remote.options = { root, intercept: () => true }
    for (const path of ['/one', '/two']) await ground.publish(site, path)
    const { state, lag } = await ground.look(site)
    assert.deepEqual([state, lag], ['behind', 2])
    remote.options = { root }
    await ground.retry(site)
    assert.equal((await ground.until(site, 'ok')).lag, 0)
  })

  it('continues after a restart of the service, and once the remote can be reached again', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    const first = await startOwnService({ dataDir, env, keep: true })
    const { bare, url } = await ground.make()
    const site = first.site as unknown as SiteData
    const { key } = await first.mint({ scopes: ['admin'] })
    const login = `${LOGIN.username}:${LOGIN.password}`
    remote.options = { root, login }
    await first.api(key).put(`/sites/${site.id}/mirror`).send({ url, credentials: LOGIN }).expect(200)
    await ground.until(site, 'ok', first.api(key))
    remote.options = { root, intercept: ({ socket }) => Boolean(socket.destroy()) }
    await ground.publish(site, '/while-it-is-down', first.api(key))
    assert.match((await ground.until(site, 'failed', first.api(key))).error ?? '', /^The connection to .* failed: /)
    await first.stop()
    remote.options = { root, login }
    // The next try is due by then.
    const second = await startOwnService({ dataDir, env, clock: () => new Date(Date.now() + 60_000) })
    await ground.until(site, 'ok', second.api(key))
    assert.equal(git(bare, 'rev-parse', 'main'), git(second.gitdir(), 'rev-parse', 'main'))
    await second.stop()
  })

  it('stops if the remote has its own commits, and continues once these are removed', async () => {
    const { site, bare, url } = await ground.make()
    await ground.set(site, url)
    await ground.until(site, 'ok')
    const ours = git(bare, 'rev-parse', 'main')
    const tree = git(bare, 'rev-parse', 'main^{tree}')
    const theirs = git(bare, 'commit-tree', tree, '-p', ours, '-m', 'Their own')
    git(bare, 'update-ref', 'refs/heads/main', theirs)
    await ground.publish(site, '/here')
    const { error, lag } = await ground.until(site, 'diverged')
    assert.match(error ?? '', /has commits that this site does not have/)
    assert.equal(lag, null)
    assert.equal(git(bare, 'rev-parse', 'main'), theirs)
    git(bare, 'update-ref', 'refs/heads/main', ours)
    assert.equal((await ground.look(site)).state, 'diverged')
    await ground.retry(site)
    await ground.until(site, 'ok')
    ground.assertFollows(site, bare)
  })

  it("shows the remote's reason for refusing a push, but no credentials", async () => {
    const { site, bare, url } = await ground.make()
    remote.options = { root, login: `${LOGIN.username}:${LOGIN.password}` }
    await ground.set(site, url)
    assert.match((await ground.until(site, 'failed')).error ?? '', /asks for a user name and a password/)
    await ground.set(site, url, { ...LOGIN, password: 'not the one' })
    const wrong = await ground.until(site, 'failed')
    assert.match(wrong.error ?? '', /does not accept.*It says: no entry for ada-of-the-mirror:\*\*\*/)
    assert.ok(wrong.nextTryAt !== null && wrong.hasCredentials)
    writeFileSync(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho closed for today >&2\nexit 1\n', { mode: 0o755 })
    await ground.set(site, url, LOGIN)
    assert.match((await ground.until(site, 'failed')).error ?? '', /pre-receive hook declined.*closed for today/)
    rmSync(join(bare, 'hooks', 'pre-receive'))
    await ground.retry(site)
    await ground.until(site, 'ok')
    const kept = JSON.stringify(ground.service.server.service.services.catalog.mirrors.find(site.id))
    assert.ok(!kept.includes(LOGIN.password) && !kept.includes(LOGIN.username))
  })

  it('is not ok if the remote reports success but does not show the commit', async () => {
    const { site, bare, url } = await ground.make()
    writeFileSync(join(bare, 'hooks', 'post-receive'), '#!/bin/sh\ngit update-ref -d refs/heads/main\n', {
      mode: 0o755,
    })
    await ground.set(site, url)
    assert.match((await ground.until(site, 'failed')).error ?? '', /reported success, but does not show/)
  })

  it('needs its credentials again if the key of the service is gone, and continues with a retry once the key is back', async () => {
    const { site, bare, url } = await ground.make()
    remote.options = { root, login: `${LOGIN.username}:${LOGIN.password}` }
    await ground.set(site, url, LOGIN)
    await ground.until(site, 'ok')
    await ground.service.server.stop()
    const { dataDir } = ground.service
    ground.service = await startOwnService({ dataDir, env: { ...env, SECRETS_KEY_FILE: '' } })
    await ground.publish(site, '/without-the-key')
    assert.match((await ground.until(site, 'off')).error ?? '', /needs its credentials/)
    const refusal = await ground.api().put(`/sites/${site.id}/mirror`).send({ url, credentials: LOGIN }).expect(409)
    assert.match(JSON.stringify(refusal.body), /SECRETS_KEY_FILE/)
    await ground.service.server.stop()
    ground.service = await startOwnService({ dataDir, env })
    assert.equal((await ground.look(site)).state, 'off')
    await ground.retry(site)
    await ground.until(site, 'ok')
    ground.assertFollows(site, bare)
  })

  it('connects only to public addresses, unless an exception is configured', async () => {
    const { site } = await ground.make()
    await ground.set(site, 'https://10.0.0.1/x.git')
    assert.match((await ground.until(site, 'failed')).error ?? '', /has no public address/)
  })

  it('follows to another service like this one, with a key as the password', async () => {
    const other = await startOwnService({ env })
    const { key } = await other.mint({ scopes: ['admin'] })
    const source = {
      importUrl: `${ground.service.origin}/git/demo.git`,
      importCredentials: { username: 'any', password: ground.admin },
    }
    const begun = await other
      .api(key)
      .post('/sites')
      .send({ slug: 'copy', ...source })
      .expect(202)
    const site = ground.service.site as unknown as SiteData
    const { id } = dataIn<SiteData>(begun)
    await until(
      async () => dataIn<SiteData>(await other.api(key).get(`/sites/${id}`).expect(200)),
      ({ state }) => state === 'live',
    )
    await ground.set(site, `${other.origin}/git/copy.git`, { username: 'any', password: key })
    await ground.publish(site, '/on-both')
    await ground.until(site, 'ok')
    assert.equal((await other.visit('/on-both', 'copy').expect(200)).text, '<h1>/on-both')
    await other.stop()
  })

  it('ends with the site, also while a push is under way', async () => {
    const { site, url } = await ground.make()
    let isAsked = () => {}
    const asked = new Promise<void>((done) => (isAsked = done))
    remote.options = {
      root,
      intercept: ({ method }) => {
        if (method === 'POST') isAsked()
        return method === 'POST'
      },
    }
    await ground.set(site, url)
    await asked
    await ground.api().delete(`/sites/${site.id}`).expect(200)
    await ground.api().get(`/sites/${site.id}/mirror`).expect(404)
    assert.deepEqual(
      ground.service.server.service.services.catalog.mirrors.list().filter(({ siteId }) => siteId === site.id),
      [],
    )
  })

  it('can be removed without changing the remote', async () => {
    const { site, bare, url } = await ground.make()
    await ground.set(site, url)
    await ground.until(site, 'ok')
    const before = git(bare, 'rev-parse', 'main')
    await ground.api().delete(`/sites/${site.id}/mirror`).expect(200)
    await ground.publish(site, '/alone')
    const { state, url: none } = await ground.look(site)
    assert.deepEqual([state, none], ['off', null])
    await ground.api().delete(`/sites/${site.id}/mirror`).expect(404)
    await ground.api().post(`/sites/${site.id}/mirror/retry`).expect(404)
    assert.equal(git(bare, 'rev-parse', 'main'), before)
  })

  it('needs a key with the scope admin, and accepts only the URL of a repository', async () => {
    const { site, url } = await ground.make()
    for (const key of [
      ground.service.key,
      (await ground.service.mint({ scopes: ['admin'], sites: [ground.service.site.id] })).key,
    ]) {
      const refused = key === ground.service.key ? 403 : 404
      await ground.service.api(key).put(`/sites/${site.id}/mirror`).send({ url }).expect(refused)
      await ground.service.api(key).get(`/sites/${site.id}/mirror`).expect(refused)
    }
    for (const wrong of ['ftp://x.example/a', 'https://a:b@x.example/a', 'nonsense']) {
      const refusal = await ground.api().put(`/sites/${site.id}/mirror`).send({ url: wrong }).expect(400)
      assert.equal((refusal.body as { error: { code: string } }).error.code, 'invalid_remote')
    }
  })
})
