import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPage, getPage, replacePage } from '../../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { getCommit, listCommits } from '../../../src/usecases/sites/site-history.js'
import { revertCommit } from '../../../src/usecases/sites/undo.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'
import { runHere } from '../../programs/shell.js'

describe("a site's history", () => {
  let shared: ServiceParts
  let parts: ServiceParts
  let page: string
  const lines = (third: string) => `1\n2\n${third}\n4\n5\n6\n7\n8\n`
  const replace = (html: string) => replacePage(parts.call(), { id: page, html })
  const revert = (commit: string, more: object = {}) => revertCommit(parts.call(more), { id: parts.site.id, commit })
  const read = async (oid: string) => {
    return (await getCommit(parts.call(), { id: parts.site.id, oid })).data
  }
  const html = async () => (await getPage(parts.call(), { id: page })).data.html

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
    const { data } = await createPage(parts.call(), { path: '/a', html: lines('3') })
    page = data.id
  })
  after(() => shared.stop())

  it('lists the commits of git log', async () => {
    await replace('two')
    const { data, nextCursor } = await listCommits(parts.call(), { id: parts.site.id })
    assert.equal(nextCursor, null)
    assert.deepEqual(
      data.map(({ id, parent, author, subject }) => [id, parent ?? '', author, subject].join('|')).join('\n'),
      git(parts.gitdir(), 'log', '--first-parent', '--format=%H|%P|%an|%s'),
    )
    assert.equal(data[0]?.message, 'Replace /a')
    assert.equal(data[0]?.createdAt, '2026-11-21T10:00:00Z')
  })

  it('continues at its cursor while others write', async () => {
    const list = (more: object) => listCommits(parts.call(), { id: parts.site.id, limit: 1, ...more })
    const first = await list({})
    await replace('two')
    const second = await list({ cursor: first.nextCursor ?? '' })
    assert.deepEqual(
      [first, second].map(({ data }) => data[0]?.subject),
      ['Publish /a', `Create site ${parts.site.slug}`],
    )
    assert.equal(second.nextCursor, null)
    await assert.rejects(list({ cursor: 'x' }), refusal('invalid_cursor'))
  })

  it('says which files a commit changed', async () => {
    const { data } = await replace('two')
    const commit = await read(data.version.id.toUpperCase())
    const url = `http://${parts.site.slug}.localhost:8080/a`
    const file = { path: 'a.html', change: 'modified', page: { id: page, version: 2 }, url }
    assert.deepEqual([commit.files, commit.fileCount], [[file], 1])
    assert.deepEqual(
      (await read(commit.parent ?? '')).files?.map(({ change }) => change),
      ['added', 'added'],
    )
    const blob = git(parts.gitdir(), 'rev-parse', 'main:a.html')
    for (const oid of ['main', 'f'.repeat(40), blob]) await assert.rejects(read(oid), refusal('version_not_found'))
  })

  it('gives other requests their turns while it lists very many files of a commit', async () => {
    const files = Array.from({ length: 5_000 }, (_, n) => `M 100644 inline ${n}.txt\ndata 1\nx\n`).join('')
    const head = 'commit refs/heads/main\ncommitter O <o@example.org> 1790000000 +0000\ndata 4\nMany\n'
    const input = `${head}from refs/heads/main^0\n${files}`
    runHere({ command: ['git', '-C', parts.gitdir(), 'fast-import', '--quiet'], input })
    let turns = 0
    const count = () => {
      turns += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const { commits } = parts.services.store
    assert.equal((await commits.changes(parts.site, git(parts.gitdir(), 'rev-parse', 'main'))).length, 5_000)
    clearImmediate(next)
    assert.ok(turns >= 4, `${turns} turns`)
  })

  it('gives the URLs of what a commit changed, and none for what is never served', async () => {
    await withClone(parts.gitdir(), (folder) => {
      for (const name of ['100%.html', 'a b#.txt', '_redirects', '.hidden'])
        writeFileSync(join(folder, name), '/x /a\n')
      git(folder, 'add', '.')
      git(folder, 'commit', '-qm', 'Files')
      git(folder, 'push', '-q')
    })
    const { files = [] } = await read(git(parts.gitdir(), 'rev-parse', 'main'))
    const found = files.map(({ path, url }) => [path, url === null ? null : new URL(url).pathname])
    assert.deepEqual(Object.fromEntries(found), {
      '.hidden': null,
      '100%.html': '/100%25.html',
      _redirects: null,
      'a b#.txt': '/a%20b%23.txt',
    })
  })

  it('names the page versions that a commit made, also if it unpublished them or was pushed', async () => {
    const made = async (oid: string) => {
      const { files = [] } = await read(oid)
      return files.flatMap(({ path, change, page: version }) => (version === null ? [] : [[path, change, version]]))
    }
    const { data: removed } = await unpublishPage(parts.call(), { id: page })
    assert.deepEqual(await made(removed.version.id), [['a.html', 'removed', { id: page, version: 2 }]])
    const { data: reverted } = await revert(removed.version.id)
    assert.deepEqual(await made(reverted.id), [['a.html', 'added', { id: page, version: 3 }]])
    const long = `/${'x'.repeat(300)}`
    const { data: far } = await createPage(parts.call(), { path: long, html: 'far' })
    assert.deepEqual(await made(far.version.id), [
      [git(parts.gitdir(), 'ls-tree', '-r', '--name-only', 'main', '.long'), 'added', { id: far.id, version: 1 }],
    ])
    await withClone(parts.gitdir(), (clone) => {
      for (const name of ['b.html', 'style.css']) writeFileSync(join(clone, name), name)
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '-m', 'By hand')
      git(clone, 'push', '--quiet')
    })
    const pushed = await made(git(parts.gitdir(), 'rev-parse', 'main'))
    assert.deepEqual(
      pushed.map(([path]) => path),
      ['b.html'],
    )
  })

  it('hides a commit that main lost: from its id, a cursor, a revert and the diff of a stale write', async () => {
    const { data: secret } = await replace('the secret')
    const reset = ['update-ref', 'refs/heads/main', `${secret.version.id}^`]
    git(parts.gitdir(), '-c', 'core.hooksPath=/dev/null', ...reset)
    await replace('public')
    const lost = secret.version.id
    const cursor = Buffer.from(JSON.stringify(['commits', lost])).toString('base64url')
    await assert.rejects(read(lost), refusal('version_not_found'))
    await assert.rejects(revert(lost), refusal('version_not_found'))
    const list = listCommits(parts.call(), { id: parts.site.id, cursor })
    await assert.rejects(list, refusal('version_not_found'))
    const stale = replacePage(parts.call(), { id: page, html: 'x', ifMatch: [lost] })
    await assert.rejects(stale, (error: { code?: string; details?: { diff: unknown } }) => {
      assert.deepEqual([error.code, error.details?.diff], ['precondition_failed', null])
      return true
    })
  })

  it('undoes a commit as git revert does and keeps later ones', async () => {
    const { data } = await replace(lines('three'))
    await replace(lines('three').replace('8', 'eight'))
    const { data: commit, created, location } = await revert(data.version.id)
    assert.deepEqual([created, location], [true, `/sites/${parts.site.id}/commits/${commit.id}`])
    assert.equal(await html(), lines('3').replace('8', 'eight'))
    assert.equal(commit.id, git(parts.gitdir(), 'rev-parse', 'main'))
    assert.equal(commit.message, `Revert "Replace /a"\n\nThis reverts commit ${data.version.id}.`)
    assertSound(parts.gitdir())
  })

  it('refuses a revert that conflicts, with the places, and changes nothing', async () => {
    const { data } = await replace(lines('three'))
    await replace(lines('drei'))
    const head = git(parts.gitdir(), 'rev-parse', 'main')
    await assert.rejects(
      revert(data.version.id),
      (error: { code?: string; details?: { conflicts: { path: string }[] } }) => {
        assert.equal(error.code, 'revert_conflict')
        assert.equal(error.details?.conflicts[0]?.path, 'a.html')
        assert.match(JSON.stringify(error.details), /<<<<<<<.*drei.*=======/)
        return true
      },
    )
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main'), head)
  })

  it('replays a repeated revert', async () => {
    const { data } = await replace('two')
    const first = await revert(data.version.id, { idempotencyKey: 'k' })
    assert.deepEqual(await revert(data.version.id, { idempotencyKey: 'k' }), first)
    const nothing = await revert(data.version.id)
    assert.deepEqual([nothing.data.changed, nothing.created], [false, undefined])
    await assert.rejects(revert('f'.repeat(40)), refusal('version_not_found'))
  })
})
