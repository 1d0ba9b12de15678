// Pushes as people, their settings and their CI make them, by git itself: what other services take is taken, or named.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { untilNoQuarantine } from './quarantines.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('a push over HTTP, as people make it', () => {
  let service: TestService
  const client = new RemoteGit()
  let clones = 0

  before(async () => {
    service = await startTestService('habits')
  })
  after(async () => {
    await service.stop()
    client.remove()
  })
  afterEach(() => untilNoQuarantine(service.gitdir()))

  const url = () => `http://git:${service.key}@127.0.0.1:${service.server.port}/git/habits`
  const headNow = () => git(service.gitdir(), 'rev-parse', 'main')
  const push = (clone: string, ...args: string[]) => client.attempt('-C', client.path(clone), 'push', ...args)

  async function makeClone(...args: string[]): Promise<string> {
    const name = `clone-${clones++}`
    await client.run('clone', '--quiet', ...args, url(), name)
    return name
  }

  async function commit(clone: string, files: Record<string, string>): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(client.path(clone), path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    await client.in(clone, 'add', '--all')
    await client.in(clone, 'commit', '--quiet', '-m', 'Change')
    return await client.in(clone, 'rev-parse', 'HEAD')
  }

  /** Returns git's words for a push that is taken. */
  async function taken(clone: string, ...args: string[]): Promise<string> {
    const { ok, stderr } = await push(clone, ...args)
    assert.ok(ok, stderr)
    return stderr
  }

  /** Returns git's words for a push that is refused with these words, and leaves main where it was. */
  async function refused(clone: string, words: RegExp, ...args: string[]): Promise<string> {
    const before = headNow()
    const { ok, stderr } = await push(clone, ...args)
    assert.equal(ok, false, stderr)
    assert.match(stderr, words)
    assert.equal(headNow(), before)
    return stderr
  }

  it('goes on with a warning if a push option is unknown', async () => {
    const clone = await makeClone()
    await commit(clone, { 'optional.html': 'x' })
    await client.in(clone, 'config', 'push.pushOption', 'ci.skip')
    const words = await taken(clone, '-o', 'topic=\u001B[31m', '-o', 'ci.skip', '-o', 'message=kept')
    assert.match(words, /warning: there is no push option "topic=\?\[31m", "ci\.skip", so it did nothing/)
    assert.match(words, /There are message=<text> and dry-run/)
    assert.equal((await service.visit('/optional')).text, 'x')
  })

  it('is refused for an option that could mean dry-run', async () => {
    const clone = await makeClone()
    await commit(clone, { 'never.html': 'x' })
    for (const option of [
      'dryrun',
      'dry_run',
      'DRY-RUN',
      'dry-run=true',
      'dry-run ',
      'dry',
      'rdy-run',
      'dry-rnu',
      '--dry-run',
    ])
      await refused(clone, /there is no push option ".+"\. There are message=<text> and dry-run/, '-o', option)
  })

  it('is told what it changed if it brings, moves or removes a symbolic link alone', async () => {
    const clone = await makeClone()
    await commit(clone, { '1.0/index.html': 'one', '2.0/index.html': 'two' })
    await taken(clone)
    const link = join(client.path(clone), 'stable')
    symlinkSync('1.0', link)
    await commit(clone, {})
    assert.match(await taken(clone), /^remote: {3}published http:\/\/\S+\/stable\/\s*$/m)
    assert.equal((await service.visit('/stable/')).text, 'one')
    rmSync(link)
    symlinkSync('2.0', link)
    await commit(clone, {})
    assert.match(await taken(clone), /^remote: {3}replaced {2}http:\/\/\S+\/stable\/\s*$/m)
    rmSync(link)
    await commit(clone, {})
    assert.match(await taken(clone), /^remote: {3}removed {3}http:\/\/\S+\/stable\/\s*$/m)
  })

  it('hears of pages in folders with a dot first, and of files in the folder of records', async () => {
    const clone = await makeClone()
    const page = { 'tags/.net/index.html': 'x', '.github/workflows/ci.yml': 'x', '.templates/t.html': '{{content}}' }
    await commit(clone, { ...page, 'collections/summer/hero.jpg': 'x', 'collections/summer/index.html': 'x' })
    const words = await taken(clone)
    assert.match(
      words,
      /warning: tags\/\.net\/index\.html: It is not served, since a name on its path begins with a dot/,
    )
    assert.match(words, /warning: collections\/summer\/hero\.jpg: Nothing in collections\/ but pages is served/)
    assert.doesNotMatch(words, /ci\.yml|t\.html|summer\/index/)
    const { body } = await service.api().get(`/sites/${service.site.id}/checks`).expect(200)
    const { findings } = (body as { data: { findings: { code: string; path: string }[] } }).data
    assert.deepEqual(
      findings.filter(({ code }) => code === 'stray_file').map(({ path }) => path),
      ['tags/.net/index.html', 'collections/summer/hero.jpg'],
    )
  })

  it('is told no way to undo a push that changed nothing, and one that works if a commit of it is empty', async () => {
    const clone = await makeClone()
    await client.in(clone, 'commit', '--quiet', '--allow-empty', '-m', 'Empty')
    assert.doesNotMatch(await taken(clone), /to undo it/)
    await commit(clone, { 'filled.html': 'x' })
    await client.in(clone, 'commit', '--quiet', '--allow-empty', '-m', 'Empty')
    const [, command] = /to undo it: (.+)/.exec(await taken(clone)) ?? []
    for (const part of (command ?? '').trim().split(' && '))
      await client.in(clone, ...part.replace(/^git /, '').replaceAll('"', '').replace('Undo ', 'Undo-').split(' '))
    await service.visit('/filled').expect(404)
  })

  it('hears of a collection whose records stay behind', async () => {
    const { body } = await service.api().post('/collections').send({ name: 'books' }).expect(201)
    const { id } = (body as { data: { id: string } }).data
    for (const data of [{ a: 1 }, { a: 2 }])
      await service.api().post(`/collections/${id}/records`).send({ data }).expect(201)
    const clone = await makeClone()
    await client.in(clone, 'rm', '--quiet', `collections/${id}.json`)
    await commit(clone, {})
    assert.match(
      await taken(clone),
      new RegExp(`warning: collections/${id}\\.json is gone, and 2 records are in no list`),
    )
    await client.in(clone, 'rm', '--quiet', '-r', 'collections')
    await commit(clone, {})
    assert.doesNotMatch(await taken(clone), /in no list/)
  })

  it('is accepted from shallow clones of any depth, whose first commits the site has', async () => {
    const full = await makeClone()
    for (const name of ['one', 'two', 'three']) await commit(full, { [`${name}.html`]: name })
    await client.in(full, 'checkout', '--quiet', '-b', 'side', 'HEAD~1')
    await commit(full, { 'side.html': 'side' })
    await client.in(full, 'checkout', '--quiet', 'main')
    await client.in(full, 'merge', '--quiet', '--no-edit', 'side')
    await taken(full, 'origin', 'main')
    for (const depth of ['1', '2', '3']) {
      const clone = await makeClone(`--depth=${depth}`)
      assert.equal(await client.in(clone, 'rev-parse', '--is-shallow-repository'), 'true')
      const head = await commit(clone, { 'shallow.html': depth, 'one.html': `one, by ${depth}` })
      await taken(clone)
      assert.equal(headNow(), head)
      await client.in(clone, 'fetch', '--quiet', '--deepen=1')
      await commit(clone, { 'shallow.html': `${depth}, deepened` })
      await taken(clone)
      assert.equal((await service.visit('/shallow')).text, `${depth}, deepened`)
    }
    assertSound(service.gitdir())
  })

  it('is accepted from a shallow clone after main has moved and the clone was rebased', async () => {
    const shallow = await makeClone('--depth=1')
    const other = await makeClone()
    await commit(other, { 'other.html': 'other' })
    await taken(other)
    await commit(shallow, { 'rebased.html': 'rebased' })
    await refused(shallow, /fetch first/)
    await client.in(shallow, 'pull', '--quiet', '--rebase')
    await taken(shallow)
    assert.equal((await service.visit('/rebased')).text, 'rebased')
    assertSound(service.gitdir())
  })

  it('is refused from a shallow clone whose first commits the site lacks', async () => {
    const own = await makeClone()
    await commit(own, { 'a.html': 'a' })
    await commit(own, { 'b.html': 'b' })
    await client.run('clone', '--quiet', '--depth=1', `file://${client.path(own)}`, 'cut-off')
    await commit('cut-off', { 'c.html': 'c' })
    await refused('cut-off', /your clone is shallow.*: git fetch --unshallow/, '--force', url(), 'main')
    await client.in('cut-off', 'fetch', '--quiet', '--unshallow')
    await taken('cut-off', url(), 'main')
  })

  it('is refused with commands that work if its history begins elsewhere', async () => {
    const slug = 'fresh'
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    const made = await service.api(admin).post('/sites').send({ slug }).expect(201)
    const { id: siteId } = (made.body as { data: { id: string } }).data
    await service.api(admin).post('/pages').send({ siteId, path: '/theirs', html: 'theirs' }).expect(201)
    const to = url().replace(/habits$/, slug)
    await client.run('init', '--quiet', '--initial-branch=main', 'orphan')
    await commit('orphan', { 'index.html': 'mine' })
    await commit('orphan', { 'index.html': 'mine, again' })
    const words = await refused('orphan', /this history begins with another commit/, '--force', to, 'main')
    assert.match(words, /palimpsest sites import <URL of this repository>/)
    assert.match(words, /palimpsest publish <folder> --delete --site fresh/)
    const [, merge = ''] = /to bring this history into the site: (.+?)\s*\n/.exec(words) ?? []
    for (const command of merge.replaceAll('<remote>', to).replace('<your branch>', 'main').split(' && '))
      await client.in('orphan', ...command.replace(/^git /, '').replace('merge ', 'merge --no-edit ').split(' '))
    assert.equal((await service.visit('/', slug)).text, 'mine, again')
    assertSound(service.gitdir(slug))
  })

  it('names the commands that publish a branch of another name', async () => {
    const clone = await makeClone()
    await commit(clone, { 'branch.html': 'x' })
    const words = await refused(clone, /only main \(which publishes\) and tags/, 'origin', 'HEAD:gh-pages')
    assert.match(words, /to publish what is checked out: git push <remote> HEAD:main/)
    assert.match(words, /palimpsest publish <folder> --delete --site habits/)
    await taken(clone, 'origin', 'HEAD:main')
  })

  it('names links that lead to nothing, submodules and pointers of Git LFS, the first ten of them', async () => {
    const clone = await makeClone()
    symlinkSync('../one.html', join(client.path(clone), 'latest'))
    mkdirSync(join(client.path(clone), 'sub'))
    await client.in(clone, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:'
    await commit(clone, {
      'img/logo.png': `${pointer}${'7'.repeat(64)}\nsize 184292\n`,
      'img/note.txt': `See ${pointer}`,
    })
    const words = await taken(clone)
    assert.match(words, /warning: img\/logo\.png: It is a pointer of Git LFS.*git lfs untrack/)
    assert.match(words, /warning: latest: This symbolic link leads to no file or folder that the site serves/)
    assert.match(words, /warning: sub: A submodule is never served/)
    assert.doesNotMatch(words, /note\.txt: /)
    for (let at = 0; at < 12; at++) symlinkSync('none.html', join(client.path(clone), `link-${at}`))
    await commit(clone, { 'other.txt': 'x' })
    const more = await taken(clone)
    assert.equal(more.match(/This symbolic link leads to no/g)?.length, 10)
    assert.match(more, /warning: 2 more entries are not served as meant/)
    assert.doesNotMatch(more, /latest/)
  })
})
