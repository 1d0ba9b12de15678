import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteFileOf } from '../../../src/index/tables/site-file.js'
import { createPage, getPage, putPage, retitlePage } from '../../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { searchPages } from '../../../src/usecases/pages/search-pages.js'
import { rollbackPage } from '../../../src/usecases/pages/versions.js'
import { deleteSite } from '../../../src/usecases/sites/sites.js'
import { overwriteElsewhere } from '../../support/damage.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('a search of pages', () => {
  let parts: ServiceParts
  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  const put = async (path: string, html: string, siteId?: string) =>
    (await putPage(parts.call(siteId === undefined ? {} : { siteId }), { path, html })).data
  const search = async (q: string, more: { prefix?: string; limit?: number; siteId?: string } = {}) => {
    const { siteId, ...input } = more
    return (await searchPages(parts.call(siteId === undefined ? {} : { siteId }), { q, ...input })).data
  }
  const found = async (q: string, more: Parameters<typeof search>[1] = {}) =>
    (await search(q, more)).map(({ path }) => path)

  it('finds a page as soon as its write is answered, with lines that can be read and changed', async () => {
    const html = '<!doctype html>\n<title>Shop</title>\n<p>We are\n<b>open</b> from nine to <i>five</i>.</p>'
    const page = await put('/hours', html)
    const [hit, ...others] = await search('open five')
    assert.deepEqual(others, [])
    assert.deepEqual([hit?.id, hit?.siteId, hit?.title, hit?.url], [page.id, parts.site.id, 'Shop', page.url])
    assert.deepEqual(hit?.lines, [
      {
        line: 4,
        text: 'open from nine to five.',
        ranges: [
          [0, 4],
          [18, 22],
        ],
      },
    ])
    const read = await getPage(parts.call(), { id: page.id, lines: '4-4' })
    assert.match(read.data.html ?? '', /<b>open<\/b> from nine/)
  })

  it('follows replacements, titles, unpublishing and roll-backs', async () => {
    const { id } = await put('/changing', '<p>alpha</p>')
    await put('/changing', '<p>beta</p>')
    assert.deepEqual([await found('alpha'), await found('beta')], [[], ['/changing']])
    await retitlePage(parts.call(), { id, title: 'Gamma rays' })
    assert.deepEqual(await found('gamma'), ['/changing'])
    await unpublishPage(parts.call(), { id })
    assert.deepEqual([await found('beta'), await found('gamma')], [[], []])
    await rollbackPage(parts.call(), { id, version: 1 })
    assert.deepEqual([await found('alpha'), await found('beta')], [['/changing'], []])
  })

  it('finds pages pushed by path, and no longer those that a push removed or reverted', async () => {
    await withClone(parts.gitdir(), async (folder) => {
      const push = () => {
        git(folder, 'add', '.')
        git(folder, 'commit', '-q', '-m', 'By hand')
        git(folder, 'push', '-q')
      }
      writeFileSync(join(folder, 'pushed.html'), '<h1>Zanzibar</h1>')
      push()
      await parts.untilSeen()
      assert.deepEqual(await found('zanzibar'), ['/pushed'])
      git(folder, 'revert', '--no-edit', 'HEAD')
      git(folder, 'push', '-q')
      await parts.untilSeen()
      assert.deepEqual(await found('zanzibar'), [])
    })
  })

  it('finds words in sentences of scripts without spaces between words', async () => {
    await put('/ja', '<p>私は東京タワーの近くに住んでいます。</p>')
    await put('/zh', '<p>我们在北京的办公室每天开放。</p>')
    await put('/th', '<p>ร้านของเราเปิดทุกวันในกรุงเทพมหานคร</p>')
    assert.deepEqual(await found('東京タワー'), ['/ja'])
    assert.deepEqual(await found('办公室'), ['/zh'])
    assert.deepEqual(await found('กรุงเทพ'), ['/th'])
    assert.deepEqual(await found('京東'), [])
    const [hit] = await search('北京')
    assert.deepEqual(
      hit?.lines[0]?.ranges.map(([start = 0, end]) => hit.lines[0]?.text.slice(start, end)),
      ['北', '京'],
    )
  })

  it('orders pages by where the words stand: title, headings, text', async () => {
    await put('/order/text', '<title>x</title><p>walrus</p>')
    await put('/order/title', '<title>Walrus</title><p>x</p>')
    await put('/order/heading', '<title>x</title><h2>The walrus</h2><p>x</p>')
    assert.deepEqual(await found('walrus'), ['/order/title', '/order/heading', '/order/text'])
    assert.deepEqual(await found('walrus', { limit: 1 }), ['/order/title'])
    assert.deepEqual(await found('walr', { prefix: '/order/t' }), ['/order/title', '/order/text'])
    assert.deepEqual(await found('walrus', { prefix: 'order/heading' }), ['/order/heading'])
  })

  it('continues where the last answer ended', async () => {
    const paths: string[] = []
    for (let cursor: string | undefined; ; ) {
      const slice = { q: 'walrus', limit: 1, ...(cursor !== undefined && { cursor }) }
      const { data, nextCursor } = await searchPages(parts.call(), slice)
      paths.push(...data.map(({ path }) => path))
      if (nextCursor === null || nextCursor === undefined) break
      cursor = nextCursor
    }
    assert.deepEqual(paths, ['/order/title', '/order/heading', '/order/text'])
    const foreign = { q: 'walrus', cursor: 'WyJwYWdlcyIsIi94Il0' }
    await assert.rejects(searchPages(parts.call(), foreign), refusal('invalid_cursor'))
  })

  it('finds a page by adjacent words, even if other signs join them', async () => {
    await put('/config', '<p>Set receive.denyDeletes to true.</p>')
    await put('/other', '<p>Deny deletes when you receive them; receive then denydeletes</p>')
    assert.deepEqual(await found('receive.denydeletes'), ['/config'])
  })

  it('finds nothing of another site, and nothing without a word', async () => {
    const other = await parts.services.provisioner.createSite(parts.workspaceId, 'other')
    await put('/there', '<p>armadillo</p>', other.id)
    assert.deepEqual(await found('armadillo'), [])
    assert.deepEqual(await found('armadillo', { siteId: other.id }), ['/there'])
    assert.deepEqual(await search('!!!'), [])
  })

  it('keeps its order regardless of the pages of another site', async () => {
    const [small, large] = [
      await parts.services.provisioner.createSite(parts.workspaceId, 'small'),
      await parts.services.provisioner.createSite(parts.workspaceId, 'large'),
    ]
    await put('/one', '<p>rare common common</p>', small.id)
    await put('/two', '<p>rare rare common</p>', small.id)
    const before = await search('rare common', { siteId: small.id })
    for (let i = 0; i < 30; i += 1) await put(`/${i}`, `<p>rare ${i}</p>`, large.id)
    await search('rare', { siteId: large.id })
    assert.deepEqual(await search('rare common', { siteId: small.id }), before)
  })

  it('answers the same after its file or the index was deleted or damaged', async () => {
    await put('/kept', '<p>pangolin</p>')
    assert.deepEqual(await found('pangolin'), ['/kept'])
    const file = siteFileOf(parts.dataDir, parts.site.id, 'text').path
    rmSync(file)
    assert.deepEqual(await found('pangolin'), ['/kept'])
    overwriteElsewhere(file, 'this is no database')
    assert.deepEqual(await found('pangolin'), ['/kept'])
    for (const end of ['', '-wal', '-shm']) rmSync(join(parts.dataDir, `index.db${end}`), { force: true })
    assert.deepEqual(await found('pangolin'), ['/kept'])
  })

  for (const end of ['-wal', '-shm']) {
    it(`answers with the newest state after the ${end} of the index was deleted, also twice`, async () => {
      const path = `/after${end}`
      for (const word of [`narwhal${end}`, `axolotl${end}`]) {
        rmSync(join(parts.dataDir, `index.db${end}`), { force: true })
        await put(path, `<p>${word}</p>`)
        assert.deepEqual(await found(word), [path])
      }
    })
  }

  it('starts over if the history was rewritten', async () => {
    await put('/lost', '<p>quokka</p>')
    assert.deepEqual(await found('quokka'), ['/lost'])
    const fork = git(parts.gitdir(), 'commit-tree', '-p', 'main~1', '-m', 'Another way', 'main~1^{tree}')
    git(parts.gitdir(), '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', fork)
    await parts.untilSeen()
    assert.deepEqual([await found('quokka'), await found('pangolin')], [[], ['/kept']])
  })

  it('leaves no file behind if the site is deleted', async () => {
    const gone = await parts.services.provisioner.createSite(parts.workspaceId, 'gone')
    await put('/secret', '<p>secret</p>', gone.id)
    assert.deepEqual(await found('secret', { siteId: gone.id }), ['/secret'])
    assert.ok(existsSync(siteFileOf(parts.dataDir, gone.id, 'text').path))
    await deleteSite(parts.call(), { id: gone.id })
    const files = readdirSync(join(parts.dataDir, 'index'), { recursive: true }).map(String)
    assert.deepEqual(
      files.filter((name) => name.includes(gone.id)),
      [],
    )
  })

  it('accepts pages of one line and of no text at all', async () => {
    await createPage(parts.call(), {
      path: '/minified',
      html: `<p>${'filler '.repeat(40_000)}needle ${'filler '.repeat(40_000)}`,
    })
    await put('/image', '<img src="x.png">')
    const [hit] = await search('needle')
    assert.equal(hit?.lines.length, 1)
    const [line] = hit?.lines ?? []
    assert.ok((line?.text.length ?? 0) <= 200)
    const [start, end] = line?.ranges[0] ?? []
    assert.equal(line?.text.slice(start, end), 'needle')
  })
})
