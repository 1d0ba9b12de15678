import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { flipByteOf } from '../../support/damage.js'
import { assertSound, git } from '../../support/git.js'
import { commitSiteFile } from '../../git/site-file.js'
import { exceptFromJudgement } from '../../support/second-judge.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Page, put, visit } from '../client.js'
import { runPalimpsest } from '../serve-process.js'
import { runGit } from './operator.js'
import { until } from '../../support/within.js'

describe('a backup', () => {
  let root: string
  let dataDir: string
  let dir: string
  let server: TestService
  let key: string

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-backup-'))
    dataDir = join(root, 'data')
    dir = join(root, 'backup')
    server = await serve(dataDir)
    key = (await server.mint({ scopes: ['admin'] })).key
  })
  afterEach(async () => {
    await server.stop()
    rmSync(root, { recursive: true, force: true })
  })

  /** All that the catalog can hold about a site: a link, a mirror, a withdrawn version, a push over HTTP. */
  async function leaveTraces(siteId: string): Promise<void> {
    const api = server.api(key)
    const { id, version } = await put(api, '/withdrawn', 'one', siteId)
    await put(api, '/withdrawn', 'two', siteId)
    await api.post(`/pages/${id}/versions/1/withdraw`).set('x-service-site-id', siteId).expect(200)
    await api.post(`/sites/${siteId}/links`).send({ commit: version.id }).expect(201)
    await api.put(`/sites/${siteId}/mirror`).send({ url: 'https://10.0.0.1/site.git' }).expect(200)
    const site = await api.get(`/sites/${siteId}`).expect(200)
    const { host, pathname } = new URL((site.body as { data: { cloneUrl: string } }).data.cloneUrl)
    const clone = join(root, 'pushed')
    for (const args of [
      ['clone', '--quiet', `http://any:${key}@${host}${pathname}`, clone],
      ['-C', clone, 'commit', '--quiet', '--allow-empty', '--message', 'Push'],
      ['-C', clone, 'push', '--quiet', 'origin', 'HEAD:main'],
    ]) {
      const { code, stderr } = await runGit(root, ...args)
      assert.equal(code, 0, stderr)
    }
  }

  /** The commands that are tested run in other processes. */
  const serve = (folder: string) => startOwnService({ dataDir: folder, keep: true })

  async function restoreAndServe(): Promise<string> {
    const restored = join(root, 'restored')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: restored }, 'restore', dir, '--keep-keys')
    assert.equal(code, 0, stderr)
    await server.stop()
    server = await serve(restored)
    return restored
  }

  it('holds every write answered before it began, with the same ids, commits and keys, even if others write meanwhile', async () => {
    await server.api(key).post('/sites').send({ slug: 'second' })
    const pages: Page[] = []
    const stopped = new AbortController()
    const writer = async (slug: string) => {
      for (let i = 0; !stopped.signal.aborted; i++)
        pages.push(await put(server.api(key), `/${slug}-${i}`, `${slug} ${i}`))
    }
    const writers = ['a', 'b', 'c'].map(writer)
    await until(
      () => pages.length,
      (count) => count >= 15,
    )
    const before = [...pages]
    const backup = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    stopped.abort()
    await Promise.all(writers)
    assert.equal(backup.code, 0, backup.stderr)

    const restored = await restoreAndServe()
    const history = git(join(restored, 'demo.git'), 'rev-list', 'main').split('\n')
    for (const { id, version, path } of before) {
      const { body } = await server.api(key).get(`/pages/${id}`)
      assert.deepEqual((body.data as Page).version, version)
      assert.match((await visit(server.origin, `http://demo.localhost${path}`)).bytes.toString(), /^[abc] \d+$/)
      assert.ok(history.includes(version.id), path)
    }
    assert.equal((await server.api(key).get('/sites')).body.data.length, 2)
    for (const slug of ['demo', 'second']) assertSound(join(restored, `${slug}.git`))
  })

  it('holds the audit log, which verifies where it is restored and says so', async () => {
    await server.api(key).post('/keys').send({ label: 'recorded' }).expect(201)
    const before = (await runPalimpsest({ DATA_DIR: dataDir }, 'audit', 'export')).stdout
    assert.match(before, /"action":"key.create"/)
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const restored = await restoreAndServe()
    const audit = (...args: string[]) => runPalimpsest({ DATA_DIR: restored }, 'audit', ...args)
    const verified = await audit('verify')
    assert.equal(verified.code, 0, verified.stderr)
    assert.ok((await audit('export')).stdout.startsWith(before))
    assert.match((await audit('export', '--operator')).stdout, /"action":"service.restore"/)
  })

  it('copies only new data when it is taken again, and can be cloned like the site', async () => {
    await put(server.api(key), '/large', Array.from({ length: 20_000 }, () => Math.random().toString(36)).join(' '))
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const first = bytesIn(join(dir, 'sites'))
    await put(server.api(key), '/small', 'a few bytes')
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 0, again.stderr)
    const added = bytesIn(join(dir, 'sites')) - first
    assert.ok(first > 100_000 && added > 0 && added < 10_000, `${added} bytes after ${first}`)
    git(root, 'clone', '--quiet', join(dir, 'sites', 'demo.git'), 'clone')
    assert.equal(git(join(root, 'clone'), 'show', 'HEAD:small.html'), 'a few bytes')
  })

  it('leaves the previous backup intact when it is cut short, and the next run finishes it', async () => {
    const page = await put(server.api(key), '/page', 'first')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    await put(server.api(key), '/later', 'second')
    // The files that a kill in the middle of a backup leaves.
    writeFileSync(join(dir, 'catalog.db.new'), 'half a cat')
    const restored = join(root, 'from-the-first')
    assert.equal((await runPalimpsest({ DATA_DIR: restored }, 'restore', dir)).code, 0)
    assert.equal(git(join(restored, 'demo.git'), 'rev-parse', 'main'), page.version.id)
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 0, again.stderr)
    await restoreAndServe()
    assert.equal((await visit(server.origin, 'http://demo.localhost/later')).bytes.toString(), 'second')
  })

  it('names a site that cannot be read, keeps its older copy, and holds all others', async () => {
    await server.api(key).post('/sites').send({ slug: 'second' })
    await put(server.api(key), '/page', 'good')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    await server.stop()
    exceptFromJudgement(join(dataDir, 'demo.git'))
    renameSync(join(dataDir, 'demo.git', 'objects'), join(root, 'lost-objects'))
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /demo failed: .*\n/)
    assert.match(again.stderr, /second copied/)
    assert.equal(git(join(dir, 'sites', 'demo.git'), 'show', 'main:page.html'), 'good')
  })

  it('is restored without its damaged or missing sites, which are named and can be imported with their ids', async () => {
    const made = await Promise.all(
      ['second', 'third', 'fourth'].map((slug) => server.api(key).post('/sites').send({ slug }).expect(201)),
    )
    const ids = made.map(({ body }) => (body.data as { id: string }).id)
    const page = await put(server.api(key), '/page', 'good')
    await leaveTraces(ids[0] ?? '')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const clone = join(root, 'second-clone.git')
    git(root, 'clone', '--quiet', '--bare', '--no-hardlinks', join(dir, 'sites', 'second.git'), clone)
    const second = join(dir, 'sites', 'second.git')
    flipByteOf(second, git(second, 'rev-parse', 'main^{tree}'))
    rmSync(join(dir, 'sites', 'third.git'), { recursive: true })
    git(join(dir, 'sites', 'fourth.git'), 'update-ref', '-d', 'refs/heads/main')
    const restored = join(root, 'restored')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: restored }, 'restore', dir)
    assert.equal(code, 1)
    assert.match(stderr, /demo restored/)
    for (const slug of ['second', 'third', 'fourth']) {
      assert.match(stderr, new RegExp(`${slug} is not restored: .`))
      assert.match(stderr, new RegExp(`sites import ${slug} <repository>`))
    }
    assert.equal(git(join(restored, 'demo.git'), 'rev-parse', 'main'), page.version.id)
    const imported = await runPalimpsest({ DATA_DIR: restored }, 'sites', 'import', 'second', clone)
    assert.equal(imported.stdout.trim(), ids[0], imported.stderr)
  })

  it('is restored without a site in whose place another one lies, which is named', async () => {
    const { body } = await server.api(key).post('/sites').send({ slug: 'second' }).expect(201)
    const { id } = (body as { data: { id: string } }).data
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const place = join(dir, 'sites', 'demo.git')
    rmSync(place, { recursive: true })
    cpSync(join(dir, 'sites', 'second.git'), place, { recursive: true })
    const restored = join(root, 'restored')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: restored }, 'restore', dir)
    assert.equal(code, 1, stderr)
    assert.match(stderr, new RegExp(`demo is not restored: it is the repository of the site ${id}`))
    assert.match(stderr, /second restored/)
    assert.equal(existsSync(join(restored, 'demo.git')), false)
  })

  it('keeps every ref, and makes no commit of its own in a site whose site file was removed', async () => {
    await put(server.api(key), '/page', 'good')
    const gitdir = join(dataDir, 'demo.git')
    const commit = commitSiteFile(gitdir, 'main', undefined)
    for (const branch of ['main', 'draft']) git(gitdir, 'update-ref', `refs/heads/${branch}`, commit)
    git(gitdir, 'tag', 'v1', 'main')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const restored = await restoreAndServe()
    const refs = (of: string) => git(of, 'for-each-ref', '--format=%(objectname) %(refname)')
    assert.equal(refs(join(restored, 'demo.git')), refs(gitdir))
  })

  it('follows a branch that becomes a folder of branches, and keeps no deleted branch', async () => {
    const gitdir = join(dataDir, 'demo.git')
    git(gitdir, 'update-ref', 'refs/heads/feature', 'main')
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    git(gitdir, 'update-ref', '-d', 'refs/heads/feature')
    git(gitdir, 'update-ref', 'refs/heads/feature/x', 'main')
    const page = await put(server.api(key), '/new', 'after')
    const again = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    assert.equal(again.code, 0, again.stderr)
    const branches = git(join(dir, 'sites', 'demo.git'), 'for-each-ref', '--format=%(refname)', 'refs/heads/')
    assert.deepEqual(branches.split('\n'), ['refs/heads/feature/x', 'refs/heads/main'])
    assert.equal(git(join(dir, 'sites', 'demo.git'), 'rev-parse', 'main'), page.version.id)
  })

  it('leaves no empty copy of an unreadable site', async () => {
    await server.api(key).post('/sites').send({ slug: 'second' }).expect(201)
    await server.stop()
    exceptFromJudgement(join(dataDir, 'second.git'))
    renameSync(join(dataDir, 'second.git', 'objects'), join(root, 'lost-objects'))
    assert.equal((await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)).code, 1)
    assert.equal(existsSync(join(dir, 'sites', 'second.git')), false)
  })

  it('restores no session and no link, and no key unless it is told to, and then names the valid keys', async () => {
    const clock = () => new Date()
    const catalog = await openCatalog(dataDir, { clock })
    const [workspace] = await catalog.workspaces.list()
    const times = { createdAt: '2026-01-01T00:00:00Z', expiresAt: '2999-01-01T00:00:00Z' }
    const session = { id: randomUUID(), hash: 'hash', workspaceId: workspace?.id ?? '', label: 'Ada', ...times }
    await catalog.sessions.create(session)
    await catalog.sessions.addLink(session)
    const siteId = workspace?.defaultSiteId ?? ''
    const link = {
      id: randomUUID(),
      siteId,
      commit: '1'.repeat(40),
      hash: 'hash',
      madeBy: null,
      author: 'Ada',
      ...times,
    }
    await catalog.links.create(link)
    await catalog.close()
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const kept = await runPalimpsest({ DATA_DIR: join(root, 'restored') }, 'restore', dir, '--keep-keys')
    assert.equal(kept.code, 0, kept.stderr)
    assert.match(kept.stderr, /These keys are valid/)
    assert.match(kept.stdout, /^[0-9a-f-]{36}\t/)
    const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: join(root, 'revoked') }, 'restore', dir)
    assert.equal(code, 0, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, /The keys of the backup are revoked: make new ones with "keys create"/)
    await server.stop()
    for (const [folder, status] of [
      ['restored', 200],
      ['revoked', 401],
    ] as const) {
      server = await serve(join(root, folder))
      await server.api(key).get('/me').expect(status)
      const restored = await openCatalog(join(root, folder), { clock })
      assert.equal(restored.sessions.findByHash('hash'), undefined)
      assert.equal(await restored.sessions.takeLink('hash'), undefined)
      assert.equal(restored.links.find(link.id), undefined)
      await restored.close()
      await server.stop()
    }
  })

  it('is restored only into an empty directory, and only if it is complete', async () => {
    await runPalimpsest({ DATA_DIR: dataDir }, 'backup', dir)
    const full = await runPalimpsest({ DATA_DIR: dataDir }, 'restore', dir)
    assert.equal(full.code, 1)
    assert.match(full.stderr, /is not empty/)
    rmSync(join(dir, 'manifest.json'))
    const broken = await runPalimpsest({ DATA_DIR: join(root, 'new') }, 'restore', dir)
    assert.equal(broken.code, 1)
    assert.match(broken.stderr, /holds no complete backup/)
    const within = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', join(dataDir, 'backup'))
    assert.equal(within.code, 1)
    assert.match(within.stderr, /choose a folder elsewhere/)
  })
})

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
  return files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0)
}
