import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../../src/catalog/catalog.js'
import { isUsable, type NewApiKey } from '../../src/catalog/api-key.js'
import { KeyUsage } from '../../src/catalog/key-usage.js'
import { ServiceError } from '../../src/model/errors.js'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from './temporary-folder.js'
import { PATIENCE_MS, within } from '../support/within.js'

const createdAt = '2026-11-21T10:00:00Z'
const ours = { id: 'workspace-ours', name: 'Ours', createdAt }
const theirs = { id: 'workspace-theirs', name: 'Theirs', createdAt: '2026-11-21T10:00:01Z' }
const demo = { id: 'site-demo', workspaceId: ours.id, slug: 'demo', createdAt }

function keyOf(workspaceId: string, over: Partial<NewApiKey> = {}): NewApiKey {
  return {
    id: 'key-1',
    workspaceId,
    label: 'Continuous integration',
    prefix: 'pal_AbCd…',
    hash: 'hash-1',
    scopes: ['read', 'write'],
    sites: null,
    paths: null,
    origins: null,
    toolset: null,
    expiresAt: null,
    mintedBy: null,
    createdAt,
    ...over,
  }
}

function hasCode(code: string) {
  return (error: unknown) => error instanceof ServiceError && error.code === code
}

describe('the catalog', () => {
  const makeFolder = useTemporaryFolders()
  let folder: string
  let now: Date
  let catalog: Catalog

  beforeEach(async () => {
    folder = makeFolder()
    now = new Date('2026-11-21T12:00:00Z')
    catalog = await openCatalog(folder, { clock: () => now })
    await catalog.workspaces.create(ours)
    await catalog.workspaces.create(theirs)
  })

  afterEach(() => catalog.close())

  async function makeLive(site: typeof demo) {
    await catalog.sites.reserve(site)
    await catalog.sites.markLive(site)
  }

  it('of a newer version is refused in one sentence, and stays as it is', async () => {
    await catalog.close()
    const file = join(folder, 'catalog.db')
    const change = (sql: string) => {
      const database = openSqlite(file, { synchronous: 'FULL' })
      database.exec(sql)
      database.close()
    }
    change("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', '2026')")
    await assert.rejects(openCatalog(folder), {
      name: 'ServiceError',
      message: `A newer version of Palimpsest wrote ${file} (9999-from-the-future): use that version. Nothing was changed.`,
    })
    change("DELETE FROM kysely_migration WHERE name = '9999-from-the-future'")
    catalog = await openCatalog(folder)
    assert.equal((await catalog.workspaces.list()).length, 2)
  })

  describe('workspaces', () => {
    it('are found by id and listed oldest first, all or the given ones', async () => {
      const quotas = { bytes: null, pages: null, sites: null }
      assert.deepEqual(catalog.workspaces.find(ours.id), { ...ours, defaultSiteId: null, quotas })
      assert.equal(catalog.workspaces.find('unknown'), undefined)
      assert.deepEqual(
        (await catalog.workspaces.list()).map(({ name }) => name),
        ['Ours', 'Theirs'],
      )
      assert.deepEqual(
        (await catalog.workspaces.list([theirs.id, 'unknown'])).map(({ name }) => name),
        ['Theirs'],
      )
      assert.deepEqual(await catalog.workspaces.list([]), [])
    })

    it('have quotas of their own: a number, none, or that of the setting', async () => {
      await catalog.workspaces.setQuotas(ours.id, { bytes: 5_000_000_000_000, pages: 'none', sites: 0 })
      await catalog.workspaces.setQuotas(ours.id, { sites: null })
      const quotas = { bytes: 5_000_000_000_000, pages: 'none', sites: null }
      assert.deepEqual(catalog.workspaces.find(ours.id)?.quotas, quotas)
      assert.deepEqual(catalog.workspaces.find(theirs.id)?.quotas, { bytes: null, pages: null, sites: null })
    })

    it('count their sites that are live or being made', async () => {
      assert.equal(catalog.workspaces.countSites(ours.id), 0)
      await catalog.sites.reserve(demo)
      assert.equal(catalog.workspaces.countSites(ours.id), 1)
      await catalog.sites.markLive(demo)
      assert.equal(catalog.workspaces.countSites(ours.id), 1)
      await catalog.sites.markDeleted(demo.id)
      assert.deepEqual(
        [ours, theirs].map(({ id }) => catalog.workspaces.countSites(id)),
        [0, 0],
      )
    })

    it('have only one of their own sites as default, never another workspace’s or a deleted one', async () => {
      await makeLive(demo)
      await catalog.workspaces.setDefaultSite(ours.id, demo.id)
      assert.equal(catalog.workspaces.find(ours.id)?.defaultSiteId, demo.id)
      await assert.rejects(catalog.workspaces.setDefaultSite(theirs.id, demo.id), hasCode('site_not_found'))
      await catalog.sites.markDeleted(demo.id)
      await assert.rejects(catalog.workspaces.setDefaultSite(ours.id, demo.id), hasCode('site_not_found'))
    })
  })

  describe('sites', () => {
    it('are found only while they are live, and by id only in their own workspace', async () => {
      const reserved = await catalog.sites.reserve(demo)
      assert.deepEqual(reserved, {
        ...demo,
        name: null,
        state: 'creating',
        publicHistory: false,
        withdrawals: 0,
        markdown: false,
        search: false,
        publicRepository: false,
        guestComments: false,
        protection: 'none',
        approvers: 'editor',
      })
      assert.equal(catalog.sites.find(ours.id, demo.id), undefined)
      assert.equal(catalog.sites.findBySlug('demo'), undefined)
      assert.deepEqual(await catalog.sites.listCreating(), [reserved])

      await catalog.sites.markLive(demo)
      assert.deepEqual(catalog.sites.find(ours.id, demo.id), {
        ...demo,
        name: null,
        state: 'live',
        publicHistory: false,
        markdown: false,
        search: false,
        publicRepository: false,
        guestComments: false,
        protection: 'none',
        approvers: 'editor',
        withdrawals: 0,
      })
      assert.deepEqual(catalog.sites.findBySlug('demo'), {
        ...demo,
        name: null,
        state: 'live',
        publicHistory: false,
        markdown: false,
        search: false,
        publicRepository: false,
        guestComments: false,
        protection: 'none',
        approvers: 'editor',
        withdrawals: 0,
      })
      assert.equal(catalog.sites.find(theirs.id, demo.id), undefined)
      assert.deepEqual(await catalog.sites.listCreating(), [])

      await catalog.sites.markDeleted(demo.id)
      assert.equal(catalog.sites.find(ours.id, demo.id), undefined)
      assert.equal(catalog.sites.findBySlug('demo'), undefined)
      assert.deepEqual(await catalog.sites.list(ours.id), [])
    })

    it('are seen as another process left them', async () => {
      await makeLive(demo)
      const other = await openCatalog(folder)
      try {
        assert.equal(other.sites.findBySlug('demo')?.publicHistory, false)
        await catalog.sites.configure(demo.id, { publicHistory: true })
        assert.equal(catalog.sites.findBySlug('demo')?.publicHistory, true)
        assert.equal(other.sites.findBySlug('demo')?.publicHistory, true)
        await catalog.sites.markDeleted(demo.id)
        assert.equal(other.sites.findBySlug('demo'), undefined)
      } finally {
        await other.close()
      }
    })

    it('never share a slug, not even with a deleted site or another workspace', async () => {
      await makeLive(demo)
      const second = { ...demo, id: 'site-second', workspaceId: theirs.id }
      await assert.rejects(catalog.sites.reserve(second), hasCode('slug_taken'))
      await catalog.sites.markDeleted(demo.id)
      await assert.rejects(catalog.sites.reserve(second), hasCode('slug_taken'))
    })

    it('never share an id: an imported repository brings its own', async () => {
      await makeLive(demo)
      await assert.rejects(catalog.sites.reserve({ ...demo, slug: 'copy' }), hasCode('conflict'))
    })

    it('are created once if many requests for the same slug arrive at the same time', async () => {
      const asked = Array.from({ length: 10 }, (_, n) => catalog.sites.reserve({ ...demo, id: `site-${n}` }))
      const outcomes = await Promise.allSettled(asked)
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    })

    it('free their slug if they are dropped before they are live; live ones cannot be dropped or made live twice', async () => {
      await catalog.sites.reserve(demo)
      await catalog.sites.dropCreating(demo.id)
      await makeLive(demo)
      await catalog.sites.dropCreating(demo.id)
      assert.equal(catalog.sites.findBySlug('demo')?.id, demo.id)
      await catalog.sites.markDeleted(demo.id)
      await catalog.sites.markLive(demo)
      assert.equal(catalog.sites.findBySlug('demo'), undefined)
    })

    it('become live even if a start considered their creator dead, unless the slug was given away', async () => {
      const row = await catalog.sites.reserve(demo)
      await catalog.sites.dropCreating(demo.id)
      await catalog.sites.markLive(row)
      assert.equal(catalog.sites.findBySlug('demo')?.id, demo.id)
      await assert.rejects(catalog.sites.markLive({ ...demo, id: 'site-late' }), hasCode('slug_taken'))
    })

    it('are listed by slug, in parts, or only those a limited key may see', async () => {
      for (const slug of ['c', 'a', 'b']) await makeLive({ ...demo, id: `site-${slug}`, slug })
      await makeLive({ ...demo, id: 'site-d', slug: 'd', workspaceId: theirs.id })
      const slugs = async (page = {}) => (await catalog.sites.list(ours.id, page)).map(({ slug }) => slug)
      assert.deepEqual(await slugs(), ['a', 'b', 'c'])
      assert.deepEqual(await slugs({ limit: 2 }), ['a', 'b'])
      assert.deepEqual(await slugs({ limit: 2, after: 'b' }), ['c'])
      assert.deepEqual(await slugs({ only: ['site-b', 'site-d'] }), ['b'])
      assert.deepEqual(await slugs({ only: [] }), [])
      assert.deepEqual(await slugs({ only: null }), ['a', 'b', 'c'])
      assert.deepEqual(
        (await catalog.sites.listLive()).map(({ slug }) => slug),
        ['a', 'b', 'c', 'd'],
      )
    })
  })

  describe('keys', () => {
    it('are found only by hash, with all their rights', async () => {
      const key = keyOf(ours.id, { scopes: ['read', 'admin'], sites: ['s1', 's2'], expiresAt: '2027-01-01T00:00:00Z' })
      const { hash, ...shown } = key
      const created = await catalog.keys.create(key)
      assert.deepEqual(created, { ...shown, userId: null, offer: null, revokedAt: null, lastUsedAt: null })
      assert.deepEqual(catalog.keys.findByHash(hash), created)
      assert.equal(catalog.keys.findByHash('another'), undefined)
      assert.equal(catalog.keys.findByHash(''), undefined)
    })

    it('may see all sites, or none, and the two differ', async () => {
      assert.equal((await catalog.keys.create(keyOf(ours.id))).sites, null)
      const none = await catalog.keys.create(keyOf(ours.id, { id: 'key-2', hash: 'hash-2', sites: [], scopes: [] }))
      assert.deepEqual([none.sites, none.scopes], [[], []])
    })

    it('are usable until they expire or are revoked', async () => {
      const key = await catalog.keys.create(keyOf(ours.id, { expiresAt: '2026-11-21T12:00:00Z' }))
      assert.equal(isUsable(key, new Date('2026-11-21T11:59:59.999Z')), true)
      assert.equal(isUsable(key, new Date('2026-11-21T12:00:00Z')), false)
      assert.equal(isUsable({ ...key, expiresAt: null }, new Date('2999-01-01T00:00:00Z')), true)
      assert.equal(isUsable({ ...key, expiresAt: null, revokedAt: createdAt }, now), false)
    })

    it('are revoked only by their own workspace, once', async () => {
      await catalog.keys.create(keyOf(ours.id))
      assert.equal(await catalog.keys.revoke(theirs.id, 'key-1'), false)
      assert.equal(catalog.keys.findByHash('hash-1')?.revokedAt, null)
      assert.equal(await catalog.keys.revoke(ours.id, 'key-1'), true)
      assert.equal(catalog.keys.findByHash('hash-1')?.revokedAt, '2026-11-21T12:00:00Z')
      assert.equal(await catalog.keys.revoke(ours.id, 'key-1'), false)
      assert.deepEqual(await catalog.keys.list(ours.id), [])
    })

    it('leave no row 90 days after they were revoked, unless they made keys that are still there', async () => {
      const keys = [
        keyOf(ours.id, { id: 'maker', hash: 'maker' }),
        keyOf(ours.id, { id: 'made', hash: 'made', mintedBy: { kind: 'key', id: 'maker' } }),
        keyOf(ours.id, { id: 'alone', hash: 'alone' }),
        keyOf(ours.id, { id: 'used', hash: 'used' }),
      ]
      for (const key of keys) await catalog.keys.create(key)
      await makeLive(demo)
      const link = { id: 'link', siteId: demo.id, commit: '1'.repeat(40), hash: 'link', author: 'Ada', createdAt }
      await catalog.links.create({ ...link, madeBy: 'key alone', expiresAt: '2999-01-01T00:00:00Z' })
      for (const id of ['maker', 'alone']) await catalog.keys.revoke(ours.id, id)
      const createAt = async (time: string, id: string) => {
        now = new Date(time)
        await catalog.keys.create(keyOf(ours.id, { id, hash: id }))
        const found = await Promise.all(keys.map((key) => catalog.keys.find(ours.id, key.id)))
        return found.flatMap((key) => key?.id ?? [])
      }
      assert.deepEqual(await createAt('2027-02-19T11:59:59Z', 'before'), ['maker', 'made', 'alone', 'used'])
      assert.deepEqual(await createAt('2027-02-19T12:00:00Z', 'after'), ['maker', 'made', 'used'])
      assert.deepEqual(await catalog.keys.revokeMintedBy(ours.id, 'maker'), ['made'])
      assert.deepEqual(await createAt('2027-06-01T00:00:00Z', 'later'), ['maker', 'used'])
      assert.deepEqual(await createAt('2027-06-01T00:00:00Z', 'last'), ['used'])
    })

    it('are refused by a running service at the next look-up after another process revoked them', async () => {
      await catalog.keys.create(keyOf(ours.id))
      assert.equal(catalog.keys.findByHash('hash-1')?.revokedAt, null)
      const commandLine = await openCatalog(folder)
      assert.equal(await commandLine.keys.revoke(ours.id, 'key-1'), true)
      const found = catalog.keys.findByHash('hash-1')
      assert.ok(found !== undefined && !isUsable(found, now))
      await commandLine.close()
    })

    it('are listed for their own workspace, expired ones too', async () => {
      await catalog.keys.create(keyOf(ours.id, { expiresAt: '2020-01-01T00:00:00Z' }))
      await catalog.keys.create(keyOf(theirs.id, { id: 'key-2', hash: 'hash-2' }))
      assert.deepEqual(
        (await catalog.keys.list(ours.id)).map(({ id }) => id),
        ['key-1'],
      )
    })
  })

  describe('the last use of a key', () => {
    it('is written at close, not at each use', async () => {
      await catalog.keys.create(keyOf(ours.id))
      catalog.keyUsage.record('key-1')
      now = new Date('2026-11-21T12:00:30.900Z')
      catalog.keyUsage.record('key-1')
      assert.equal(catalog.keys.findByHash('hash-1')?.lastUsedAt, null)
      await catalog.close()
      catalog = await openCatalog(folder)
      assert.equal(catalog.keys.findByHash('hash-1')?.lastUsedAt, '2026-11-21T12:00:30Z')
    })

    it('is given up if the disk refuses it at close, and the catalog closes', async () => {
      await catalog.keys.create(keyOf(ours.id))
      const other = openSqlite(join(folder, 'catalog.db'), { synchronous: 'FULL' })
      other.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON api_keys BEGIN SELECT RAISE(ABORT, 'refused'); END`)
      other.close()
      catalog.keyUsage.record('key-1')
      await catalog.close()
      catalog = await openCatalog(folder)
      assert.equal(catalog.keys.findByHash('hash-1')?.lastUsedAt, null)
    })

    it('is written automatically after the interval', async () => {
      await catalog.keys.create(keyOf(ours.id))
      const usage = new KeyUsage(catalog.keys, () => now, 20)
      usage.record('key-1')
      await within(PATIENCE_MS, () =>
        assert.equal(catalog.keys.findByHash('hash-1')?.lastUsedAt, '2026-11-21T12:00:00Z'),
      )
    })

    it('never moves back when two processes write it', async () => {
      await catalog.keys.create(keyOf(ours.id))
      await catalog.keys.touch(new Map([['key-1', '2026-11-21T12:00:00Z']]))
      await catalog.keys.touch(new Map([['key-1', '2026-11-21T11:00:00Z']]))
      assert.equal(catalog.keys.findByHash('hash-1')?.lastUsedAt, '2026-11-21T12:00:00Z')
    })
  })

  describe('grants', () => {
    it('open a workspace to the keys of another, in that direction only', async () => {
      await catalog.grants.grant(ours.id, theirs.id, ['read'])
      assert.deepEqual(catalog.grants.grantsTo(theirs.id), [{ workspaceId: ours.id, scopes: ['read'] }])
      assert.deepEqual(catalog.grants.grantsTo(ours.id), [])
    })

    it('are replaced by the next, and withdrawn by one without scopes', async () => {
      await catalog.grants.grant(ours.id, theirs.id, ['read'])
      await catalog.grants.grant(ours.id, theirs.id, ['read', 'write'])
      assert.deepEqual(catalog.grants.grantsTo(theirs.id), [{ workspaceId: ours.id, scopes: ['read', 'write'] }])
      await catalog.grants.grant(ours.id, theirs.id, [])
      assert.deepEqual(catalog.grants.grantsTo(theirs.id), [])
    })
  })

  describe('idempotency records', () => {
    const record = {
      keyHash: 'k',
      requestHash: 'r',
      status: 201,
      body: '{"success":true}',
      createdAt: '2026-11-21T12:00:00Z',
    }

    it('answer the same for a day, and then expire', async () => {
      await catalog.idempotency.save(record)
      assert.deepEqual(await catalog.idempotency.find('k'), record)
      assert.equal(await catalog.idempotency.find('another'), undefined)
      now = new Date('2026-11-22T11:59:59Z')
      assert.deepEqual(await catalog.idempotency.find('k'), record)
      now = new Date('2026-11-22T12:00:00Z')
      assert.equal(await catalog.idempotency.find('k'), undefined)
    })

    it('are replaced by a later one of the same key', async () => {
      await catalog.idempotency.save(record)
      const later = { ...record, requestHash: 'other', createdAt: '2026-11-22T13:00:00Z' }
      now = new Date('2026-11-22T13:00:00Z')
      await catalog.idempotency.save(later)
      assert.deepEqual(await catalog.idempotency.find('k'), later)
    })
  })
})
