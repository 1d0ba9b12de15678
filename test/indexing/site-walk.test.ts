import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { SiteWalk } from '../../src/indexing/site-walk.js'
import { createPage, getPage, listPages, replacePage, unpublishPage } from '../../src/usecases/pages/pages.js'
import { listVersions } from '../../src/usecases/pages/versions.js'
import { forget } from '../catalog/index/open-test-index.js'
import { git } from '../support/git.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'

describe('a walk along a long history', () => {
  let parts: ServiceParts
  let walk: SiteWalk
  const ids = new Map<string, string>()
  const slice = { limit: 100 }

  /** Commits that an operator pushed: each changes `name`.html. */
  const push = (names: readonly string[]) => {
    const gitdir = parts.gitdir()
    for (const [number, name] of names.entries()) {
      const tree = git(gitdir, 'ls-tree', '-z', 'main').split('\0').filter(Boolean)
      const blob = gitWithInput(gitdir, `<title>${name} ${number}</title>`, 'hash-object', '-w', '--stdin')
      const kept = tree.filter((line) => !line.endsWith(`\t${name}.html`))
      const made = gitWithInput(gitdir, [...kept, `100644 blob ${blob}\t${name}.html`].join('\n'), 'mktree')
      const commit = git(gitdir, 'commit-tree', '-p', 'main', '-m', `Change ${name}`, made)
      git(gitdir, 'update-ref', 'refs/heads/main', commit)
    }
  }
  const gitWithInput = (gitdir: string, input: string, ...args: string[]) =>
    execFileSync('git', ['-C', gitdir, ...args], { input, encoding: 'utf8' }).trim()

  beforeEach(async () => {
    parts = await openServiceParts()
    for (const path of ['/a', '/b', '/gone']) {
      const { data } = await createPage(parts.services, parts.context(), { path, html: `<title>${path}</title>` })
      ids.set(path, data.id)
    }
    await unpublishPage(parts.services, parts.context(), { id: ids.get('/gone') ?? '' })
    walk = new SiteWalk(parts.dataDir, parts.services.index, parts.site)
  })
  afterEach(async () => {
    walk.close()
    await parts.stop()
  })

  it('lets the pages go ahead, uncounted, and counts them when it arrives', async () => {
    push(['a', 'a', 'new'])
    const { index } = parts.services
    const { id } = parts.site
    const head = git(parts.gitdir(), 'rev-parse', 'main')
    while (!walk.leap());
    assert.equal(index.tipCommit(id), head)
    assert.notEqual(index.indexedCommit(id), head)
    const ahead = index.tip(id).pages(id, slice).rows
    assert.deepEqual(
      ahead.map(({ path, title, version }) => [path, title, version.number]),
      [
        ['/a', '/a', 0],
        ['/b', '/b', 1],
        ['/new', 'new 2', 0],
      ],
    )
    assert.ok(ahead.every(({ siteId }) => siteId === id))
    assert.equal(ahead.find(({ path }) => path === '/a')?.etag, head)
    while (!walk.advance());
    assert.equal(index.tipCommit(id), undefined)
    const arrived = index.pages(id, slice).rows
    assert.deepEqual(
      arrived.map(({ id: pageId, path, version }) => [pageId, path, version.number]),
      [
        [ids.get('/a'), '/a', 3],
        [ids.get('/b'), '/b', 1],
        [ahead.find(({ path }) => path === '/new')?.id, '/new', 1],
      ],
    )
  })

  it('lets the pages go ahead again when more is pushed, and from nothing', () => {
    const { index } = parts.services
    const { id } = parts.site
    forget(index, id)
    while (!walk.leap());
    assert.deepEqual(
      index
        .tip(id)
        .pages(id, { ...slice, status: 'all' })
        .rows.map(({ path, status }) => [path, status]),
      [
        ['/a', 'published'],
        ['/b', 'published'],
        ['/gone', 'unpublished'],
      ],
    )
    push(['b'])
    while (!walk.leap());
    assert.equal(index.tip(id).pageByPath(id, '/b')?.etag, git(parts.gitdir(), 'rev-parse', 'main'))
  })

  it('answers pages at once, takes writes, and counts in the end, behind a push of thousands', async () => {
    const { services } = parts
    const commits = Array.from(
      { length: 3000 },
      (_, number) =>
        `commit refs/heads/main\ncommitter O <o@example.org> ${1_800_000_000 + number} +0000\ndata 1\nx\n` +
        `${number === 0 ? 'from refs/heads/main^0\n' : ''}M 100644 inline a.html\ndata ${String(number).length}\n${number}\n`,
    )
    gitWithInput(parts.gitdir(), commits.join(''), 'fast-import', '--quiet')
    await pause(250)
    const id = ids.get('/a') ?? ''
    const { data: page } = await getPage(services, parts.context(), { id })
    assert.equal(page.html, '2999')
    const { data: replaced } = await replacePage(services, parts.context(), {
      id,
      html: 'after',
      ifMatch: [tagOf(page)],
    })
    assert.equal(replaced.size, 5)
    const { data: list } = await listPages(services, parts.context(), {})
    assert.equal(list.find(({ path }) => path === '/a')?.etag, replaced.etag)
    const { data: versions } = await listVersions(services, parts.context(), { id })
    assert.equal(versions[0]?.number, 3002)
    assert.equal((await getPage(services, parts.context(), { id })).data.version.number, 3002)
  })
})

function tagOf({ etag }: { etag: string }): string {
  return etag.replaceAll('"', '')
}
