import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createPage, getPage } from '../../../src/usecases/pages/pages.js'
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../../src/usecases/sites/sites.js'
import { getMe, listWorkspaces } from '../../../src/usecases/access/workspaces.js'
import { assertSound } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('the administration of a workspace', () => {
  let parts: ServiceParts
  const make = (slug: string) => createSite(parts.services, parts.context(), { slug })

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
        workspaceId: parts.workspaceId,
        url: 'http://blog.localhost:8080',
        cloneUrl: 'http://localhost:8080/git/blog.git',
        isDefault: false,
        publicHistory: false,
        markdown: false,
        search: false,
        publicRepository: false,
        createdAt: '2026-11-21T10:00:00Z',
        state: 'live',
      })
      assert.deepEqual([created, location], [true, `/sites/${data.id}`])
      await createPage(parts.services, parts.context(), { path: '/', html: 'x', siteId: data.id })
      assertSound(parts.gitdir({ ...parts.site, slug: data.slug }))
    })

    it('refuse slugs that are taken, reserved or malformed', async () => {
      await assert.rejects(make('demo'), refusal('slug_taken'))
      await assert.rejects(make('www'), refusal('reserved_slug'))
      await assert.rejects(make('No_Slug'), refusal('invalid_slug'))
    })

    it('are completed by the next request for the slug after a disk error', async () => {
      const inTheWay = parts.gitdir({ ...parts.site, slug: 'blog' })
      writeFileSync(inTheWay, '')
      await assert.rejects(make('blog'), refusal('outcome_unknown'))
      rmSync(inTheWay)
      const { data } = await make('blog')
      await createPage(parts.services, parts.context(), { path: '/', html: 'x', siteId: data.id })
    })

    it('are listed by slug, in parts', async () => {
      for (const slug of ['zoo', 'blog']) await make(slug)
      const first = await listSites(parts.services, parts.context(), { limit: 2 })
      const cursor = first.nextCursor ?? ''
      const second = await listSites(parts.services, parts.context(), { limit: 2, cursor })
      assert.deepEqual(
        [...first.data, ...second.data].map(({ slug }) => slug),
        ['blog', 'demo', 'zoo'],
      )
      assert.equal(second.nextCursor, null)
      const foreign = listSites(parts.services, parts.context(), {
        cursor: Buffer.from('["keys","x"]').toString('base64url'),
      })
      await assert.rejects(foreign, refusal('invalid_cursor'))
    })

    it('can become the default site, for requests that name none', async () => {
      const { data } = await make('blog')
      const updated = await updateSite(parts.services, parts.context(), { id: data.id, isDefault: true })
      assert.equal(updated.data.isDefault, true)
      const before = await getSite(parts.services, parts.context(), { id: parts.site.id })
      assert.equal(before.data.isDefault, false)
      const page = await createPage(parts.services, parts.context(), { path: '/a', html: 'a' })
      assert.equal(page.data.siteId, data.id)
    })

    it('are gone at once when deleted; the repository is kept and the slug never used again', async () => {
      const { services } = parts
      const { data } = await make('blog')
      const page = await createPage(services, parts.context(), { path: '/a', html: 'a', siteId: data.id })
      const gitdir = parts.gitdir({ ...parts.site, slug: data.slug })
      assert.deepEqual((await deleteSite(services, parts.context(), { id: data.id })).data, { id: data.id })
      assert.equal(existsSync(gitdir), false)
      await assert.rejects(getSite(services, parts.context(), { id: data.id }), refusal('site_not_found'))
      await assert.rejects(getPage(services, parts.context(), { id: page.data.id }), refusal('page_not_found'))
      await assert.rejects(make('blog'), refusal('slug_taken'))
    })

    it('cannot be deleted while they are the default site', async () => {
      await assert.rejects(deleteSite(parts.services, parts.context(), { id: parts.site.id }), refusal('conflict'))
    })

    it('cannot be created, nor made the default, by a key limited to some sites', async () => {
      const key = await parts.mint({ sites: [parts.site.id] })
      const context = parts.context({ key })
      await assert.rejects(createSite(parts.services, context, { slug: 'blog' }), refusal('insufficient_scope'))
      const update = updateSite(parts.services, context, { id: parts.site.id, isDefault: true })
      await assert.rejects(update, refusal('insufficient_scope'))
    })
  })

  describe('workspaces', () => {
    it('are answered with their default site', async () => {
      const { data, nextCursor } = await listWorkspaces(parts.services, parts.context(), {})
      const expected = {
        id: parts.workspaceId,
        name: 'First',
        defaultSiteId: parts.site.id,
        createdAt: '2026-11-21T10:00:00Z',
      }
      assert.deepEqual([data, nextCursor], [[expected], null])
      const key = await parts.mint({ sites: [], scopes: ['read'], label: 'blind' })
      const context = parts.context({ key })
      const me = (await getMe(parts.services, context)).data
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
