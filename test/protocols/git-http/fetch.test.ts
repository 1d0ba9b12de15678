// Clones and fetches over HTTP, by git itself in each version of its protocol.

import assert from 'node:assert/strict'
import fs, { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as isomorphic from 'isomorphic-git'
import http from 'isomorphic-git/http/node'
import { writeLooseTags } from '../../git/scratch-repository.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'

/** Version 1 differs from 0 by a line that tells it; the test of other clients of git speaks it too. */
const VERSIONS = [0, 2] as const

const countMissing = (listed: string) => listed.split('\n').filter((line) => line.startsWith('?')).length

describe('a clone over HTTP', () => {
  let service: TestService
  let url: string
  const clients = VERSIONS.map((version) => new RemoteGit([`protocol.version=${version}`]))

  before(async () => {
    service = await startTestService()
    url = `http://any:${service.key}@127.0.0.1:${service.server.port}/git/${service.site.slug}.git`
    for (const path of ['/a', '/b', '/c']) await publish(path, `<h1>${path}</h1>`)
  })
  after(async () => {
    await service.stop()
    for (const client of clients) client.remove()
  })

  async function publish(path: string, html: string): Promise<void> {
    await service.api().put(`/pages?path=${path}`).set('Content-Type', 'text/html').send(html)
  }

  const headNow = () => git(service.gitdir(), 'rev-parse', 'main')

  for (const [index, version] of VERSIONS.entries()) {
    const client = clients[index] as RemoteGit

    describe(`in protocol ${version}`, () => {
      it('has the whole history and every file, and is sound', async () => {
        await client.run('clone', '--quiet', url, 'whole')
        assert.equal(await client.in('whole', 'rev-parse', 'HEAD'), headNow())
        assert.equal(await client.in('whole', 'symbolic-ref', 'HEAD'), 'refs/heads/main')
        assert.equal(readFileSync(client.path('whole/a.html'), 'utf8'), '<h1>/a</h1>')
        assert.equal(await client.in('whole', 'fsck', '--full', '--strict'), '')
      })

      it('is brought up to date by a fetch', async () => {
        assert.equal(await client.in('whole', 'fetch', '--quiet'), '')
        await publish(`/new-${version}`, '<p>new')
        await client.in('whole', 'pull', '--quiet', '--ff-only')
        assert.equal(await client.in('whole', 'rev-parse', 'HEAD'), headNow())
        assert.equal(await client.in('whole', 'fsck', '--full', '--strict'), '')
      })

      it('may be shallow, be deepened by number, time and tag, and be made whole', async () => {
        git(service.gitdir(), 'tag', '-f', 'old', 'main~2')
        await client.run('clone', '--quiet', '--depth=1', url, 'shallow')
        assert.equal(await client.in('shallow', 'rev-list', '--count', 'HEAD'), '1')
        await client.in('shallow', 'fetch', '--quiet', '--deepen=1')
        assert.equal(await client.in('shallow', 'rev-list', '--count', 'HEAD'), '2')
        await client.run('clone', '--quiet', '--shallow-exclude=old', url, 'behind')
        assert.equal(await client.in('behind', 'rev-list', '--count', 'HEAD'), '2')
        const words = await client.failure('clone', '--quiet', '--shallow-exclude=nosuch', url, 'none')
        assert.match(words, /remote error: upload-pack: deepen-not is not a ref: nosuch/)
        await client.run('clone', '--quiet', '--shallow-since=2000-01-01', url, 'since')
        await publish(`/later-${version}`, '<p>later')
        await client.in('shallow', 'fetch', '--quiet')
        await client.in('shallow', 'fetch', '--quiet', '--unshallow')
        assert.equal(await client.in('shallow', 'rev-parse', 'origin/main'), headNow())
        assert.equal(await client.in('shallow', 'fsck', '--full', '--strict'), '')
        assert.equal(
          await client.in('shallow', 'rev-list', '--count', 'origin/main'),
          git(service.gitdir(), 'rev-list', '--count', 'main'),
        )
      })

      it('may name a commit of the past', async () => {
        const past = git(service.gitdir(), 'rev-parse', 'main~1')
        await client.run('init', '--quiet', 'past')
        await client.in('past', 'fetch', '--quiet', url, past)
        assert.equal(await client.in('past', 'rev-parse', 'FETCH_HEAD'), past)
      })

      it('has the tags that it names, few or many', async () => {
        const names = Array.from({ length: 40 }, (_, n) => `named-${version}-${n}`)
        writeLooseTags(service.gitdir(), names, headNow())
        for (const asked of [names.slice(0, 2), names.slice(0, 39)]) {
          const name = `named-${asked.length}`
          await client.run('init', '--quiet', name)
          await client.in(
            name,
            'fetch',
            '--quiet',
            '--no-tags',
            url,
            ...asked.map((tag) => `refs/tags/${tag}:refs/tags/${tag}`),
          )
          assert.deepEqual((await client.in(name, 'tag')).split('\n').toSorted(), asked.toSorted())
        }
        // The hook would run twice for each.
        git(service.gitdir(), '-c', 'core.hooksPath=/dev/null', 'tag', '--delete', ...names)
      })

      it('has the tags that operators make, light and annotated, at once', async () => {
        git(service.gitdir(), 'tag', '-f', '-m', 'a release', `v${version}`, 'main')
        git(service.gitdir(), 'tag', `light-${version}`, 'main')
        const listed = await client.run('ls-remote', url)
        const tag = git(service.gitdir(), 'rev-parse', `v${version}`)
        assert.match(listed, new RegExp(`^${tag}\trefs/tags/v${version}$`, 'm'))
        assert.match(listed, new RegExp(`^${headNow()}\trefs/tags/v${version}\\^\\{\\}$`, 'm'))
        await client.in('whole', 'fetch', '--quiet')
        assert.equal(await client.in('whole', 'rev-parse', `v${version}`, `light-${version}`), `${tag}\n${headNow()}`)
        git(service.gitdir(), 'pack-refs', '--all')
        assert.equal(await client.run('ls-remote', url), listed)
      })
    })
  }

  it('has every file if isomorphic-git makes it, whole and shallow', async () => {
    const onAuth = () => ({ username: 'any', password: service.key })
    const from = { fs, http, url: url.replace(/any:.*@/, ''), onAuth }
    const [client] = clients as [RemoteGit]
    await isomorphic.clone({ ...from, dir: client.path('isomorphic') })
    assert.equal(await client.in('isomorphic', 'rev-parse', 'HEAD'), headNow())
    assert.equal(await client.in('isomorphic', 'fsck', '--full', '--strict'), '')
    await isomorphic.clone({ ...from, dir: client.path('depth'), depth: 1, singleBranch: true })
    assert.equal(await client.in('depth', 'rev-list', '--count', 'HEAD'), '1')
    assert.equal(await client.in('depth', 'fsck', '--full', '--strict'), '')
  })

  it('may be partial in protocol 2: a checkout then fetches its objects, of old commits and new ones', async () => {
    const client = clients[1] as RemoteGit
    await publish('/lazy', '<p>first')
    const first = headNow()
    await publish('/lazy', '<p>second')
    for (const filter of ['blob:none', 'tree:0']) {
      const name = filter.replace(':', '-')
      await client.run('clone', '--quiet', '--no-checkout', `--filter=${filter}`, url, name)
      assert.notEqual(countMissing(await client.in(name, 'rev-list', '--objects', '--missing=print', 'HEAD')), 0)
      await client.in(name, 'checkout', '--quiet', 'main')
      await publish('/lazy', `<p>third, ${filter}`)
      await client.in(name, 'pull', '--quiet', '--ff-only')
      assert.equal(await client.in(name, 'show', 'HEAD:lazy.html'), `<p>third, ${filter}`)
      await client.in(name, 'checkout', '--quiet', first)
      assert.equal(readFileSync(client.path(`${name}/lazy.html`), 'utf8'), '<p>first')
      assert.equal(await client.in(name, 'fsck', '--full', '--strict'), '')
    }
  })

  it('needs no key if the site sets publicRepository; other workspaces and their keys may read it too', async () => {
    const [client] = clients as [RemoteGit]
    const open = url.replace(/any:.*@/, '')
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    const { provisioner } = service.server.service.services
    const { workspace } = await provisioner.createWorkspace('Others', 'other-fetchers')
    const { key: foreign } = await service.mint({ workspaceId: workspace.id })
    const say = async (publicRepository: boolean) => {
      const { body } = await service
        .api(admin)
        .patch(`/sites/${service.site.id}`)
        .send({ publicRepository })
        .expect(200)
      assert.equal((body as { data: { publicRepository: boolean } }).data.publicRepository, publicRepository)
    }
    assert.match(await client.failure('ls-remote', open), /could not read Username/)
    await say(true)
    await client.run('clone', '--quiet', open, 'public')
    assert.equal(await client.in('public', 'rev-parse', 'HEAD'), headNow())
    assert.match(await client.run('ls-remote', open.replace('//', `//any:${foreign}@`)), /refs\/heads\/main/)
    const push = await fetch(`${open}/info/refs?service=git-receive-pack`)
    assert.equal(push.status, 401)
    const asForeign = await fetch(`${open}/info/refs?service=git-receive-pack`, {
      headers: { authorization: `Bearer ${foreign}` },
    })
    assert.equal(asForeign.status, 403)
    await say(false)
    assert.match(await client.failure('ls-remote', open), /could not read Username/)
    assert.match(await client.failure('ls-remote', open.replace('//', `//any:${foreign}@`)), /not found/)
  })
})

describe('the refs and objects that a clone may not have', () => {
  let service: TestService
  let url: string
  let secret: { commit: string; blob: string; tree: string }
  const clients = VERSIONS.map((version) => new RemoteGit([`protocol.version=${version}`]))

  before(async () => {
    service = await startTestService()
    url = `http://any:${service.key}@127.0.0.1:${service.server.port}/git/${service.site.slug}.git`
    const gitdir = service.gitdir()
    const writer = clients[0] as RemoteGit
    await writer.run('clone', '--quiet', gitdir, 'desk')
    await writer.in('desk', 'checkout', '--quiet', '-b', 'draft')
    await writer.in('desk', 'commit', '--quiet', '--allow-empty', '-m', 'draft')
    await writer.run('-C', writer.path('desk'), 'rm', '--quiet', 'index.html')
    await writer.in('desk', 'commit', '--quiet', '-m', 'secret tree')
    await writer.in('desk', 'push', '--quiet', 'origin', 'draft')
    const blob = git(gitdir, 'hash-object', '-w', join(gitdir, 'config'))
    secret = { commit: git(gitdir, 'rev-parse', 'draft'), tree: git(gitdir, 'rev-parse', 'draft^{tree}'), blob }
  })
  after(async () => {
    await service.stop()
    for (const client of clients) client.remove()
  })

  for (const [index, version] of VERSIONS.entries()) {
    const client = clients[index] as RemoteGit

    it(`are not advertised in protocol ${version}, and no want gets them`, async () => {
      const listed = await client.run('ls-remote', url)
      assert.deepEqual(
        listed.split('\n').map((line) => line.split('\t')[1]),
        ['HEAD', 'refs/heads/main'],
      )
      await client.run('init', '--quiet', `thief`)
      for (const oid of Object.values(secret)) {
        const said = await client.failure('-C', client.path('thief'), 'fetch', url, oid)
        assert.match(said, /not our ref/)
      }
      assert.match(await client.failure('-C', client.path('thief'), 'fetch', url, 'draft'), /couldn't find remote ref/)
    })
  }

  async function ask(version: number, body: string): Promise<string> {
    const answer = await fetch(url.replace(/any:.*@/, '') + '/git-upload-pack', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': `version=${version}`,
      },
      body,
    })
    return Buffer.from(await answer.arrayBuffer()).toString('latin1')
  }

  const line = (text: string) => (text.length + 5).toString(16).padStart(4, '0') + `${text}\n`

  it('are not revealed by an answer to a have', async () => {
    const main = git(service.gitdir(), 'rev-parse', 'main')
    for (const [oid, isKnown] of [
      [main, true],
      [secret.commit, false],
      [secret.blob, false],
    ] as const) {
      const body = `${line('command=fetch')}0001${line(`want ${main}`)}${line(`have ${oid}`)}0000`
      const said = await ask(2, body)
      assert.equal(said.includes(`ACK ${oid}`), isKnown, said)
      assert.equal(said.includes('NAK'), !isKnown, said)
      const older = `${line(`want ${main} multi_ack_detailed`)}0000${line(`have ${oid}`)}0000`
      assert.equal((await ask(0, older)).includes(`ACK ${oid}`), isKnown)
    }
  })

  it('are not given to a partial clone that asks for single objects', async () => {
    const client = clients[1] as RemoteGit
    await client.run('clone', '--quiet', '--filter=blob:none', url, 'partial')
    for (const oid of Object.values(secret))
      assert.match(await client.failure('-C', client.path('partial'), 'cat-file', '-p', oid), /not our ref/)
  })

  it('do not include a commit that main got by a merge', async () => {
    const writer = clients[0] as RemoteGit
    await writer.run('clone', '--quiet', service.gitdir(), 'merger')
    await writer.in('merger', 'checkout', '--quiet', '-b', 'side', 'HEAD')
    await writer.in('merger', 'commit', '--quiet', '--allow-empty', '-m', 'aside')
    const side = await writer.in('merger', 'rev-parse', 'HEAD')
    await writer.in('merger', 'checkout', '--quiet', 'main')
    await writer.in('merger', 'merge', '--quiet', '--no-ff', '--no-edit', 'side')
    await writer.in('merger', 'push', '--quiet', 'origin', 'main')
    for (const client of clients) {
      await client.run('init', '--quiet', 'aside')
      await client.in('aside', 'fetch', '--quiet', url, side)
      assert.equal(await client.in('aside', 'rev-parse', 'FETCH_HEAD'), side)
    }
  })

  it('are not given for a command, an argument or a filter that was not offered', async () => {
    const main = git(service.gitdir(), 'rev-parse', 'main')
    for (const args of [
      'want-ref refs/heads/draft',
      `filter sparse:oid=${secret.blob}`,
      'packfile-uris https',
      'sideband-all',
    ]) {
      assert.match(
        await ask(2, `${line('command=fetch')}0001${line(`want ${main}`)}${line(args)}${line('done')}0000`),
        /does not support/,
      )
    }
    assert.match(
      await ask(2, `${line('command=object-info')}0001${line('size')}${line(`oid ${secret.blob}`)}0000`),
      /does not support/,
    )
  })
})
