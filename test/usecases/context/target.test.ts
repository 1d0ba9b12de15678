import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Site } from '../../../src/catalog/site.js'
import { mintKey } from '../../../src/model/key-format.js'
import type { Scope } from '../../../src/model/rights/scopes.js'
import { createPage, getPage } from '../../../src/usecases/pages/pages.js'
import { authenticate } from '../../../src/usecases/access/authenticate.js'
import { resolveTarget, siteOf } from '../../../src/usecases/context/target.js'
import { listWorkspaces } from '../../../src/usecases/access/workspaces.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('the target of a request', () => {
  let parts: ServiceParts
  let second: Site
  let third: Site
  let other: { workspaceId: string; site: Site }

  before(async () => {
    parts = await openServiceParts()
    second = await parts.services.provisioner.createSite(parts.workspaceId, 'second')
    third = await parts.services.provisioner.createSite(parts.workspaceId, 'third')
    const { workspace, site } = await parts.services.provisioner.createWorkspace('Other', 'other')
    other = { workspaceId: workspace.id, site }
  })
  after(() => parts.stop())
  afterEach(() => parts.services.catalog.grants.grant(other.workspaceId, parts.workspaceId, []))

  const grant = (scopes: Scope[]) => parts.services.catalog.grants.grant(other.workspaceId, parts.workspaceId, scopes)
  const resolve = (key: string, ids: { workspaceId?: string; siteId?: string }, scope: Scope) =>
    resolveTarget(parts.services, authenticate(parts.services, key), ids, scope)
  const caught = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return error instanceof Error ? `${(error as { code?: string }).code}: ${error.message}` : error
    }
    return assert.fail('nothing was refused')
  }

  describe('API keys', () => {
    it('authenticate requests, and their last use is recorded', async () => {
      const key = await parts.mint({ label: 'Robot', scopes: ['write'] })
      const principal = authenticate(parts.services, key)
      assert.deepEqual([principal.label, principal.workspaceId, principal.sites], ['Robot', parts.workspaceId, null])
      await parts.services.catalog.keyUsage.flush()
      const [stored] = (await parts.services.catalog.keys.list(parts.workspaceId)).filter(
        ({ id }) => id === principal.id,
      )
      assert.equal(stored?.lastUsedAt, '2026-11-21T10:00:00Z')
    })

    it('are refused with the same words if they are malformed, unknown, expired or revoked', async () => {
      const expired = await parts.mint({ expiresAt: '2026-11-21T10:00:00Z' })
      const revoked = await parts.mint()
      await parts.services.catalog.keys.revoke(parts.workspaceId, authenticate(parts.services, revoked).id)
      const bearers = [undefined, '', 'x', `pal_${'a'.repeat(36)}`, mintKey(), expired, revoked]
      const refusals = bearers.map((bearer) => caught(() => authenticate(parts.services, bearer)))
      assert.equal(new Set(refusals).size, 1)
      assert.match(String(refusals[0]), /^unauthenticated: /)
    })
  })

  describe('workspaces', () => {
    it("default to the key's own; the header may name one in any letter case", async () => {
      const key = await parts.mint({ scopes: ['read'] })
      assert.equal(resolve(key, {}, 'read').workspace.id, parts.workspaceId)
      assert.equal(resolve(key, { workspaceId: parts.workspaceId.toUpperCase() }, 'read').workspace.name, 'First')
    })

    it('answer a key that may not see them exactly as if they did not exist', async () => {
      const key = await parts.mint()
      const foreign = caught(() => resolve(key, { workspaceId: other.workspaceId }, 'read'))
      assert.match(String(foreign), /^workspace_not_found: /)
      assert.equal(
        caught(() => resolve(key, { workspaceId: randomUUID() }, 'admin')),
        foreign,
      )
    })

    it('can be seen if they granted a scope, with the scopes that both the grant and the key have', async () => {
      await grant(['write'])
      const scopesOf = async (scopes: Scope[]) =>
        resolve(await parts.mint({ scopes }), { workspaceId: other.workspaceId }, 'read').scopes
      assert.deepEqual(await scopesOf(['admin']), ['read', 'write'])
      assert.deepEqual(await scopesOf(['write']), ['read', 'write'])
      assert.deepEqual(await scopesOf(['read']), ['read'])
      const { data } = await listWorkspaces(parts.call(), {})
      assert.deepEqual(data.map(({ name }) => name).toSorted(), ['First', 'Other'])
      const key = await parts.mint()
      assert.throws(() => resolve(key, { workspaceId: other.workspaceId }, 'admin'), refusal('insufficient_scope'))
    })

    it('are hidden again once the grant ends', async () => {
      await grant(['read'])
      await grant([])
      const key = await parts.mint()
      assert.throws(() => resolve(key, { workspaceId: other.workspaceId }, 'read'), refusal('workspace_not_found'))
    })
  })

  describe('scopes', () => {
    it('include each other: admin includes write, and every key reads', async () => {
      const [reader, writer, admin] = await Promise.all(
        (['read', 'write', 'admin'] as const).map((scope) => parts.mint({ scopes: [scope] })),
      )
      const may = (key = '', scope: Scope) => {
        try {
          return resolve(key, {}, scope) !== undefined
        } catch (error) {
          return refusal('insufficient_scope')(error) && false
        }
      }
      const scopes = ['read', 'write', 'admin'] as const
      assert.deepEqual(
        [reader, writer, admin].map((key) => scopes.map((scope) => may(key, scope))),
        [
          [true, false, false],
          [true, true, false],
          [true, true, true],
        ],
      )
    })

    it('are checked after the workspace and the site are found', async () => {
      const reader = await parts.mint({ scopes: ['read'] })
      assert.throws(() => resolve(reader, { siteId: randomUUID() }, 'write'), refusal('site_not_found'))
      assert.throws(() => resolve(reader, { siteId: second.id }, 'write'), refusal('insufficient_scope'))
    })
  })

  describe('sites', () => {
    it('are taken from the header, else from the body, else the default one is used', () => {
      const { services, site } = parts
      assert.equal(siteOf({ ...services, ...parts.context() }).id, site.id)
      assert.equal(siteOf({ ...services, ...parts.context() }, second.id.toUpperCase()).id, second.id)
      assert.equal(
        siteOf({ ...services, ...parts.context({ siteId: second.id.toUpperCase() }) }, second.id).id,
        second.id,
      )
    })

    it('are refused if header and body name different ones', () => {
      const context = parts.context({ siteId: second.id })
      assert.throws(() => siteOf({ ...parts.services, ...context }, parts.site.id), refusal('site_mismatch'))
    })

    it('answer other workspaces exactly as if they did not exist', () => {
      const inHeader = (siteId: string) => caught(() => parts.context({ siteId }))
      const inBody = (siteId: string) => caught(() => siteOf(parts.call(), siteId))
      assert.match(String(inHeader(other.site.id)), /^site_not_found: /)
      assert.equal(inHeader(randomUUID()), inHeader(other.site.id))
      assert.equal(inBody(randomUUID()), inBody(other.site.id))
    })

    it('answer a limited key that may not see them as if they did not exist, the default site too', async () => {
      const key = await parts.mint({ sites: [second.id] })
      assert.equal(siteOf(parts.call({ key, siteId: second.id })).id, second.id)
      const hidden = caught(() => parts.context({ key, siteId: parts.site.id }))
      assert.equal(
        hidden,
        caught(() => parts.context({ key, siteId: randomUUID() })),
      )
    })

    it('need no name if the key sees only one, which is not the default, and must be named if it sees more', async () => {
      const one = await parts.mint({ sites: [second.id] })
      assert.equal(siteOf(parts.call({ key: one })).id, second.id)
      const more = await parts.mint({ sites: [second.id, third.id] })
      const message = caught(() => siteOf(parts.call({ key: more })))
      assert.match(String(message), /^site_not_found: .*x-service-site-id/)
    })
  })

  describe('ids of pages', () => {
    const publish = (siteId: string, path: string) => createPage(parts.call(), { path, html: 'x', siteId })
    const read = (id: string, wishes: { key?: string; siteId?: string } = {}) => getPage(parts.call(wishes), { id })

    it('are found in any site of the workspace', async () => {
      const { data } = await publish(second.id, '/found')
      assert.equal((await read(data.id.toUpperCase())).data.siteId, second.id)
      await assert.rejects(read(data.id, { siteId: parts.site.id }), refusal('page_not_found'))
    })

    it('are unknown if the key may not see their site or workspace', async () => {
      const { data } = await publish(parts.site.id, '/hidden')
      const limited = await parts.mint({ sites: [second.id] })
      await assert.rejects(read(data.id, { key: limited }), refusal('page_not_found'))
      const foreign = await parts.mint({ workspaceId: other.workspaceId })
      await assert.rejects(read(data.id, { key: foreign }), refusal('page_not_found'))
    })

    it('are ambiguous without the header if two sites have them', async () => {
      const { services } = parts
      const { data } = await publish(parts.site.id, '/twice')
      await services.store.write(second, {
        operation: {
          kind: 'publish-page',
          newId: data.id,
          path: '/elsewhere' as never,
          html: Buffer.from('y'),
          title: undefined,
          templateId: null,
          replace: false,
        },
        author: 'Ada',
        time: 1_790_000_000,
        trailers: [],
      })
      // Written past the use cases, as a push is.
      await parts.untilSeen(second)
      await assert.rejects(read(data.id), refusal('ambiguous_id'))
      assert.equal((await read(data.id, { siteId: second.id })).data.path, '/elsewhere')
      const limited = await parts.mint({ sites: [second.id] })
      assert.equal((await read(data.id, { key: limited })).data.path, '/elsewhere')
    })
  })
})
