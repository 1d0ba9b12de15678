import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../src/catalog/site.js'
import { isPruneDue, maintainDrafts } from '../../../src/repository/disk/maintain-drafts.js'
import { runHere } from '../../programs/shell.js'
import { git } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { beginRequest, draftsIn, putIn } from './begin-request.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

const LONG_AGO = new Date('2020-01-01T00:00:00Z')

describe('the maintenance of change requests', () => {
  let parts: ServiceParts
  /** The workspace of one test. */
  let here: ServiceParts

  before(async () => (parts = await openServiceParts()))
  beforeEach(async () => (here = await parts.inNewWorkspace()))
  after(() => parts.stop())

  const begin = (site: Site) => beginRequest(parts.services, site)
  const put = (site: Site, path: string, html: string) => putIn(here.call(), site, path, html)
  const drafts = (site: Site) => draftsIn(parts.services, site)
  const packs = (site: Site) =>
    readdirSync(join(drafts(site), 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
  const maintain = async (site: Site) =>
    assert.equal(await maintainDrafts(parts.services.store.repositories, site), true)
  /** The objects in the repository of the change requests itself. */
  const own = (site: Site) =>
    packs(site)
      .map((name) => git(drafts(site), 'verify-pack', '-v', join('objects', 'pack', name)))
      .join('\n')
  const oidAt = (site: Site, path: string) => git(drafts(site), 'rev-parse', `${site.request}:${path}`)

  it('joins the packs, and keeps all that a branch reaches', async () => {
    const { site } = here
    const request = await begin(site)
    for (let page = 0; page < 5; page++) await put(request, `/page-${page}`, `page ${page}`)
    const other = await begin(site)
    await put(other, '/other', 'other')
    await maintain(site)
    assert.equal(packs(site).length, 1)
    git(drafts(site), 'fsck', '--full', '--strict')
    await put(request, '/after', 'after')
    assert.equal(git(drafts(site), 'show', `${request.request}:page-4.html`), 'page 4')
    assert.equal(git(drafts(site), 'show', `${other.request}:other.html`), 'other')
    assert.equal(git(drafts(site), 'show', `${request.request}:after.html`), 'after')
  })

  it('removes what only a removed branch reached', async () => {
    const { site } = here
    const [stays, goes] = [await begin(site), await begin(site)]
    for (const request of [stays, goes]) await put(request, '/both', 'both')
    await put(goes, '/secret', 'secret')
    const secret = oidAt(goes, 'secret.html')
    await maintain(site)
    assert.equal(isPruneDue(drafts(site)), false)
    await parts.services.store.endRequest(goes)
    await within(PATIENCE_MS, () => {
      assert.equal(own(site).includes(secret), false)
      assert.equal(isPruneDue(drafts(site)), false)
    })
    assert.equal(git(drafts(site), 'show', `${stays.request}:both.html`), 'both')
    git(drafts(site), 'fsck', '--full', '--strict')
  })

  it('keeps what main does not reach, although the site has it', async () => {
    const { site } = here
    const request = await begin(site)
    runHere({ command: ['git', '-C', parts.gitdir(site), 'hash-object', '-w', '--stdin'], input: 'kept' })
    await put(request, '/kept', 'kept')
    await put(request, '/live', 'live')
    await maintain(site)
    git(parts.gitdir(site), 'gc', '--quiet', '--prune=now')
    git(drafts(site), 'gc', '--quiet', '--prune=now')
    git(drafts(site), 'fsck', '--full', '--strict')
    assert.equal(git(drafts(site), 'show', `${request.request}:kept.html`), 'kept')
  })

  it('leaves to main what main reaches', async () => {
    const { site } = here
    const request = await begin(site)
    await put(request, '/live', 'live later')
    await put(site, '/live', 'live later')
    const oid = oidAt(request, 'live.html')
    assert.equal(own(site).includes(oid), true)
    await maintain(site)
    assert.equal(own(site).includes(oid), false)
    git(drafts(site), 'fsck', '--full', '--strict')
  })

  it('removes nothing if an object of a branch is missing, and leaves packs with .keep alone', async () => {
    const { site } = here
    const request = await begin(site)
    await put(request, '/first', 'first')
    const [kept = ''] = packs(site)
    writeFileSync(join(drafts(site), 'objects', 'pack', kept.replace(/pack$/, 'keep')), '')
    await put(request, '/second', 'second')
    const [lost = ''] = packs(site).filter((name) => name !== kept)
    await put(request, '/third', 'third')
    const before = packs(site).filter((name) => name !== lost)
    const aside = join(drafts(site), 'aside')
    const file = join(drafts(site), 'objects', 'pack', lost)
    renameSync(file, aside)
    await assert.rejects(maintainDrafts(parts.services.store.repositories, site), /./)
    assert.deepEqual(packs(site), before)
    renameSync(aside, file)
    await maintain(site)
    assert.equal(packs(site).length, 2)
    assert.equal(packs(site).includes(kept), true)
  })

  it('loses nothing beside writes and beside git gc in both repositories', async () => {
    const { site } = here
    const requests = await Promise.all([begin(site), begin(site), begin(site)])
    const written: [Site, string][] = []
    const over = new AbortController()
    const write = async (request: Site) => {
      for (let page = 0; page < 30; page++) {
        await put(request, `/page-${page}`, `page ${page}`)
        written.push([request, `page-${page}`])
        if (page % 5 === 0) await put(site, `/live-${page}`, `page ${page}`)
      }
    }
    const care = async () => {
      while (!over.signal.aborted) {
        await maintainDrafts(parts.services.store.repositories, site)
        for (const gitdir of [parts.gitdir(site), drafts(site)]) git(gitdir, 'gc', '--quiet', '--prune=now')
        const ended = await begin(site)
        await put(ended, '/gone', randomUUID())
        await parts.services.store.endRequest(ended)
      }
    }
    const cared = care()
    await Promise.all(requests.map(write))
    over.abort()
    await cared
    await maintain(site)
    git(drafts(site), 'fsck', '--full', '--strict')
    for (const [{ request }, name] of written)
      assert.equal(git(drafts(site), 'show', `${request}:${name}.html`), name.replace('-', ' '))
  })

  it('removes index files of change requests without a branch, but not those of one that begins', async () => {
    const { site } = here
    const [stays, goes, begins] = [await begin(site), await begin(site), await begin(site)]
    for (const request of [stays, goes]) await put(request, '/x', 'x')
    const fileOf = ({ id, request }: Site) => join(parts.dataDir, 'index', id.slice(0, 2), `${id}.${request}.db`)
    for (const request of [goes, begins]) git(drafts(site), 'update-ref', '-d', `refs/heads/${request.request}`)
    for (const request of [stays, goes]) utimesSync(fileOf(request), LONG_AGO, LONG_AGO)
    await maintain(site)
    assert.deepEqual(
      [stays, goes, begins].map((request) => existsSync(fileOf(request))),
      [true, false, true],
    )
  })
})
