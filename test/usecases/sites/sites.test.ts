import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { createPage, getPage } from '../../../src/usecases/pages/pages.js'
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../../src/usecases/sites/sites.js'
import { getMe, listWorkspaces } from '../../../src/usecases/access/workspaces.js'
import { assertSound } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('the administration of a workspace', () => {
  let parts: ServiceParts
  const make = (slug: string) => createSite(parts.call(), { slug })

  beforeEach(async () => {
    parts = await openServiceParts()
  })
  afterEach(() => parts.stop())

  describe('sites', () => {
    it('are live when the answer arrives', async () => {
      const { data, created, location } = await make('blog')
      assert.deepEqual(data, {
        id: data.id,
        slug: 'blog',
        name: null,
        workspaceId: parts.workspaceId,
        url: 'http://blog.localhost:8080',
        cloneUrl: 'http://localhost:8080/git/blog.git',
        isDefault: false,
        publicHistory: false,
        markdown: false,
        search: false,
        publicRepository: false,
        guestComments: false,
        protection: 'none',
        createdAt: '2026-11-21T10:00:00Z',
        state: 'live',
      })
      assert.deepEqual([created, location], [true, `/sites/${data.id}`])
      await createPage(parts.call(), { path: '/', html: 'x', siteId: data.id })
      assertSound(parts.gitdir({ ...parts.site, slug: data.slug }))
    })

    it('refuse slugs that are taken, reserved or malformed', async () => {
      await assert.rejects(make('demo'), refusal('slug_taken'))
      await assert.rejects(make('www'), refusal('reserved_slug'))
      await assert.rejects(make('No_Slug'), refusal('invalid_slug'))
    })

    it('have a name beside the slug, which can be changed and taken away', async () => {
      const { data } = await createSite(parts.call(), { slug: 'chess-club', name: 'Chess Club' })
      assert.equal(data.name, 'Chess Club')
      const { id } = data
      assert.equal((await updateSite(parts.call(), { id, name: 'שחמט' })).data.name, 'שחמט')
      assert.equal((await updateSite(parts.call(), { id, search: true })).data.name, 'שחמט')
      assert.deepEqual(
        (await listSites(parts.call(), { slug: 'chess-club' })).data.map(({ name }) => name),
        ['שחמט'],
      )
      assert.equal((await updateSite(parts.call(), { id, name: null })).data.name, null)
      assert.equal((await getSite(parts.call(), { id })).data.name, null)
    })

    it('are completed by the next request for the slug after a disk error', async () => {
      const inTheWay = parts.gitdir({ ...parts.site, slug: 'blog' })
      writeFileSync(inTheWay, '')
      await assert.rejects(make('blog'), refusal('outcome_unknown'))
      rmSync(inTheWay)
      const { data } = await make('blog')
      await createPage(parts.call(), { path: '/', html: 'x', siteId: data.id })
    })

    it('are listed by slug, in parts', async () => {
      for (const slug of ['zoo', 'blog']) await make(slug)
      const first = await listSites(parts.call(), { limit: 2 })
      const cursor = first.nextCursor ?? ''
      const second = await listSites(parts.call(), { limit: 2, cursor })
      assert.deepEqual(
        [...first.data, ...second.data].map(({ slug }) => slug),
        ['blog', 'demo', 'zoo'],
      )
      assert.equal(second.nextCursor, null)
      const foreign = listSites(parts.call(), {
        cursor: Buffer.from('["keys","x"]').toString('base64url'),
      })
      await assert.rejects(foreign, refusal('invalid_cursor'))
    })

    it('can become the default site, for requests that name none', async () => {
      const { data } = await make('blog')
      const updated = await updateSite(parts.call(), { id: data.id, isDefault: true })
      assert.equal(updated.data.isDefault, true)
      const before = await getSite(parts.call(), { id: parts.site.id })
      assert.equal(before.data.isDefault, false)
      const page = await createPage(parts.call(), { path: '/a', html: 'a' })
      assert.equal(page.data.siteId, data.id)
    })

    it('are gone at once when deleted; the repository is kept and the slug never used again', async () => {
      const { services } = parts
      const { data } = await make('blog')
      const page = await createPage({ ...services, ...parts.context() }, { path: '/a', html: 'a', siteId: data.id })
      const gitdir = parts.gitdir({ ...parts.site, slug: data.slug })
      assert.deepEqual((await deleteSite({ ...services, ...parts.context() }, { id: data.id })).data, { id: data.id })
      assert.equal(existsSync(gitdir), false)
      await assert.rejects(getSite({ ...services, ...parts.context() }, { id: data.id }), refusal('site_not_found'))
      await assert.rejects(
        getPage({ ...services, ...parts.context() }, { id: page.data.id }),
        refusal('page_not_found'),
      )
      await assert.rejects(make('blog'), refusal('slug_taken'))
    })

    it('are not said to be refused if the disk takes their change, and no line of the audit log about it', async () => {
      const { data } = await make('old')
      const catalog = openSqlite(join(parts.dataDir, 'catalog.db'), { synchronous: 'FULL' })
      catalog.exec("CREATE TRIGGER is_full BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'full'); END")
      catalog.close()
      await assert.rejects(make('new'), refusal('outcome_unknown'))
      await assert.rejects(deleteSite(parts.call(), { id: data.id }), refusal('outcome_unknown'))
      const { data: left } = await listSites(parts.call(), {})
      assert.deepEqual(
        left.map(({ slug }) => slug),
        ['demo', 'new'],
      )
    })

    it('cannot be deleted while they are the default site', async () => {
      await assert.rejects(deleteSite(parts.call(), { id: parts.site.id }), refusal('conflict'))
    })

    it('cannot be created, nor made the default, by a key limited to some sites', async () => {
      const key = await parts.mint({ sites: [parts.site.id] })
      const context = parts.context({ key })
      await assert.rejects(
        createSite({ ...parts.services, ...context }, { slug: 'blog' }),
        refusal('insufficient_scope'),
      )
      const update = updateSite({ ...parts.services, ...context }, { id: parts.site.id, isDefault: true })
      await assert.rejects(update, refusal('insufficient_scope'))
    })
  })

  describe('workspaces', () => {
    it('are answered with their default site', async () => {
      const { data, nextCursor } = await listWorkspaces(parts.call(), {})
      const expected = {
        id: parts.workspaceId,
        name: 'First',
        defaultSiteId: parts.site.id,
        createdAt: '2026-11-21T10:00:00Z',
      }
      assert.deepEqual([data, nextCursor], [[expected], null])
      const key = await parts.mint({ sites: [], scopes: ['read'], label: 'blind' })
      const context = parts.context({ key })
      const me = (await getMe({ ...parts.services, ...context })).data
      assert.deepEqual(me, {
        key: {
          id: context.principal.id,
          label: 'blind',
          sites: [],
          siteSlugs: [],
          paths: null,
          expiresAt: null,
          toolset: null,
        },
        kind: 'key',
        person: null,
        client: null,
        isBorrowed: false,
        workspace: { ...expected, defaultSiteId: null },
        scopes: ['read'],
      })
    })
  })
})
