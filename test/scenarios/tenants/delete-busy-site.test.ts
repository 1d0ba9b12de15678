import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type supertest from 'supertest'
import { startOwnService, type TestService } from '../../support/service.js'
import { PATIENCE_MS } from '../../support/within.js'

const DELETIONS = 6
const WRITES_EACH = 30
const WRITERS_BESIDE = 4

describe('deleting a site that is being written to', () => {
  let service: TestService
  let admin: string

  before(async () => {
    // One writer thread serves all sites, so that harm by one site affects the others.
    service = await startOwnService({ env: { WRITER_THREADS: '1' } })
    admin = (await service.mint({ scopes: ['admin'] })).key
  })
  after(() => service.stop())

  const write = (siteId: string, path: string): Promise<supertest.Response> =>
    service
      .api(admin)
      .put(`/pages?path=${path}`)
      .set('x-service-site-id', siteId)
      .type('text/html')
      .timeout(PATIENCE_MS)
      .send(`<p>${path}`)
      // Sends it: supertest sends a request only once it is awaited.
      .then((answer) => answer)

  it('answers every write in its queue, and harms no write of another site', async () => {
    const statuses: number[] = []
    const deletions = { areOver: false }
    const beside = Array.from({ length: WRITERS_BESIDE }, async (_, writer) => {
      const answers: supertest.Response[] = []
      for (let i = 0; !deletions.areOver; i++) answers.push(await write(service.site.id, `/beside-${writer}-${i}`))
      return answers
    })
    for (let round = 0; round < DELETIONS; round++) {
      const made = await service
        .api(admin)
        .post('/sites')
        .send({ slug: `busy-${round}` })
        .expect(201)
      const { id } = made.body.data as { id: string }
      const writes = Array.from({ length: WRITES_EACH }, (_, i) => write(id, `/page-${i}`))
      await service.api(admin).delete(`/sites/${id}`).expect(200)
      for (const answer of await Promise.all(writes)) {
        statuses.push(answer.status)
        if (answer.status !== 201) assert.equal(answer.body.error.code, 'site_not_found')
      }
    }
    deletions.areOver = true
    const others = (await Promise.all(beside)).flat()
    assert.equal(statuses.length, DELETIONS * WRITES_EACH)
    assert.deepEqual(
      others.filter(({ status }) => status !== 201).map(({ body }) => body),
      [],
    )
  })

  it('leaves nothing of the deleted sites in health', () => {
    assert.deepEqual(service.server.service.services.store.troubles.list(), [])
  })

  it('is answered as done if the disk refuses to move the repository: the site is gone for all clients', async () => {
    const made = await service.api(admin).post('/sites').send({ slug: 'stuck' }).expect(201)
    const { id } = made.body.data as { id: string }
    mkdirSync(join(service.dataDir, '.retired', `stuck-${id}.git`, 'in-the-way'), { recursive: true })
    await service.api(admin).delete(`/sites/${id}`).expect(200)
    await service.api(admin).get(`/sites/${id}`).expect(404)
    assert.equal((await service.visit('/', 'stuck')).status, 404)
    assert.equal((await write(id, '/late')).status, 404)
  })

  it('lets the service stop in time afterwards', async () => {
    const other = await startOwnService({ env: { WRITER_THREADS: '1' } })
    const key = (await other.mint({ scopes: ['admin'] })).key
    const { id } = (await other.api(key).post('/sites').send({ slug: 'last' }).expect(201)).body.data as { id: string }
    const put = (i: number) =>
      other
        .api(key)
        .put(`/pages?path=/page-${i}`)
        .set('x-service-site-id', id)
        .type('text/html')
        .timeout(PATIENCE_MS)
        .send('<p>last')
        .then(({ status }) => status)
    const writes = Array.from({ length: WRITES_EACH }, (_, i) => put(i))
    await Promise.all([other.api(key).delete(`/sites/${id}`).expect(200), ...writes])
    await other.stop()
  })
})
