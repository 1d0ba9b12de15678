import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '../../../src/model/errors.js'
import { type PagePath, parsePagePath } from '../../../src/model/paths/page-path.js'
import { Store } from '../../../src/repository/store.js'
import type { KnownPage, Operation } from '../../../src/repository/protocol/write.js'
import type { Written } from '../../../src/repository/protocol/written.js'
import { assertSound, git, withClone } from '../../support/git.js'

const LIMITS = { writerThreads: 2, diskReserveBytes: 0 }
const TIME = 1_790_000_000

describe('the store', () => {
  let dataDir: string
  let store: Store
  const site = { id: randomUUID(), slug: 'demo' }

  const write = (operation: Operation, author = 'Ada') =>
    store.write(site, { operation, author, time: TIME, trailers: [['Request-Id', 'r1']] })
  const publish = (path: string, html: string, more: Partial<Extract<Operation, { kind: 'publish-page' }>> = {}) =>
    write({
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from(html),
      title: undefined,
      templateId: null,
      replace: false,
      ...more,
    })
  const known = (written: Written, path: string): KnownPage => ({
    id: written.id,
    path: path as PagePath,
    lastChange: written.commit,
    asOf: written.commit,
    titleIsSet: false,
  })
  const gitdir = () => store.repositories.gitdir(site)
  const code = (expected: string) => (error: unknown) => error instanceof ServiceError && error.code === expected

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
    store = new Store({ dataDir, limits: LIMITS })
    await store.writers.createRepository(site, TIME)
  })
  afterEach(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('makes a repository that git finds sound, with only the site file', () => {
    assertSound(gitdir())
    assert.equal(git(gitdir(), 'show', 'main:.site.json'), `{"format":1,"id":"${site.id}"}`)
    assert.equal(git(gitdir(), 'ls-tree', '-r', '--name-only', 'main'), '.site.json')
  })

  it('publishes a page as one commit of html and sidecar', async () => {
    const written = await publish('/about', '<h1>About</h1>', { title: 'About us' })
    assert.equal(written.created, true)
    assert.equal(git(gitdir(), 'rev-parse', 'main'), written.commit)
    assert.equal(git(gitdir(), 'show', 'main:about.html'), '<h1>About</h1>')
    const sidecar = git(gitdir(), 'show', `main:.pages/${written.id.slice(0, 2)}/${written.id}.json`)
    assert.deepEqual(JSON.parse(sidecar), { path: '/about', template: null, title: 'About us', titleIsSet: true })
    assert.equal(
      git(gitdir(), 'log', '-1', '--format=%an|%cn|%s|%(trailers:key=Page-Id,valueonly)', 'main').trim(),
      `Ada|Palimpsest|Publish /about|${written.id}`,
    )
    assertSound(gitdir())
  })

  it('keeps every one of many writes at once, each in a commit of its own', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `/page-${i}`)
    const written = await Promise.all(paths.map((path) => publish(path, path)))
    assert.equal(new Set(written.map(({ commit }) => commit)).size, 50)
    assert.equal(git(gitdir(), 'rev-list', '--count', 'main'), '51')
    for (const path of paths) assert.equal(git(gitdir(), 'show', `main:${path.slice(1)}.html`), path)
    assertSound(gitdir())
  })

  it('shows a large folder as git has it, right after each of many writes', async () => {
    await withClone(gitdir(), (folder) => {
      for (let i = 0; i < 350; i++) writeFileSync(join(folder, `${'long-'.repeat(40)}${i}.html`), `${i}`)
      git(folder, 'add', '.')
      git(folder, 'commit', '--quiet', '--message', 'Add many')
      git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
    })
    // The reader has the site open, so that it is handed what the writer makes.
    assert.equal(store.reader.snapshot(site).list('').length, 351)
    for (let round = 0; round < 3; round++) {
      const paths = Array.from({ length: 20 }, (_, i) => `/page-${(i % 10) * 250}-${Math.floor(i / 10) * round}`)
      await Promise.all(paths.map((path, i) => publish(path, `${round} ${i}`, { replace: true })))
      const shown = store.reader.snapshot(site).list('')
      const listed = git(gitdir(), 'ls-tree', 'main', '--format=%(objectname) %(path)')
      assert.equal(shown.map(({ oid, name }) => `${oid} ${name}`).join('\n'), listed)
    }
    assertSound(gitdir())
  })

  it('accepts one of two writes with the same entity tag', async () => {
    const page = await publish('/a', 'one')
    const replace = (html: string) =>
      write({ kind: 'replace-page', page: known(page, '/a'), html: Buffer.from(html), ifMatch: [page.commit] })
    const results = await Promise.allSettled([replace('two'), replace('three')])
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const refused = results.find((result) => result.status === 'rejected')
    assert.ok(code('precondition_failed')(refused?.reason))
  })

  it('makes no commit for bytes that are there already', async () => {
    const page = await publish('/a', 'one')
    const again = await write({ kind: 'replace-page', page: known(page, '/a'), html: Buffer.from('one') })
    assert.equal(again.changed, false)
    assert.equal(git(gitdir(), 'rev-parse', 'main'), page.commit)
  })

  it('unpublishes a page, and publishes it again at its path with its id', async () => {
    const page = await publish('/a', 'one')
    const gone = await write({ kind: 'unpublish-page', page: known(page, '/a') })
    assert.equal(store.reader.snapshot(site).entry('a.html'), undefined)
    const back = await publish('/a', 'two')
    assert.equal(back.id, page.id)
    assert.equal(back.created, true)
    assert.notEqual(back.commit, gone.commit)
  })

  it('rolls back to a version, also of an unpublished page', async () => {
    const page = await publish('/a', 'one')
    const blob = git(gitdir(), 'rev-parse', 'main:a.html')
    const second = await write({ kind: 'replace-page', page: known(page, '/a'), html: Buffer.from('two') })
    const third = await write({ kind: 'unpublish-page', page: known(page, '/a') })
    const undone = { newest: [third.commit, second.commit], count: 2 }
    await write({ kind: 'rollback-page', page: known(page, '/a'), version: page.commit, blob, undone })
    assert.equal(git(gitdir(), 'show', 'main:a.html'), 'one')
    assert.match(
      git(gitdir(), 'log', '-1', '--format=%B', 'main'),
      new RegExp(`This reverts commit ${third.commit}\\.`),
    )
    assertSound(gitdir())
  })

  it('refuses paths that would clash with an existing page', async () => {
    await publish('/docs', 'page')
    await publish('/Über', 'page')
    await assert.rejects(publish('/docs/', 'folder'), code('path_conflict'))
    await assert.rejects(publish('/DOCS', 'other case'), code('path_conflict'))
    await assert.rejects(publish('/über', 'other case'), code('path_conflict'))
    await assert.rejects(publish('/docs', 'again'), code('page_exists'))
    await publish('/docs/inner', 'beside the page of that name')
  })

  it('reverts a commit, and refuses where it conflicts', async () => {
    const page = await publish('/a', 'one\n')
    const second = await write({ kind: 'replace-page', page: known(page, '/a'), html: Buffer.from('two\n') })
    const revert = { kind: 'revert-commits', commits: [second.commit], withheld: [] } as const
    await write(revert)
    assert.equal(git(gitdir(), 'show', 'main:a.html'), 'one')
    await write({ kind: 'replace-page', page: known(page, '/a'), html: Buffer.from('three\n') })
    await assert.rejects(write(revert), code('revert_conflict'))
    assert.equal(git(gitdir(), 'log', '-1', '--skip=1', '--format=%s', 'main'), 'Revert "Replace /a"')
  })

  it("builds on an operator's commit, and serves the result", async () => {
    const first = await publish('/a', 'one')
    const tree = git(gitdir(), 'rev-parse', 'main^{tree}')
    const pushed = git(gitdir(), 'commit-tree', tree, '-p', first.commit, '-m', 'By hand')
    git(gitdir(), 'update-ref', 'refs/heads/main', pushed)
    const next = await publish('/b', 'two')
    assert.equal(git(gitdir(), 'rev-parse', `${next.commit}^`), pushed)
    assert.equal(store.reader.snapshot(site).commit, next.commit)
  })

  it('reports a broken repository without harm to another', async () => {
    const other = { id: randomUUID(), slug: 'other' }
    await store.writers.createRepository(other, TIME)
    rmSync(join(gitdir(), 'refs'), { recursive: true })
    rmSync(join(gitdir(), 'objects'), { recursive: true })
    assert.throws(() => store.reader.snapshot(site), code('site_unreadable'))
    await assert.rejects(publish('/a', 'x'), code('site_unreadable'))
    assert.equal(store.reader.snapshot(other).list('').length, 1)
  })
})
