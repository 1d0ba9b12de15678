// Change requests use the quota of bytes of their workspace, and not that of pages.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { UsageData } from '../../../schemas/usage.js'
import type { Site } from '../../../src/catalog/site.js'
import { authenticate } from '../../../src/usecases/access/authenticate.js'
import { resolveTarget } from '../../../src/usecases/context/target.js'
import { type ApiClient, startTestService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'
import { beginRequest, putIn } from '../requests/begin-request.js'
import { refusal } from '../service-parts.js'

const PAGE_BYTES = 100_000

describe('a change request', () => {
  let running: TestService
  let service: TestService
  let api: ApiClient
  let key: string
  let site: Site

  before(async () => (running = await startTestService()))
  beforeEach(async () => {
    service = await running.inNewWorkspace()
    key = (await service.mint({ scopes: ['admin'] })).key
    api = service.api(key)
    const [first] = await services().catalog.sites.list(service.workspaceId, { only: null, limit: 1 })
    site = first ?? assert.fail()
  })
  afterEach(() => service.stop())

  const services = () => service.server.service.services
  const usage = async () => (await api.get('/usage').expect(200)).body.data as UsageData
  const set = (quotas: { bytes?: number; pages?: number }) =>
    services().catalog.workspaces.setQuotas(service.workspaceId, quotas)
  const put = async (place: Site, path: string, html: string) => {
    const principal = authenticate(services(), key)
    const target = resolveTarget(services(), principal, {}, 'read')
    const call = { principal, target, requestId: randomUUID(), route: 'POST /pages', hold: () => Promise.resolve() }
    await putIn({ ...services(), ...call }, place, path, html)
  }
  const words = () => randomBytes(PAGE_BYTES / 2).toString('hex')

  it('counts with its bytes as it is written, and not with its pages', async () => {
    const request = await beginRequest(services(), site, 'Words')
    await put(site, '/live', 'live')
    const before = await usage()
    await put(request, '/one', words())
    const after = await usage()
    assert.ok(after.bytes.used >= before.bytes.used + PAGE_BYTES / 2, `${before.bytes.used} to ${after.bytes.used}`)
    assert.equal(after.pages.used, before.pages.used)
    const { data } = (await api.get('/usage/sites').expect(200)).body as { data: { bytes: number; pages: number }[] }
    assert.equal(data[0]?.bytes, after.bytes.used)
  })

  it('may hold more pages than the quota, and is held to the bytes', async () => {
    const request = await beginRequest(services(), site, 'Words')
    await set({ pages: 0 })
    await put(request, '/one', 'one')
    await set({ bytes: (await usage()).bytes.used + PAGE_BYTES })
    await put(request, '/two', 'two')
    await assert.rejects(put(request, '/three', words() + words()), refusal('byte_quota_exceeded'))
  })

  it('is held to the quotas of main when it is published, and is published whole once they allow it', async () => {
    const request = await beginRequest(services(), site, 'Words')
    await put(request, '/one', words() + words())
    await put(request, '/two', 'two')
    const head = () => services().store.reader.head({ ...site, request: undefined })
    const publish = async () => {
      const { status, body } = await api.post(`/change-requests/${request.request}/publish`).send({})
      return [status, body.error?.code]
    }
    const [before, { bytes, pages }] = [head(), await usage()]
    await set({ pages: pages.used + 1 })
    assert.deepEqual(await publish(), [403, 'page_quota_exceeded'])
    await set({ pages: pages.used + 2, bytes: bytes.used + PAGE_BYTES / 2 })
    assert.deepEqual(await publish(), [507, 'byte_quota_exceeded'])
    assert.equal(head(), before)
    assert.deepEqual(await usage().then(({ pages: now }) => now.used), pages.used)
    const { body } = await api.get(`/change-requests/${request.request}`).expect(200)
    assert.deepEqual([body.data.state, body.data.published], ['draft', null])
    await set({ pages: pages.used + 2, bytes: bytes.used + 4 * PAGE_BYTES })
    assert.deepEqual(await publish(), [200, undefined])
    assert.equal((await usage()).pages.used, pages.used + 2)
  })

  it('no longer counts once it is removed', async () => {
    const request = await beginRequest(services(), site, 'Words')
    const before = (await usage()).bytes.used
    await put(request, '/one', words())
    await services().store.endRequest(request)
    await until(
      async () => (await services().usage.of(service.workspaceId, true)).bytes,
      (bytes) => bytes < before + PAGE_BYTES / 2,
    )
  })
})
