// GET /usage: what a workspace uses of its quotas, which the operator sets for all workspaces and for one.

import assert from 'node:assert/strict'
import type { SiteUsageData, UsageData } from '../../../schemas/usage.js'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { readSlicesByQuery } from '../../support/read-slices.js'
import { startOwnService, type TestService } from '../../support/service.js'

interface Site {
  id: string
  slug: string
  usage?: { pages: number; storageBytes: number }
}

describe('GET /usage', () => {
  let service: TestService
  let admin: string

  before(async () => {
    service = await startOwnService({ env: { MAX_WORKSPACE_PAGES: '3', MAX_WORKSPACE_SITES: '4' } })
    admin = (await service.mint({ scopes: ['admin'] })).key
    for (const slug of ['second', 'third']) await service.api(admin).post('/sites').send({ slug }).expect(201)
  })
  after(() => service.stop())

  const usage = async (key = service.key) => (await service.api(key).get('/usage').expect(200)).body.data as UsageData
  const sites = async (key = service.key) =>
    (await service.api(key).get('/usage/sites').expect(200)).body.data as SiteUsageData[]
  const siteOf = async (id: string) => (await service.api().get(`/sites/${id}`).expect(200)).body.data as Site
  const setQuotas = (...args: string[]) =>
    runPalimpsest({ DATA_DIR: service.dataDir, MAX_WORKSPACE_PAGES: '3' }, 'workspaces', 'quota', 'Default', ...args)

  it('tells the figures with the quotas of the settings, and null where there is none', async () => {
    const { bytes, pages, sites: used } = await usage()
    assert.deepEqual(
      [pages, used],
      [
        { used: 1, quota: 3 },
        { used: 3, quota: 4 },
      ],
    )
    assert.equal(bytes.quota, null)
    assert.ok(bytes.used > 0)
  })

  it('sums what each site has, as GET /sites/{id} tells it', async () => {
    await service.api().put('/pages?path=/summed').send({ html: 'words' }).expect(201)
    const listed = await sites()
    assert.deepEqual(
      listed.map(({ slug, pages }) => [slug, pages]),
      [
        ['demo', 2],
        ['second', 0],
        ['third', 0],
      ],
    )
    const total = await usage()
    assert.equal(total.pages.used, 2)
    assert.equal(
      total.bytes.used,
      listed.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    for (const { siteId, pages, bytes } of listed.slice(1)) {
      const site = await siteOf(siteId)
      assert.deepEqual([site.usage?.pages, site.usage?.storageBytes], [pages, bytes])
    }
  })

  it('lists the sites part by part', async () => {
    const all = await readSlicesByQuery<SiteUsageData>(
      2,
      async (query) => (await service.api().get(`/usage/sites?${query}`).expect(200)).body,
    )
    assert.deepEqual(
      all.map(({ slug }) => slug),
      ['demo', 'second', 'third'],
    )
    await service.api().get('/usage/sites?cursor=wrong').expect(400)
  })

  it('tells a limited key the total, and lists only the sites that it may see', async () => {
    const [, second] = await sites()
    const { key } = await service.mint({ sites: [second?.siteId ?? ''] })
    assert.deepEqual((await usage(key)).sites, { used: 3, quota: 4 })
    assert.deepEqual(
      (await sites(key)).map(({ slug }) => slug),
      ['second'],
    )
  })

  it('tells another workspace nothing', async () => {
    const other = await service.inNewWorkspace('elsewhere')
    assert.deepEqual((await usage(other.key)).sites, { used: 1, quota: 4 })
    const asked = service.api(other.key).get('/usage').set('x-service-account-id', service.workspaceId)
    assert.equal(((await asked.expect(404)).body as { error: { code: string } }).error.code, 'workspace_not_found')
  })

  it('holds a workspace to the quotas that `workspaces quota` gives it, from the next request on', async () => {
    const { code, stdout, stderr } = await setQuotas('--bytes', '1000000000', '--pages', '2', '--sites', 'none')
    assert.equal(code, 0, stderr)
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'bytes\t1000000000\tits own',
      'pages\t2\tits own',
      'sites\tnone\tits own',
    ])
    const { bytes, pages, sites: used } = await usage()
    assert.deepEqual([bytes.quota, pages.quota, used.quota], [1_000_000_000, 2, null])
    await service.api().put('/pages?path=/third').send({ html: 'x' }).expect(403)
    const again = await setQuotas('--pages', 'default')
    assert.match(again.stdout, /^pages\t3\tMAX_WORKSPACE_PAGES$/m)
    await service.api().put('/pages?path=/third').send({ html: 'x' }).expect(201)
    await service.api().put('/pages?path=/fourth').send({ html: 'x' }).expect(403)
  })

  it('is not changed by a wrong command', async () => {
    const before = await usage()
    for (const wrong of [
      ['--pages', '-1'],
      ['--pages', 'many'],
      ['--bytes', '1.5'],
    ]) {
      const { code, stderr } = await setQuotas(...wrong)
      assert.equal(code, 2)
      assert.match(stderr, /Give a whole number, "none" or "default"/)
    }
    assert.equal((await setQuotas()).code, 0)
    assert.deepEqual(await usage(), before)
  })

  it('refuses a site that the operator makes, with the command that allows it', async () => {
    await setQuotas('--sites', '3')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'sites', 'create', 'fourth')
    assert.equal(code, 1)
    assert.match(stderr, /the workspace has 3 of 3 sites/)
  })
})
