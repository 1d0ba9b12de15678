import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkSite } from '../../../src/usecases/checks/checks.js'
import { createCollection, deleteCollection } from '../../../src/usecases/records/collections.js'
import { deleteFile } from '../../../src/usecases/files/files.js'
import { createPage, listPages } from '../../../src/usecases/pages/pages.js'
import { createRecord } from '../../../src/usecases/records/records.js'
import { flipByteOf } from '../../support/damage.js'
import { git, withClone } from '../../support/git.js'
import { commitSiteFile } from '../../git/site-file.js'
import type { Site } from '../../../src/catalog/site.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { beginRequest, putIn } from '../requests/begin-request.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

describe('the checks of a site', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  let collection: string
  const check = async () => (await checkSite(parts.call(), { id: parts.site.id })).data

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
    const { services } = parts
    const schema = { type: 'object', required: ['title'] }
    const { data } = await createCollection({ ...services, ...parts.context() }, { name: 'Books', schema })
    collection = data.id
    await createRecord({ ...services, ...parts.context() }, { id: collection, data: { title: 'Dune' } })
    await createPage({ ...services, ...parts.context() }, { path: '/docs', html: 'x' })
    await createPage({ ...services, ...parts.context() }, { path: `/${'long'.repeat(100)}`, html: 'x' })
  })
  after(() => shared.stop())

  async function push(files: Record<string, string>, more: (folder: string) => void = () => undefined): Promise<void> {
    await withClone(parts.gitdir(), (folder) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      more(folder)
      git(folder, 'add', '-A')
      git(folder, 'commit', '-q', '-m', 'By hand')
      git(folder, 'push', '-q')
    })
    await parts.untilSeen()
  }

  it('report nothing for a site that only the service wrote', async () => {
    const data = await check()
    assert.deepEqual([data.findings, data.complete], [[], true])
    assert.equal(data.commit, git(parts.gitdir(), 'rev-parse', 'main'))
  })

  it('report every file that is skipped or hidden, and why', async () => {
    const { data: pages } = await listPages(parts.call(), { path: '/docs' })
    const twin = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    const stray = `collections/${collection}`
    const lost = `collections/${randomUUID()}`
    const expected = {
      'a%20b.html': 'not_a_page',
      'docs/index.html': 'hidden_page',
      'collections/notes.txt': 'stray_file',
      '.pages/ff/notes.txt': 'stray_file',
      [`.pages/11/11111111-1111-4111-9111-111111111111.json`]: 'invalid_sidecar',
      [`.pages/ff/${twin}.json`]: 'duplicate_sidecar',
      [`${stray}/${randomUUID()}.json`]: 'invalid_record',
      [`${lost}/${randomUUID()}.json`]: 'orphan_record',
      [`${lost}.json`]: 'invalid_collection',
    }
    const texts: Record<string, string> = { [`.pages/ff/${twin}.json`]: '{"path":"/docs"}' }
    await push(Object.fromEntries(Object.keys(expected).map((path) => [path, texts[path] ?? '{}'])), (folder) => {
      symlinkSync('/etc/passwd', join(folder, 'passwd'))
      symlinkSync('docs', join(folder, 'latest'))
    })
    const { findings } = await check()
    const found = Object.fromEntries(findings.map(({ path, code }) => [path, code]))
    assert.deepEqual(found, { ...expected, passwd: 'not_a_file' })
    const duplicate = findings.find(({ code }) => code === 'duplicate_sidecar')
    assert.match(duplicate?.message ?? '', new RegExp(pages[0]?.id ?? 'no page'))
  })

  it('report a pushed collection whose name another one has', async () => {
    const { data: made } = await createCollection(parts.call(), { name: 'twins' })
    const twin = randomUUID()
    await push({ [`collections/${twin}.json`]: JSON.stringify({ id: twin, name: 'twins', schema: null }) })
    const found = (await check()).findings.filter(({ code }) => code === 'duplicate_collection')
    const [first, second] = [made.id, twin].toSorted()
    assert.deepEqual(
      found.map(({ path }) => path),
      [`collections/${second}.json`],
    )
    assert.ok(found[0]?.message.includes(String(first)))
    await deleteCollection(parts.call(), { id: twin })
    assert.ok((await check()).findings.every(({ code }) => code !== 'duplicate_collection'))
  })

  it('report a file at the URL of a page, names that differ by case, and a long page without its sidecar', async () => {
    await push({ contact: 'file', 'contact.html': 'page', 'README.html': 'x', 'ReadMe.html': 'y' }, (folder) => {
      git(folder, 'rm', '-q', '-r', '.pages')
    })
    const { findings } = await check()
    const codes = findings.map(({ path, code }) => `${code} ${path.replace(/[0-9a-f]{64}/, '*')}`)
    assert.deepEqual(codes.toSorted(), [
      'hidden_page contact',
      'names_differ_by_case ReadMe.html',
      'orphan_long_page .long/*.html',
    ])
  })

  it('report a broken link once, with the number of its pages, their ids and the line in each', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`l${i + 10}.html`, '<p>\n<a href="/lost">x</a>']),
    )
    await push({ ...pages, 'l10.html': '<p>\n\n<a href="lost">x</a> <a href="/lost#again">y</a>' })
    const links = (await check()).findings.filter(({ code }) => code === 'broken_link')
    const [link] = links
    assert.deepEqual([links.length, link?.target, link?.count, link?.pages?.length], [1, '/lost', 12, 10])
    assert.deepEqual(
      link?.pages?.slice(0, 2).map(({ path, line }) => [path, line]),
      [
        ['/l10', 3],
        ['/l11', 2],
      ],
    )
    assert.match(link?.pages?.[0]?.id ?? '', /^[0-9a-f-]{36}$/)
  })

  it('report the lines of _redirects and _headers that are skipped, and what to do', async () => {
    await push({
      _redirects: '# moved\n/old /docs\n/broken\n/other https://example.org/:splat 200\n',
      _headers: '/*\n  X-Frame-Options: DENY\n  Set-Cookie: a=b\n',
    })
    const { findings } = await check()
    assert.deepEqual(
      findings.map(
        ({ code, path, message }) => `${code} ${path} ${/^Line (\d+) is skipped\. .{20}/.exec(message)?.[1]}`,
      ),
      ['invalid_redirect _redirects 3', 'invalid_redirect _redirects 4', 'invalid_header _headers 3'],
    )
  })

  it('report a missing .site.json, which no push can take away', async () => {
    await assert.rejects(
      async () => await push({}, (folder) => git(folder, 'rm', '-q', '.site.json')),
      /\.site\.json holds the site's id/,
    )
    const gitdir = parts.gitdir()
    git(gitdir, 'update-ref', 'refs/heads/main', commitSiteFile(gitdir, 'main', undefined))
    await parts.untilSeen()
    assert.deepEqual(
      (await check()).findings.map(({ code }) => code),
      ['site_file'],
    )
  })

  it('are made, and dry runs answered, beside a damaged style sheet', async () => {
    await push({ 'main.css': 'a { background: url(/a.png) }', 'a.png': 'png', 'other.css': 'b { src: url(/none) }' })
    // The index has read the commit before the disk fails.
    await listPages(parts.call(), {})
    flipByteOf(parts.gitdir(), git(parts.gitdir(), 'rev-parse', 'main:main.css'))
    const broken = (await check()).findings.filter(({ code }) => code === 'broken_link')
    assert.deepEqual(
      broken.map(({ path }) => path),
      ['other.css'],
    )
    const { data } = await deleteFile(parts.call(), { path: '/a.png', dryRun: true })
    assert.deepEqual(
      data.dryRun?.warnings.map(({ code }) => code),
      ['links_unchecked'],
    )
  })

  describe('of a change request', () => {
    let branch: Site & { request: string }
    const inBranch = () => {
      const call = parts.call()
      return { ...call, target: { ...call.target, site: branch } }
    }
    const checkIt = async () => {
      const { data } = await checkSite(inBranch(), { id: branch.id })
      const links = data.findings.filter(({ code }) => code === 'broken_link')
      return {
        complete: data.complete,
        links: links.map(({ target, count, pages = [] }) => [
          target,
          count,
          pages.map(({ path, line }) => [path, line]),
        ]),
      }
    }
    beforeEach(async () => {
      await putIn(parts.call(), parts.site, '/old', '<a href="/gone">x</a>')
      await putIn(parts.call(), parts.site, '/target', 'x')
      await putIn(parts.call(), parts.site, '/linking', '<a href="/target">x</a>')
      branch = await beginRequest(parts.services, parts.site)
    })

    it('are complete, and find the broken links of the pages that it changes', async () => {
      await putIn(parts.call(), branch, '/new', '<p>x</p>\n<a href="/nowhere">x</a> <a href="/target">x</a>')
      await putIn(parts.call(), branch, '/docs', '<a href="/nowhere">x</a>')
      assert.deepEqual(await checkIt(), {
        complete: true,
        links: [
          ['/gone', 1, [['/old', 1]]],
          [
            '/nowhere',
            2,
            [
              ['/docs', 1],
              ['/new', 2],
            ],
          ],
        ],
      })
    })

    it('have one finding for a target to which changed and other pages link', async () => {
      await putIn(parts.call(), branch, '/docs', '<a href="/gone">x</a>')
      assert.deepEqual((await checkIt()).links, [
        [
          '/gone',
          2,
          [
            ['/docs', 1],
            ['/old', 1],
          ],
        ],
      ])
    })

    it('say nothing of a link that it repairs, and find those to a page that it removes', async () => {
      await putIn(parts.call(), branch, '/old', '<a href="/target">x</a>')
      assert.deepEqual(await checkIt(), { complete: true, links: [] })
      const { data } = await listPages(parts.call(), { path: '/target' })
      const [page] = data
      await unpublishPage(inBranch(), { id: page?.id ?? '' })
      assert.deepEqual((await checkIt()).links, [
        [
          '/target',
          2,
          [
            ['/linking', 1],
            ['/old', 1],
          ],
        ],
      ])
    })
  })
})
