import assert from 'node:assert/strict'
import { createClient, deploy } from '../../src/client/client.js'
import { startTestService, type TestService } from '../support/service.js'
import { folder } from './deploy-files.js'

describe('a deploy of files that are published more than once', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  /** The client of a person who publishes to one site, whose requests may be held or lost on their way. */
  const clientOf = (siteId?: string, send: (request: Request) => Promise<Response> = (request) => fetch(request)) =>
    createClient({ baseUrl: service.origin, key: service.key, ...(siteId !== undefined && { siteId }), fetch: send })

  const isPublish = ({ url }: Request) => url.endsWith('/publish')

  it('goes to a second site with the same files, after a dry run too', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'second' }).expect(201)
    const { id: second } = (body as { data: { id: string } }).data
    const files = await folder({ 'both.txt': 'both' })
    for (const mode of ['merge', 'replace'] as const) {
      for (const siteId of [service.site.id, second]) {
        for (const dryRun of [true, false]) {
          const { url } = await deploy(clientOf(siteId), files, { mode, dryRun })
          assert.equal(new URL(url).host.startsWith('second.'), siteId === second)
        }
      }
    }
    for (const slug of ['demo', 'second']) await service.visit('/both.txt', slug).expect(200, 'both')
  })

  it('finds none of another site by its key: one of the client, or the same key for both', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'third' }).expect(201)
    const sites = [service.site.id, (body as { data: { id: string } }).data.id]
    const keys: (string | null)[] = []
    const note = (request: Request) => {
      if (!isPublish(request)) keys.push(request.headers.get('Idempotency-Key'))
      return fetch(request)
    }
    for (const siteId of [undefined, ...sites]) await deploy(clientOf(siteId, note), [])
    assert.equal(new Set(keys).size, 3)
    const found = sites.map((siteId) =>
      service
        .api()
        .post('/deploys')
        .set({ 'x-service-site-id': siteId, 'Idempotency-Key': 'of-the-files-alone' })
        .send({ files: {} })
        .expect(201),
    )
    const siteIds = (await Promise.all(found)).map(
      (answer) => (answer.body as { data: { siteId: string } }).data.siteId,
    )
    assert.deepEqual(siteIds, sites)
  })
})
