import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import supertest from 'supertest'
import { codeOf, dataOf, freshPath, publish, useService } from './use-service.js'

describe('§5 authentication', () => {
  const service = useService()

  it('a missing, malformed, unknown, expired or revoked key gets the same 401', async () => {
    const expired = await service().mint({ expiresAt: '2020-01-01T00:00:00Z' })
    const revoked = await service().mint()
    await service().server.service.services.catalog.keys.revoke(service().workspaceId, revoked.id)
    const bodies = []
    for (const key of ['', 'nonsense', `pal_${'a'.repeat(36)}`, expired.key, revoked.key]) {
      const answer = await service().api(key).get('/pages').expect(401)
      assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer .*resource_metadata="http[^"]*\/api\/v1"$/)
      const { requestId: _, ...error } = (answer.body as { error: Record<string, unknown> }).error
      bodies.push(JSON.stringify(error))
    }
    assert.equal(new Set(bodies).size, 1)
  })

  it('only one Authorization field of the scheme Bearer, in any case, is taken as a key', async () => {
    const get = (value: string | string[]) =>
      supertest(service().origin)
        .get('/api/v1/pages')
        .set('Authorization', value as string)
    await get(`Basic ${service().key}`).expect(401)
    await get(`bearer ${service().key}`).expect(200)
    await get([`Bearer ${service().key}`, 'Bearer x']).expect(401)
  })

  it('every path under /api/v1, known or not, is refused without a key', async () => {
    await service().api('').get('/nothing').expect(401)
    await service().api('').patch('/pages').expect(401)
  })

  it('a revoked key is refused on the next request', async () => {
    const { key, id } = await service().mint()
    await service().api(key).get('/pages').expect(200)
    const admin = await service().mint({ scopes: ['admin'] })
    await service().api(admin.key).delete(`/keys/${id}`).expect(200)
    await service().api(key).get('/pages').expect(401)
  })

  it('creating, replacing and deleting a page needs the scope write', async () => {
    const page = await publish(service())
    const { key } = await service().mint({ scopes: ['read'] })
    const refusals = [
      await service().api(key).post('/pages').send({ path: freshPath() }).expect(403),
      await service().api(key).put(`/pages/${page.id}/content`).send({ html: 'x' }).expect(403),
      await service().api(key).delete(`/pages/${page.id}`).expect(403),
    ]
    for (const refusal of refusals) {
      assert.equal(codeOf(refusal), 'insufficient_scope')
      assert.match(refusal.headers['www-authenticate'] ?? '', /^Bearer error="insufficient_scope", scope="[^"]*write"/)
    }
    await service().api(key).get(`/pages/${page.id}`).expect(200)
  })

  it('a key is shown once, and kept only as a hash', async () => {
    const admin = await service().mint({ scopes: ['admin'] })
    const body = { label: 'deploy', scopes: ['write'] }
    const created = await service().api(admin.key).post('/keys').send(body).expect(201)
    const { key, id } = dataOf<{ key: string; id: string }>(created)
    assert.match(key, /^pal_[0-9A-Za-z]{36}$/)
    await publish(service())
    await service().api(key).get('/me').expect(200)
    const listed = await service().api(admin.key).get('/keys').expect(200)
    assert.ok(dataOf<{ id: string }[]>(listed).some((entry) => entry.id === id))
    assert.ok(!listed.text.includes(key))
  })

  it('a key mints only scopes that it holds', async () => {
    const { key } = await service().mint({ scopes: ['write'] })
    await service()
      .api(key)
      .post('/keys')
      .send({ label: 'more', scopes: ['admin'] })
      .expect(403)
  })

  it('a key of one workspace sees nothing of another: foreign ids answer as unknown ones', async () => {
    const page = await publish(service())
    const other = await service().server.service.services.provisioner.createWorkspace(
      'Other',
      `other-${randomUUID().slice(0, 8)}`,
    )
    const { key } = await service().mint({ workspaceId: other.workspace.id, scopes: ['admin'] })
    const strip = (text: string) => text.replace(/"requestId":"[^"]*"/, '')
    const foreign = await service().api(key).get(`/pages/${page.id}`).expect(404)
    const unknown = await service().api(key).get('/pages/22222222-2222-4222-8222-222222222222').expect(404)
    assert.equal(strip(foreign.text), strip(unknown.text))
    await service().api(key).get('/pages').set('x-service-site-id', service().site.id).expect(404)
    await service().api(key).get('/pages').set('x-service-account-id', service().workspaceId).expect(404)
    await service().api(key).put(`/pages/${page.id}/content`).send({ html: 'stolen' }).expect(404)
    assert.notEqual((await service().visit(page.path)).text, 'stolen')
  })

  it('a key limited to some sites sees no other', async () => {
    const admin = await service().mint({ scopes: ['admin'] })
    const create = async (slug: string) =>
      dataOf<{ id: string }>(await service().api(admin.key).post('/sites').send({ slug }).expect(201)).id
    const ids = [await create('limited'), await create('limited-too')]
    const { key } = await service().mint({ sites: ids })
    const sites = dataOf<{ id: string }[]>(await service().api(key).get('/sites').expect(200))
    assert.deepEqual(sites.map(({ id }) => id).toSorted(), ids.toSorted())
    assert.equal(codeOf(await service().api(key).get('/pages').expect(404)), 'site_not_found')
    for (const id of ids) await service().api(key).get('/pages').set('x-service-site-id', id).expect(200)
    await service().api(key).get('/pages').set('x-service-site-id', service().site.id).expect(404)
  })

  it('a key limited to one site needs to name none', async () => {
    const admin = await service().mint({ scopes: ['admin'] })
    const { id } = dataOf<{ id: string }>(
      await service().api(admin.key).post('/sites').send({ slug: 'only-one' }).expect(201),
    )
    const { key } = await service().mint({ sites: [id] })
    const page = dataOf<{ siteId: string }>(
      await service().api(key).put('/pages?path=/here').send({ html: 'here' }).expect(201),
    )
    assert.equal(page.siteId, id)
  })
})
