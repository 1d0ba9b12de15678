import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recoverCatalog } from '../../../src/repository/backup/recover.js'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { MAIN } from '../../git/scratch-repository.js'
import { git } from '../../support/git.js'
import { startOwnService } from '../../support/service.js'
import { blob, commitSiteFile, siteFileOf } from '../../git/site-file.js'

/** The slug of the attacker comes before that of the victim. */
type Slug = 'attacker' | 'victim' | 'gone'

describe('a catalog that is recovered while a repository names the id of another site', () => {
  let original: string
  let dataDir: string
  const ids: Record<string, string> = {}

  before(async () => {
    original = mkdtempSync(join(tmpdir(), 'palimpsest-recover-'))
    const service = await startOwnService({ dataDir: original, keep: true })
    const { key } = await service.mint({ scopes: ['admin'] })
    for (const slug of ['attacker', 'victim', 'gone']) {
      const { body } = await service.api(key).post('/sites').send({ slug }).expect(201)
      ids[slug] = body.data.id
    }
    await service.api(key).delete(`/sites/${ids['gone']}`).expect(200)
    await service.stop()
    for (const end of ['', '-wal', '-shm']) rmSync(join(original, `catalog.db${end}`), { force: true })
    rmSync(join(original, 'demo.git'), { recursive: true })
  })
  after(() => rmSync(original, { recursive: true, force: true }))
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-recover-'))
    cpSync(original, dataDir, { recursive: true })
    for (const slug of ['attacker', 'victim'])
      git(gitdirOf(slug), 'config', 'core.hooksPath', join(gitdirOf(slug), 'hooks'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  const gitdirOf = (slug: string) => join(dataDir, `${slug}.git`)
  const idOf = (slug: Slug) => ids[slug] ?? ''

  /** Recovers. Returns the report on each repository, and the id that each site has in the catalog. */
  async function recover(): Promise<{ said: Record<string, string>; sites: Record<string, string> }> {
    const said: Record<string, string> = {}
    await recoverCatalog(dataDir, {
      clock: () => new Date(),
      newId: randomUUID,
      progress: {
        begin: () => undefined,
        recovered: (slug, isServed) => (said[slug] = isServed ? 'recovered' : 'recovered, not served'),
        failed: (slug, reason) => (said[slug] = reason),
        adopted: () => undefined,
      },
    })
    const catalog = await openCatalog(dataDir)
    const found = ['attacker', 'victim', 'gone', 'a-copy'].flatMap((slug) => catalog.sites.findBySlug(slug) ?? [])
    await catalog.close()
    return { said, sites: Object.fromEntries(found.map(({ slug, id }) => [slug, id])) }
  }

  /** Sets the id as two pushes could with an earlier version: the first removes the file, the second adds another id. */
  function giveId(slug: string, id: string): void {
    const gitdir = gitdirOf(slug)
    const removed = commitSiteFile(gitdir, 'main', undefined)
    git(gitdir, 'update-ref', MAIN, commitSiteFile(gitdir, removed, blob(gitdir, siteFileOf(id))))
  }

  /** The hooks of earlier versions know no site. */
  function asEarlierVersionsLeftIt(slug: string): void {
    const hook = join(gitdirOf(slug), 'hooks', 'pre-receive')
    writeFileSync(hook, readFileSync(hook, 'utf8').replace(/^site=.*$/m, ''))
  }

  it('gives both sites their own ids, and says which one is not served', async () => {
    giveId('attacker', idOf('victim'))
    const { said, sites } = await recover()
    assert.deepEqual(said, { attacker: 'recovered, not served', victim: 'recovered' })
    assert.deepEqual(sites, { attacker: idOf('attacker'), victim: idOf('victim') })
  })

  it('keeps the site of an earlier version whose history always had the id, and adds the other once its id is back', async () => {
    for (const slug of ['attacker', 'victim']) asEarlierVersionsLeftIt(slug)
    giveId('attacker', idOf('victim'))
    const { said, sites } = await recover()
    assert.equal(said['victim'], 'recovered')
    assert.match(
      said['attacker'] ?? '',
      /names the id of victim, but its history has not always had that id: docs\/repair\.md, "The same id twice"/,
    )
    assert.deepEqual(sites, { victim: idOf('victim') })

    giveId('attacker', idOf('attacker'))
    const again = await recover()
    assert.deepEqual(again.said, { attacker: 'recovered' })
    assert.deepEqual(again.sites, { attacker: idOf('attacker'), victim: idOf('victim') })
  })

  it("recognises a copy of a site's history that was imported under another id and got the old one back", async () => {
    rmSync(gitdirOf('attacker'), { recursive: true })
    cpSync(gitdirOf('victim'), gitdirOf('attacker'), { recursive: true })
    git(gitdirOf('attacker'), 'config', 'core.hooksPath', join(gitdirOf('attacker'), 'hooks'))
    for (const slug of ['attacker', 'victim']) asEarlierVersionsLeftIt(slug)
    const gitdir = gitdirOf('attacker')
    for (const id of [randomUUID(), idOf('victim')])
      git(gitdir, 'update-ref', MAIN, commitSiteFile(gitdir, 'main', blob(gitdir, siteFileOf(id))))
    const { said, sites } = await recover()
    assert.match(said['attacker'] ?? '', /names the id of victim/)
    assert.deepEqual(sites, { victim: idOf('victim') })
  })

  it('recognises a copy by its settings, under any name', async () => {
    for (const isEarlier of [false, true]) {
      if (isEarlier) asEarlierVersionsLeftIt('victim')
      rmSync(join(dataDir, 'catalog.db'), { force: true })
      rmSync(gitdirOf('a-copy'), { recursive: true, force: true })
      cpSync(gitdirOf('victim'), gitdirOf('a-copy'), { recursive: true })
      const { said, sites } = await recover()
      assert.match(said['a-copy'] ?? '', /it is a copy of victim: its \.site\.json names the same id/)
      assert.deepEqual(sites, { attacker: idOf('attacker'), victim: idOf('victim') })
    }
  })

  it('gives the id to neither if its owner is unclear, and names both', async () => {
    git(dataDir, 'clone', '--quiet', '--bare', gitdirOf('victim'), gitdirOf('a-copy'))
    rmSync(gitdirOf('victim'), { recursive: true })
    git(dataDir, 'clone', '--quiet', '--bare', gitdirOf('a-copy'), gitdirOf('victim'))
    const { said, sites } = await recover()
    const nobody = (other: string) =>
      `its .site.json names the same id as ${other}, and nothing shows which of them owns it: docs/repair.md, "The same id twice"`
    assert.deepEqual(said, { 'a-copy': nobody('victim'), attacker: 'recovered', victim: nobody('a-copy') })
    assert.deepEqual(sites, { attacker: idOf('attacker') })
    rmSync(gitdirOf('a-copy'), { recursive: true })
    assert.deepEqual((await recover()).sites, { attacker: idOf('attacker'), victim: idOf('victim') })
  })

  it('gives no repository of an earlier version the id of a deleted site, but gives it to that site if it is restored', async () => {
    for (const slug of ['attacker', 'victim']) asEarlierVersionsLeftIt(slug)
    giveId('attacker', idOf('gone'))
    const first = await recover()
    assert.match(first.said['attacker'] ?? '', /names the id of gone, but its history has not always had that id/)
    assert.deepEqual(first.sites, { victim: idOf('victim') })
    rmSync(join(dataDir, 'catalog.db'))
    cpSync(join(dataDir, '.retired', `gone-${idOf('gone')}.git`), gitdirOf('gone'), { recursive: true })
    assert.deepEqual((await recover()).sites, { gone: idOf('gone'), victim: idOf('victim') })
  })
})
