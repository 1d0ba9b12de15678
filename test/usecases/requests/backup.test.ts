import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js'
import { subjectOf } from '../../../src/catalog/requests/comments.js'
import type { Site } from '../../../src/catalog/site.js'
import { backUp } from '../../../src/repository/backup/backup.js'
import { backUpDrafts } from '../../../src/repository/disk/back-up.js'
import { recoverCatalog } from '../../../src/repository/backup/recover.js'
import { restore } from '../../../src/repository/backup/restore.js'
import { branchesOf } from '../../../src/repository/protocol/request-branches.js'
import { dropRetired, listRetired } from '../../../src/repository/disk/retired-repositories.js'
import { assertSound, git } from '../../support/git.js'
import { beginRequest, draftsIn, putIn } from './begin-request.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

describe('change requests in a backup', () => {
  let parts: ServiceParts
  let root: string
  let here: ServiceParts
  let site: Site

  before(async () => (parts = await openServiceParts()))
  after(() => parts.stop())
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-requests-'))
    here = await parts.inNewWorkspace()
    ;({ site } = here)
    await putIn(here.call(), site, '/live', 'live')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const begin = (title?: string) => beginRequest(parts.services, site, title)
  const put = (place: Site, path: string, html: string) => putIn(here.call(), place, path, html)
  const dir = () => join(root, 'backup')
  const backUpAll = async () => {
    const failed = (_: Site, why: string) => assert.fail(why)
    await backUp(parts.services, dir(), { begin: () => undefined, copied: () => undefined, failed })
  }
  /** Returns the data directory, and the lost requests. */
  const restoreAll = async () => {
    const lost: string[] = []
    const dataDir = join(root, randomUUID())
    const progress = {
      begin: () => undefined,
      restored: () => undefined,
      failed: (_: Site, why: string) => assert.fail(why),
      lost: ({ id }: Site, ids: readonly string[]) => void (id === site.id && lost.push(...ids)),
    }
    await restore(dir(), dataDir, { clock: parts.services.clock, keepKeys: true, resumeMirrors: false, progress })
    return { dataDir, lost, drafts: join(dataDir, 'drafts', `${site.slug}.git`) }
  }
  const inCatalog = async <T>(dataDir: string, ask: (catalog: Catalog) => T | Promise<T>) => {
    const catalog = await openCatalog(dataDir)
    try {
      return await ask(catalog)
    } finally {
      await catalog.close()
    }
  }

  it('come back with their content and their rows, and borrow from the restored site', async () => {
    const request = await begin('Words')
    await put(request, '/new', 'draft')
    await put(site, '/later', 'later')
    const subject = subjectOf({ request: request.request })
    const said = { id: randomUUID(), siteId: site.id, subject, commit: '1'.repeat(40), path: '/new', place: null }
    const by = { author: 'Ada', madeBy: 'user ada', userId: 'ada' }
    await parts.services.catalog.comments.create({ ...said, ...by, text: 'Which words?', inReplyTo: null })
    await backUpAll()
    assertSound(join(dir(), 'drafts', `${site.slug}.git`))
    const { dataDir, drafts, lost } = await restoreAll()
    assert.deepEqual(lost, [])
    assertSound(drafts)
    assert.equal(git(drafts, 'show', `${request.request}:new.html`), 'draft')
    assert.equal(git(drafts, 'show', `${request.request}:live.html`), 'live')
    const live = git(join(dataDir, `${site.slug}.git`), 'rev-parse', 'main:live.html')
    const own = git(drafts, 'count-objects', '-v')
    assert.match(own, /alternate: .*\/objects/)
    rmSync(join(drafts, 'objects', 'info', 'alternates'))
    assert.throws(() => git(drafts, 'cat-file', '-e', live))
    assert.equal(await inCatalog(dataDir, ({ changeRequests }) => changeRequests.find(request.request)?.title), 'Words')
    const comments = await inCatalog(dataDir, (catalog) => catalog.comments.list(subject, { limit: 10 }))
    assert.deepEqual(
      comments.map(({ text }) => text),
      ['Which words?'],
    )
  })

  it('are held if they have a time: a restored service does not know what people did since', async () => {
    const [waiting, held] = [await begin('Waiting'), await begin('Held')]
    const schedule = { publishAt: '2026-12-01T10:00:00Z', head: 'a', setBy: 'key a', label: 'Ada', workspaceId: 'w' }
    for (const { request } of [waiting, held]) await parts.services.catalog.schedules.set(request, schedule)
    const row = parts.services.catalog.changeRequests.find(held.request)
    const due = {
      ...(row ?? assert.fail()),
      ...schedule,
      scheduledBy: 'key a',
      scheduledLabel: 'Ada',
      scheduledIn: 'w',
    }
    await parts.services.catalog.schedules.hold({ ...due, scheduledHead: 'a' }, { code: 'conflict', reason: 'Before' })
    await backUpAll()
    const { dataDir } = await restoreAll()
    const after = await inCatalog(dataDir, ({ changeRequests, schedules }) => ({
      codes: [waiting, held].map(({ request }) => changeRequests.find(request)?.heldCode),
      time: changeRequests.find(waiting.request)?.publishAt,
      due: schedules.listDue(10),
    }))
    assert.deepEqual(after, { codes: ['restored', 'conflict'], time: '2026-12-01T10:00:00Z', due: [] })
  })

  it('are those of the catalog in it: what began later is left out, and what ended meanwhile has no row', async () => {
    const [kept, ended] = [await begin('Kept'), await begin('Ended')]
    await backUpAll()
    rmSync(join(dir(), 'catalog.db.kept'), { force: true })
    cpSync(join(dir(), 'catalog.db'), join(dir(), 'catalog.db.kept'))
    const late = await begin('Late')
    await parts.services.store.endRequest(ended)
    await backUpAll()
    cpSync(join(dir(), 'catalog.db.kept'), join(dir(), 'catalog.db'))
    const { dataDir, drafts, lost } = await restoreAll()
    assert.deepEqual(branchesOf(drafts), [kept.request])
    assert.deepEqual(lost, [ended.request])
    const ids = await inCatalog(dataDir, ({ changeRequests }) => changeRequests.listIds(site.id))
    assert.deepEqual(ids, [kept.request])
    assert.equal(ids.includes(late.request), false)
  })

  it('hold objects of a main that is newer than the copy of the site', async () => {
    const request = await begin('Words')
    await backUpAll()
    await put(site, '/newer', 'newer')
    const main = git(parts.gitdir(site), 'rev-parse', 'main')
    // As a request that is brought up to date after the site was copied.
    git(draftsIn(parts.services, site), 'update-ref', `refs/heads/${request.request}`, main)
    const target = join(dir(), 'drafts', `${site.slug}.git`)
    const siteTarget = join(dir(), 'sites', `${site.slug}.git`)
    await backUpDrafts(parts.services.store.repositories, site, { target, siteTarget })
    assert.throws(() => git(siteTarget, 'cat-file', '-e', main))
    git(target, 'rev-list', '--objects', request.request)
  })

  it('are none in the backup of a service without them, which restores', async () => {
    await backUpAll()
    rmSync(join(dir(), 'drafts'), { recursive: true })
    const { dataDir, lost } = await restoreAll()
    assert.equal(existsSync(join(dataDir, 'drafts')), false)
    assert.deepEqual(lost, [])
  })

  it('are drafts of the operator in a catalog that is made anew', async () => {
    const request = await begin('Words')
    await put(request, '/new', 'draft')
    await backUpAll()
    const { dataDir } = await restoreAll()
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `catalog.db${end}`), { force: true })
    const adopted: [string, number][] = []
    const progress = {
      begin: () => undefined,
      recovered: () => undefined,
      failed: assert.fail,
      adopted: (slug: string, requests: number) => void (slug === site.slug && adopted.push([slug, requests])),
    }
    await recoverCatalog(dataDir, { clock: () => new Date(), newId: randomUUID, progress })
    assert.deepEqual(adopted, [[site.slug, 1]])
    const row = await inCatalog(dataDir, ({ changeRequests }) => changeRequests.find(request.request))
    assert.deepEqual([row?.state, row?.siteId, row?.number], ['draft', site.id, 1])
    await recoverCatalog(dataDir, { clock: () => new Date(), newId: randomUUID, progress })
    assert.equal(adopted.length, 1)
  })

  it('of a deleted site stay readable aside, and are removed with it', async () => {
    const request = await begin('Words')
    await put(request, '/new', 'draft')
    await parts.services.store.retireSite(site)
    const retired = join(parts.dataDir, '.retired', `${site.slug}-${site.id}.drafts.git`)
    assert.equal(git(retired, 'show', `${request.request}:live.html`), 'live')
    const [found] = listRetired(parts.dataDir).filter(({ id }) => id === site.id)
    await dropRetired(parts.dataDir, found ?? assert.fail())
    assert.equal(existsSync(retired), false)
  })
})
