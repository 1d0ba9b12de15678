// Sites made of remote repositories, which `git http-backend` serves.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SiteData } from '../../../schemas/sites.js'
import type { UsageData } from '../../../schemas/usage.js'
import { findBranch } from '../../../src/git/remotes/fetch-pack.js'
import { PrivateRemotes } from '../../../src/git/remotes/remote-address.js'
import { openRemote } from '../../../src/git/remotes/remote.js'
import { assertSound, git } from '../../support/git.js'
import { GitServer } from '../../support/git-server.js'
import { readSlicesByQuery } from '../../support/read-slices.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

const LOGIN = { username: 'ada', password: 'open sesame' }
const PRIVATE = { REMOTE_ALLOW_PRIVATE: '127.0.0.1', MAX_PUSH_BYTES: '1000000' }

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'7'.repeat(64)}\nsize 184292\n`

describe('an import from a remote', () => {
  const root = mkdtempSync(join(tmpdir(), 'palimpsest-remotes-'))
  let service: TestService
  let remote: GitServer
  let admin: string
  let count = 0

  before(async () => {
    service = await startOwnService({ env: PRIVATE })
    admin = (await service.mint({ scopes: ['admin'] })).key
    remote = await new GitServer({ root }).start()
    makeSource('plain', { 'index.html': '<h1>Moved in</h1>', _redirects: '/old /new\nwrong\n', 'logo.png': POINTER })
  })
  after(async () => {
    await service.stop()
    await remote.stop()
    rmSync(root, { recursive: true, force: true })
  })
  beforeEach(() => (remote.options = { root }))
  afterEach(() => {
    const left = readdirSync(service.dataDir).filter((name) => name.startsWith('.import-'))
    assert.deepEqual(left, [], 'an import left its folder')
  })

  /** A bare repository with one commit on the branch. */
  function makeSource(name: string, files: Record<string, string | Buffer>, branch = 'main'): string {
    const folder = mkdtempSync(join(root, 'work-'))
    git(folder, 'init', '--quiet', `--initial-branch=${branch}`)
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '-m', 'Begin')
    const bare = join(root, `${name}.git`)
    git(root, 'clone', '--quiet', '--bare', folder, bare)
    return bare
  }

  const api = () => service.api(admin)
  const begin = async (name: string, more: object = {}): Promise<SiteData> => {
    const body = { slug: `site-${count++}`, importUrl: `${remote.origin}/${name}.git`, ...more }
    return dataIn(await api().post('/sites').send(body).expect(202))
  }
  const look = async (id: string) => dataIn(await api().get(`/sites/${id}`).expect(200))
  async function settled(id: string): Promise<SiteData> {
    return await until(
      () => look(id),
      ({ state }) => state !== 'importing',
    )
  }
  /** The reason of a failure; the slug is free then. */
  async function failed(name: string, more: object = {}): Promise<string> {
    const { id, slug } = await begin(name, more)
    const site = await settled(id)
    assert.equal(site.state, 'failed')
    const { id: next } = dataIn(await api().post('/sites').send({ slug }).expect(201))
    await api().delete(`/sites/${next}`).expect(200)
    return site.import?.error ?? ''
  }

  it('fails past a quota of the workspace, and leaves nothing', async () => {
    makeSource('three-pages', { 'index.html': 'one', 'two.html': 'two', 'three.html': 'three', 'style.css': 'a {}' })
    const { workspaces } = service.server.service.services.catalog
    const { pages, bytes } = (await api().get('/usage').expect(200)).body.data as UsageData
    try {
      await workspaces.setQuotas(service.workspaceId, { pages: pages.used + 2 })
      assert.match(await failed('three-pages'), /this would add 3/)
      await workspaces.setQuotas(service.workspaceId, { pages: null, bytes: bytes.used + 100 })
      assert.match(await failed('three-pages'), /bytes, and this would add \d+/)
    } finally {
      await workspaces.setQuotas(service.workspaceId, { pages: null, bytes: null })
    }
    assert.equal((await settled((await begin('three-pages')).id)).state, 'live')
  })

  it('makes a live site, with its history, by the newest protocol and by the oldest', async () => {
    const source = makeSource('history', { 'index.html': 'moved in' }, 'master')
    for (const protocol of ['any', 'oldest'] as const) {
      remote.options = { root, protocol }
      const begun = await begin('history')
      assert.equal(begun.state, 'importing')
      const site = await settled(begun.id)
      assert.deepEqual([site.state, site.import?.phase, site.import?.error], ['live', 'done', null])
      assert.equal((await service.visit('/', site.slug)).text, 'moved in')
      assertSound(service.gitdir(site.slug))
      const [first] = git(service.gitdir(site.slug), 'rev-list', '--reverse', 'main').split('\n')
      assert.equal(first, git(source, 'rev-parse', 'master'))
      await api().post('/pages').set('x-service-site-id', site.id).send({ path: '/new', html: 'n' }).expect(201)
    }
  })

  it('keeps the id of the repository, unless another site has it, which is not revealed', async () => {
    const gitdir = service.gitdir('demo')
    git(root, 'clone', '--quiet', '--bare', gitdir, 'demo.git')
    const copy = await settled((await begin('demo')).id)
    assert.equal(copy.state, 'live')
    assert.notEqual(copy.id, service.site.id)
    assert.deepEqual(copy.import?.warnings, [])
    const id = '3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12'
    makeSource('named', { '.site.json': `{"format":1,"id":"${id}"}\n`, 'index.html': 'x' })
    const begun = await begin('named')
    const site = await settled(begun.id)
    assert.equal(site.id, id)
    assert.equal((await look(id)).slug, begun.slug)
  })

  it('copies a site of another service like this one, with a key as the password', async () => {
    const importUrl = `${service.origin}/git/demo.git`
    const body = { slug: 'from-git', importUrl, importCredentials: { username: 'any', password: service.key } }
    const site = await settled(dataIn(await api().post('/sites').send(body).expect(202)).id)
    assert.equal(site.state, 'live')
    assert.equal((await service.visit('/', 'from-git')).text, (await service.visit('/')).text)
  })

  it('names the lines that cannot be served, and pointers of Git LFS', async () => {
    const site = await settled((await begin('plain')).id)
    assert.equal(site.state, 'live')
    assert.match(
      site.import?.warnings.join('\n') ?? '',
      /line 2 of _redirects is skipped.*\n.*logo\.png: It is a pointer of Git LFS/,
    )
  })

  it('sends user name and password, and repeats neither', async () => {
    remote.options = { root, login: `${LOGIN.username}:${LOGIN.password}` }
    assert.equal((await settled((await begin('plain', { importCredentials: LOGIN })).id)).state, 'live')
    assert.match(await failed('plain'), /asks for a user name and a password/)
    const wrong = await failed('plain', { importCredentials: { ...LOGIN, password: 'not the one' } })
    assert.match(wrong, /does not accept.*It says: no entry for ada:\*\*\*/)
  })

  it("reports the remote's error, and frees the slug", async () => {
    assert.match(await failed('missing'), /answers 404/)
    remote.options = { root, intercept: (_, response) => Boolean(response.end('<p>a web page')) }
    assert.match(await failed('plain'), /not that of a git repository/)
    remote.options = {
      root,
      intercept: ({ method }, response) => {
        if (method === 'GET') return false
        response.writeHead(503, { 'Content-Type': 'text/plain' }).end('down for \u001b[1mrepair\n')
        return true
      },
    }
    assert.match(await failed('plain'), /answers 503: down for +\[1mrepair$/)
  })

  it('refuses the same as a push does, and repositories larger than the limit', async () => {
    makeSource('unsafe', { 'a\\b.html': 'x' })
    assert.match(await failed('unsafe'), /refused: a file name holds a backslash/)
    const noise = Buffer.concat(Array.from({ length: 40_000 }, (_, n) => createHash('sha256').update(`${n}`).digest()))
    makeSource('large', { 'noise.bin': noise })
    assert.match(await failed('large'), /larger than 1000000 bytes/)
    const empty = join(root, 'empty.git')
    git(root, 'init', '--quiet', '--bare', empty)
    assert.match(await failed('empty'), /no branch main or master/)
  })

  it('follows redirects only within the host, and sends nothing to another', async () => {
    const moveTo = (location: string) => {
      remote.options = {
        root,
        intercept: ({ url = '' }, response) => {
          if (!url.startsWith('/moved.git')) return false
          response.writeHead(301, { Location: location }).end()
          return true
        },
      }
    }
    moveTo('/plain.git/info/refs?service=git-upload-pack')
    assert.equal((await settled((await begin('moved')).id)).state, 'live')
    const other = await new GitServer({ root }).start()
    moveTo(`${other.origin}/plain.git/info/refs?service=git-upload-pack`)
    assert.match(await failed('moved'), /redirects to another address of this host: use http/)
    assert.deepEqual(other.requests, [])
    await other.stop()
    moveTo('/login')
    assert.match(await failed('moved'), /no git repository/)
    moveTo('/moved.git/info/refs')
    assert.match(await failed('moved'), /answers 301/)
  })

  it('connects to the address that was resolved first, even if the name changes a moment later', async () => {
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    const url = new URL(remote.origin.replace('127.0.0.1', 'git.example').concat('/plain.git'))
    const exceptions = new PrivateRemotes(['git.example'])
    const opened = await openRemote({ url, exceptions, resolve, signal: AbortSignal.timeout(5000) })
    await findBranch(opened)
    await findBranch(opened)
    opened.close()
    assert.equal(asked, 1)
  })

  it('is cancelled by a deletion, in any phase', async () => {
    let isAsked = () => {}
    const asked = new Promise<void>((done) => (isAsked = done))
    remote.options = {
      root,
      intercept: ({ method }, response) => {
        if (method === 'GET') return false
        response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-result' })
        response.write('000dpackfile\n')
        isAsked()
        return true
      },
    }
    const { id, slug } = await begin('plain')
    await asked
    const listed = await api().get('/sites?state=importing').expect(200)
    assert.ok((listed.body as { data: SiteData[] }).data.some((site) => site.id === id))
    await api().post('/sites').send({ slug }).expect(409)
    await api().delete(`/sites/${id}`).expect(200)
    await api().get(`/sites/${id}`).expect(404)
    await api().post('/sites').send({ slug }).expect(201)
  })

  it('is cancelled at once while it waits for its turn behind others of the workspace', async () => {
    remote.options = { root, intercept: () => true }
    const begun = [await begin('plain'), await begin('plain'), await begin('plain')]
    const [, , third] = await Promise.all(begun.map(({ id }) => look(id)))
    assert.equal(third?.import?.phase, 'waiting')
    const list = async (query: string) =>
      (await api().get(`/sites?state=importing&${query}`).expect(200)).body as { data: SiteData[] }
    const whole = await list('')
    const listed = await readSlicesByQuery<SiteData>(1, list)
    const idsOf = (sites: readonly SiteData[]) => sites.map(({ id }) => id)
    assert.deepEqual(idsOf(listed), idsOf(whole.data))
    assert.deepEqual(
      begun.filter(({ id }) => !idsOf(listed).includes(id)),
      [],
    )
    for (const { id } of begun.toReversed()) await api().delete(`/sites/${id}`).expect(200)
    await api().post('/sites').send({ slug: third?.slug }).expect(201)
  })

  it('ends with the service: the next start reports it, the slug is free, and nothing is left', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    const server = await new GitServer({ root, intercept: () => true }).start()
    const first = await startOwnService({ dataDir, env: PRIVATE, keep: true })
    const mint = async (of: TestService) => of.api((await of.mint({ scopes: ['admin'] })).key)
    const body = { slug: 'cut', importUrl: `${server.origin}/plain.git` }
    const { id } = dataIn(await (await mint(first)).post('/sites').send(body).expect(202))
    await first.stop()
    const second = await startOwnService({ dataDir, env: PRIVATE })
    const after = dataIn(await (await mint(second)).get(`/sites/${id}`).expect(200))
    assert.deepEqual(
      [after.state, after.import?.error],
      ['failed', 'The service stopped before the import was done. Import it again.'],
    )
    await (await mint(second)).post('/sites').send({ slug: 'cut' }).expect(201)
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.startsWith('.import-')),
      [],
    )
    await second.stop()
    await server.stop()
  })

  it('needs a key of the whole workspace with the scope admin', async () => {
    const body = { slug: 'mine', importUrl: `${remote.origin}/plain.git` }
    await service.api().post('/sites').send(body).expect(403)
    const { key } = await service.mint({ scopes: ['admin'], sites: [service.site.id] })
    await service.api(key).post('/sites').send(body).expect(403)
    const { id } = await begin('plain')
    await settled(id)
    for (const url of ['ftp://x.example/a', 'https://a:b@x.example/a', 'https://x.example/a?b', 'nonsense']) {
      const refusal = await api().post('/sites').send({ slug: 'mine', importUrl: url }).expect(400)
      assert.equal((refusal.body as { error: { code: string } }).error.code, 'invalid_remote')
    }
  })
})

function dataIn({ body }: { body: unknown }): SiteData {
  return (body as { data: SiteData }).data
}
