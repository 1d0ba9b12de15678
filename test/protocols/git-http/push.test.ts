// Pushes over HTTP, by git itself.

import assert from 'node:assert/strict'
import fs, { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as isomorphic from 'isomorphic-git'
import http from 'isomorphic-git/http/node'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { derivePageId } from '../../../src/model/ids.js'
import { assertSound, git } from '../../support/git.js'
import { untilNoQuarantine } from './quarantines.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('a push over HTTP', () => {
  let service: TestService
  const client = new RemoteGit()
  let clones = 0

  before(async () => {
    service = await startTestService('pushed')
  })
  after(async () => {
    await service.stop()
    client.remove()
  })
  afterEach(() => untilNoQuarantine(service.gitdir()))

  const urlFor = (key = service.key) => `http://git:${key}@127.0.0.1:${service.server.port}/git/pushed.git`
  const headNow = () => git(service.gitdir(), 'rev-parse', 'main')

  async function makeClone(key?: string, ...args: string[]): Promise<string> {
    const name = `clone-${clones++}`
    await client.run('clone', '--quiet', ...args, urlFor(key), name)
    return name
  }

  async function commit(clone: string, files: Record<string, string | null>, message = 'Change'): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(client.path(clone), path)
      mkdirSync(dirname(file), { recursive: true })
      if (text === null) await client.in(clone, 'rm', '--quiet', path)
      else writeFileSync(file, text)
    }
    await client.in(clone, 'add', '--all')
    await client.in(clone, 'commit', '--quiet', '-m', message)
    return await client.in(clone, 'rev-parse', 'HEAD')
  }

  const push = (clone: string, ...args: string[]) => client.attempt('-C', client.path(clone), 'push', ...args)

  /** Nothing but the words that are refused for, and main where it was. */
  async function refused(clone: string, words: RegExp, ...args: string[]): Promise<string> {
    const before = headNow()
    const { ok, stderr } = await push(clone, ...args)
    assert.equal(ok, false, stderr)
    assert.match(stderr, words)
    assert.equal(headNow(), before)
    return stderr
  }

  it('is live when git ends, and names the live URLs and how to undo it', async () => {
    const clone = await makeClone()
    await commit(clone, { 'gone.html': 'one', 'about.html': '<title>About</title>' })
    assert.ok((await push(clone)).ok)
    const head = await commit(clone, { 'gone.html': null, 'about.html': 'two', 'img/logo ä.svg': '<svg/>' })
    const { ok, stderr } = await push(clone)
    assert.ok(ok, stderr)
    assert.equal(headNow(), head)
    assert.equal((await service.visit('/about')).text, 'two')
    const site = `http://pushed.localhost:${service.server.port}`
    assert.ok(stderr.includes(`published at ${site}/`), stderr)
    assert.match(stderr, /remote: {3}replaced {2}\S+\/about\s/)
    assert.match(stderr, /remote: {3}removed {3}\S+\/gone\s/)
    assert.match(stderr, /remote: {3}published \S+\/img\/logo%20%C3%A4\.svg\s/)
    const [, undo = ''] = /to undo it: git (revert --no-edit \S+) && git push/.exec(stderr) ?? []
    await client.in(clone, ...undo.split(' '))
    assert.ok((await push(clone)).ok)
    assert.equal((await service.visit('/gone')).text, 'one')
    assertSound(service.gitdir())
  })

  for (const version of [0, 1, 2]) {
    it(`is accepted from a client of protocol ${version}`, async () => {
      const clone = await makeClone()
      await commit(clone, { 'version.html': `in protocol ${version}` })
      const { ok, stderr } = await client.attempt('-C', client.path(clone), '-c', `protocol.version=${version}`, 'push')
      assert.ok(ok, stderr)
      assert.equal((await service.visit('/version')).text, `in protocol ${version}`)
    })
  }

  it('is accepted from isomorphic-git', async () => {
    const remote = {
      fs,
      http,
      url: urlFor().replace(/git:.*@/, ''),
      onAuth: () => ({ username: 'any', password: service.key }),
    }
    const dir = client.path('isomorphic')
    await isomorphic.clone({ ...remote, dir })
    writeFileSync(join(dir, 'isomorphic.html'), 'by isomorphic-git')
    await isomorphic.add({ fs, dir, filepath: 'isomorphic.html' })
    await isomorphic.commit({ fs, dir, message: 'Add a page', author: { name: 'Ida', email: 'ida@example.org' } })
    const { ok, refs } = await isomorphic.push({ ...remote, dir, ref: 'main' })
    assert.deepEqual([ok, refs['refs/heads/main']?.ok], [true, true])
    assert.equal((await service.visit('/isomorphic')).text, 'by isomorphic-git')
  })

  it('may be longer than the buffer that git sends at once', async () => {
    const clone = await makeClone()
    const noise = Array.from({ length: 40_000 }, (_, n) => Math.sin(n).toString(36)).join('\n')
    await commit(clone, { 'noise.txt': noise })
    const { ok, stderr } = await client.attempt('-C', client.path(clone), '-c', 'http.postBuffer=65536', 'push')
    assert.ok(ok, stderr)
    assert.equal((await service.visit('/noise.txt')).text, noise)
  })

  it('is refused with advice if main has moved, if a merge would hide commits, and if it is forced', async () => {
    const [ours, theirs] = [await makeClone(), await makeClone()]
    await commit(theirs, { 'theirs.html': 'theirs' })
    assert.ok((await push(theirs)).ok)
    await commit(ours, { 'ours.html': 'ours' })
    await refused(ours, /\(fetch first\)/)
    await refused(ours, /this history is linear: git pull --rebase/, '--force')
    await client.in(ours, 'pull', '--quiet', '--no-rebase', '--no-edit')
    await refused(ours, /this history is linear: git pull --rebase/)
    await client.in(ours, 'pull', '--quiet', '--rebase')
    assert.ok((await push(ours)).ok)
    assert.equal((await service.visit('/ours')).text, 'ours')
  })

  it('changes only main and tags, all refs or none', async () => {
    const clone = await makeClone()
    const head = await commit(clone, { 'tagged.html': 'tagged' })
    await client.in(clone, 'tag', 'v1')
    await client.in(clone, 'tag', '-a', '-m', 'Version 2', 'v2')
    await refused(clone, /only main \(which publishes\) and tags/, 'origin', 'main', 'v1', 'main:topic')
    await refused(clone, /push it alone/, 'origin', 'main', 'HEAD:refs/for/main')
    await refused(clone, /main is the site and cannot be deleted/, 'origin', ':main')
    await refused(clone, /only main \(which publishes\) and tags/, 'origin', 'main:refs/palimpsest/lost/x')
    const { ok, stderr } = await push(clone, 'origin', 'main', 'v1', 'v2')
    assert.ok(ok, stderr)
    assert.deepEqual(
      ['main', 'v1', 'v2^{commit}'].map((ref) => git(service.gitdir(), 'rev-parse', ref)),
      [head, head, head],
    )
    assertSound(service.gitdir())
  })

  it("sets tags on main's own history, and moves and deletes them only for admins", async () => {
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    const clone = await makeClone()
    await client.in(clone, 'tag', 'stays')
    await client.in(clone, 'tag', '-a', '-m', 'x', 'later', 'HEAD')
    assert.ok((await push(clone, 'origin', 'stays', 'later')).ok)
    await client.in(clone, 'tag', '--force', 'stays', 'HEAD~1')
    await refused(clone, /needs a key with the scope "admin"/, '--force', 'origin', 'stays')
    await refused(clone, /needs a key with the scope "admin"/, 'origin', ':stays')
    await commit(clone, { 'unpushed.html': 'x' })
    await client.in(clone, 'tag', 'unpushed')
    await refused(clone, /must name a commit of main's first-parent history: push main first/, 'origin', 'unpushed')
    await client.in(clone, 'tag', 'blob', 'HEAD:unpushed.html')
    await refused(clone, /a tag must name a commit/, 'origin', 'blob')
    const taken = await push(clone, 'origin', 'stays~1:refs/tags/stays/inside')
    assert.equal(taken.ok, false)
    assert.match(taken.stderr, /git could not set the tag/)
    assert.ok((await push(clone, '--force', urlFor(admin), 'stays', ':later')).ok)
    assert.equal(git(service.gitdir(), 'rev-parse', 'stays'), await client.in(clone, 'rev-parse', 'stays'))
    assert.equal(git(service.gitdir(), 'tag', '--list', 'later'), '')
  })

  it('knows the push options dry-run and message', async () => {
    const clone = await makeClone()
    await commit(clone, { 'shown.html': 'shown' })
    const shown = await refused(clone, /dry run: it would be taken; nothing was changed/, '-o', 'dry-run')
    assert.match(shown, /would publish at/)
    assert.match(shown, /published \S+\/shown/)
    const head = await client.in(clone, 'rev-parse', 'HEAD')
    assert.ok((await push(clone, '-o', 'message=for the launch')).ok)
    assert.equal((await service.visit('/shown')).text, 'shown')
    const shownAs = async (oid: string) => {
      const { body } = await service.api().get(`/sites/${service.site.id}/commits/${oid}`).expect(200)
      return (body as { data: { push: { author: string; message: string | null } | null } }).data.push
    }
    assert.equal((await shownAs(head))?.message, 'for the launch')
    const first = await client.in(clone, 'rev-list', '--max-parents=0', 'HEAD')
    assert.equal(await shownAs(first), null)
  })

  it('is refused to read-only keys with a sentence that git shows', async () => {
    const { key } = await service.mint({ scopes: ['read'] })
    const clone = await makeClone(key)
    await commit(clone, { 'x.html': 'x' })
    await refused(clone, /This needs a key with the scope "propose"|403/)
  })

  it('changes only the paths of a key that is limited to paths, in each of its commits', async () => {
    const { key } = await service.mint({ scopes: ['write'], paths: ['/blog/*'] })
    const clone = await makeClone(key)
    const start = await client.in(clone, 'rev-parse', 'HEAD')
    await commit(clone, { 'blog/first.html': 'first', 'blog/a.css': 'a' })
    assert.ok((await push(clone)).ok)
    await commit(clone, { 'blog/second.html': 'second', 'other.html': 'x', _redirects: '/a /b' })
    await commit(clone, { 'other.html': null, _redirects: null })
    const words = await refused(clone, /This key may not write to \/_redirects, nor to 1 more/)
    assert.match(words, /remote: {3}\/other\.html/)
    await client.in(clone, 'reset', '--hard', '--quiet', 'origin/main')
    await client.in(clone, 'tag', 'limited')
    await refused(clone, /limited to paths, and may not set tags/, 'origin', 'limited')
    assert.notEqual(start, headNow())
  })

  it('never takes the id of another page without a sidecar if its key is limited to paths', async () => {
    const theirs = await makeClone()
    await commit(theirs, { 'plain.html': 'plain' })
    assert.ok((await push(theirs)).ok)
    const { body } = await service.api().get('/pages?path=/plain').expect(200)
    const [{ id }] = (body as { data: [{ id: string }] }).data
    const { key } = await service.mint({ scopes: ['write'], paths: ['/blog/*'] })
    const clone = await makeClone(key)
    const sidecarAt = (at: string, path: string) => ({
      [`.pages/${at.slice(0, 2)}/${at}.json`]: `{"path":"${path}"}\n`,
    })
    await commit(clone, { 'blog/x.html': 'x', ...sidecarAt(id, '/blog/x') })
    await refused(clone, /This key may not write to \/\.pages/)
    await client.in(clone, 'reset', '--hard', '--quiet', 'origin/main')
    const own = derivePageId(service.site.id, '/blog/y')
    await commit(clone, { 'blog/y.html': 'y', ...sidecarAt(own, '/blog/y') })
    assert.ok((await push(clone)).ok)
    await service.api().get(`/pages/${id}`).expect(200)
  })

  it('moves main only once the pusher is recorded', async () => {
    const clone = await makeClone()
    await commit(clone, { 'recorded.html': 'recorded' })
    const catalog = openSqlite(join(service.dataDir, 'catalog.db'), { synchronous: 'FULL' })
    catalog.exec(`CREATE TRIGGER no_pushes BEFORE INSERT ON pushes BEGIN SELECT RAISE(ABORT, 'no'); END`)
    try {
      await refused(clone, /error/)
    } finally {
      catalog.exec('DROP TRIGGER no_pushes')
      catalog.close()
    }
    assert.ok((await push(clone)).ok)
  })

  it('is recorded as the work of its key, and undone as such, even if its messages claim another', async () => {
    const { key } = await service.mint({ scopes: ['write'] })
    await service.api().put('/pages?path=/before').send({ html: 'before' }).expect(201)
    const clone = await makeClone(key)
    const claimed = await client.in(clone, 'log', '-1', '--format=%(trailers)')
    await commit(clone, { 'mine-1.html': 'x' }, `Publish /mine-1\n\n${claimed}`)
    await commit(clone, { 'mine-2.html': 'x' }, 'Add mine-2')
    assert.ok((await push(clone)).ok)
    await service.api().put('/pages?path=/after').send({ html: 'after' }).expect(201)
    const subjects = async (of?: string) => {
      const { body } = await service.api(of).get(`/sites/${service.site.id}/commits?author=me&limit=5`).expect(200)
      return (body as { data: { subject: string; mine: boolean }[] }).data.map(({ subject, mine }) => [subject, mine])
    }
    assert.deepEqual(await subjects(key), [
      ['Add mine-2', true],
      ['Publish /mine-1', true],
    ])
    assert.ok(!(await subjects()).some(([subject]) => subject === 'Publish /mine-1'))
    const undo = { since: '2000-01-01T00:00:00Z' }
    await service.api(key).post(`/sites/${service.site.id}/undo`).send(undo).expect(200)
    const statuses = await Promise.all(['/mine-1', '/mine-2', '/before', '/after'].map((path) => service.visit(path)))
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [404, 404, 200, 200],
    )
  })

  it('warns of wrong lines of rules, by their numbers', async () => {
    const clone = await makeClone()
    await commit(clone, { _redirects: '/old /new\n/broken\n/c /:d\n' })
    const { ok, stderr } = await push(clone)
    assert.ok(ok, stderr)
    assert.match(stderr, /remote: palimpsest: warning: line 2 of _redirects is skipped/)
    assert.match(stderr, /remote: palimpsest: warning: line 3 of _redirects: ":d" is no placeholder/)
  })

  it('warns of files that are meant as the start page of a folder that has none', async () => {
    const clone = await makeClone()
    await commit(clone, { 'meant/Index.html': 'x', 'fine/index.htm': 'x', 'fine/index.html': 'x', _redirects: '/x /y' })
    const { ok, stderr } = await push(clone)
    assert.ok(ok, stderr)
    assert.doesNotMatch(stderr, /the site has no start page/)
    assert.match(stderr, /remote: palimpsest: warning: meant\/Index\.html is no start page: name it index\.html/)
    assert.doesNotMatch(stderr, /index\.htm is no start page/)
    await commit(clone, { 'index.html': null, _redirects: null, 'new.txt': 'x' })
    assert.match((await push(clone)).stderr, /warning: the site has no start page, so \/ is 404: add index\.html/)
    await commit(clone, { 'index.html': 'x', 'newer.txt': 'x' })
    assert.doesNotMatch((await push(clone)).stderr, /no start page/)
  })

  it('warns of pages that the API would refuse, and a deploy does not change them', async () => {
    const clone = await makeClone()
    writeFileSync(join(client.path(clone), 'latin.html'), Buffer.from('caf\xe9', 'latin1'))
    await commit(clone, { 'empty.html': '' })
    const { ok, stderr } = await push(clone)
    assert.ok(ok, stderr)
    assert.match(stderr, /remote: palimpsest: warning: empty\.html is an empty page/)
    assert.match(stderr, /remote: palimpsest: warning: latin\.html is not UTF-8/)
    writeFileSync(join(client.path(clone), 'other.html'), Buffer.from('caf\xe8', 'latin1'))
    await commit(clone, { _headers: '/other\n  Content-Type: text/html; charset=iso-8859-1\n' })
    assert.doesNotMatch((await push(clone)).stderr, /is not UTF-8/)
    const oid = await client.in(clone, 'rev-parse', 'HEAD:empty.html')
    await service
      .api()
      .post('/deploys')
      .send({ files: { 'empty.html': { oid, size: 0 } } })
      .expect(201)
  })
})
