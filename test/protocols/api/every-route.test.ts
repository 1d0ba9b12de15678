import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { SCHEMA_OPTIONS } from '../../../src/protocols/api/request/check-input.js'
import { ROUTES } from '../../../src/protocols/api/routes/table.js'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { environmentSchema } from '../../../src/processes/config/schema.js'
import { manifestOf, oidOf, tarOf } from '../../scenarios/files/folder.js'
import { covered } from '../../support/contract.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { addPasskey, placeOf, SoftBrowser } from '../../support/people/passkey-steps.js'
import { signInAgain, type SignedIn, signInAs } from '../../support/people/sign-in-as.js'
import { type ApiClient, startTestService, type TestService } from '../../support/service.js'

describe('the OpenAPI document', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  // `api()` holds each answer against the document; this sees to it that no route is left out.
  it('describes what every route answers', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const api = service.api(key)
    covered.clear()
    await usePages(api, service.site.id)
    await useFiles(api)
    await useDeploys(api)
    await useCollections(api)
    await useChangeRequests(api, service.site.id)
    await useSites(api)
    await useKeys(api)
    await usePeople(service)
    await useAccount(service)
    await useSession(service)
    const missing = ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`).filter(
      (name) => !covered.has(name),
    )
    assert.deepEqual(missing, [])
  })

  it('has a group with a description for every route, as the reference at /docs shows no others', async () => {
    const answer = await fetch(`${service.origin}/openapi.json`)
    const { tags } = (await answer.json()) as { tags: { name: string; description: string }[] }
    const described = tags.filter(({ description }) => description !== '').map(({ name }) => name)
    assert.deepEqual(described.toSorted(), [...new Set(ROUTES.map(({ tag }) => tag))].toSorted())
  })

  it('names for an id only lists that there are', () => {
    const ids = ROUTES.flatMap(
      ({ params }) => JSON.stringify(params ?? {}).match(/(?<=as GET )\S+(?= lists it)/g) ?? [],
    )
    const lists = new Set(ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path))
    assert.ok(ids.length > 0)
    assert.deepEqual(
      ids.filter((path) => !lists.has(path)),
      [],
    )
  })
})

describe('the schemas of the configuration and of every route', () => {
  it('are valid JSON Schema, in which every keyword and format is known', () => {
    const ajv = addFormats.default(new Ajv2020(SCHEMA_OPTIONS))
    const ofRoutes = ROUTES.flatMap(({ params, query, body }) => [params, query, body?.json])
    for (const schema of [environmentSchema, ...ofRoutes]) if (schema !== undefined) ajv.compile(schema)
  })
})

async function useChangeRequests(api: ApiClient, siteId: string): Promise<void> {
  const { body } = await api.post(`/sites/${siteId}/change-requests`).send({ title: 'Hours' }).expect(201)
  const { id } = body.data as { id: string }
  await api.get(`/sites/${siteId}/change-requests`).expect(200)
  await api.get('/change-requests').expect(200)
  await api.get('/change-request-count').expect(200)
  await api.post(`/pages?changeRequest=${id}`).send({ path: '/proposed', html: 'x' }).expect(201)
  await api.get(`/change-requests/${id}`).expect(200)
  await api.patch(`/change-requests/${id}`).send({ state: 'review' }).expect(200)
  await api.get(`/change-requests/${id}/changes`).expect(200)
  await api.get(`/change-requests/${id}/changes/diff?path=/proposed`).expect(200)
  await api.get(`/change-requests/${id}/conflicts`).expect(200)
  const comment = await made(api, `/change-requests/${id}/comments`, { text: 'Why?', path: '/proposed' })
  await api.get(`/change-requests/${id}/comments`).expect(200)
  await api.patch(`/comments/${comment}`).send({ resolved: true }).expect(200)
  await api.delete(`/comments/${comment}`).expect(200)
  const link = await made(api, `/change-requests/${id}/links`, {})
  await api.get(`/change-requests/${id}/links`).expect(200)
  await api.delete(`/change-requests/${id}/links/${link}`).expect(200)
  await made(api, '/pages', { path: '/of-main', html: 'x' })
  await api.post(`/change-requests/${id}/update`).send({}).expect(200)
  const at = new Date(Date.now() + 3600_000).toISOString()
  await api.post(`/change-requests/${id}/publish`).send({ at }).expect(200)
  await api.get(`/sites/${siteId}/change-requests?scheduled=true`).expect(200)
  await api.delete(`/change-requests/${id}/schedule`).expect(200)
  await api.post(`/change-requests/${id}/publish`).send({}).expect(200)
}

async function usePeople(service: TestService): Promise<void> {
  const owner = await signInAs(service, 'owner')
  const { userId } = await signInAs(service, 'viewer')
  await owner.send('get', '/members').expect(200)
  await owner.send('get', `/members/${userId}`).expect(200)
  await owner.send('patch', `/members/${userId}`).send({ role: 'editor' }).expect(200)
  await owner.send('post', `/members/${userId}/sign-in-link`).expect(200)
  await owner.send('delete', `/members/${userId}/sessions`).expect(200)
  await owner.send('delete', `/members/${userId}`).expect(200)
  await connectAgent(service, owner)
  const proposed = await owner.send('post', `/sites/${service.site.id}/change-requests`).send({}).expect(201)
  const { id, head } = (proposed.body as { data: { id: string; head: string } }).data
  await owner.send('post', `/change-requests/${id}/approvals`).send({ commit: head }).expect(200)
  const protection = `/sites/${service.site.id}/protection`
  await owner.send('put', protection).send({ protection: 'none' }).expect(200)
  await owner.send('get', protection).expect(200)
  await owner.send('get', '/agents/work').expect(200)
  const listed = await owner.send('get', '/agents').expect(200)
  await owner.send('delete', `/agents/${(listed.body as { data: [{ id: string }] }).data[0].id}`).expect(200)
  await owner.send('get', '/audit').expect(200)
  const invited = await owner.send('post', '/invitations').send({ role: 'viewer' }).expect(201)
  await owner.send('get', '/invitations').expect(200)
  await owner.send('delete', `/invitations/${invited.body.data.id}`).expect(200)
  await useWaysIn(service, owner)
}

async function useWaysIn(service: TestService, { userId, send }: SignedIn): Promise<void> {
  const { identities, mailDomains } = service.server.service.services.catalog
  const [first, second] = [randomUUID(), randomUUID()]
  const issuer = 'https://login.example'
  for (const id of [first, second]) await identities.add({ id, issuer, subject: id, userId, email: null })
  await send('get', '/me/identities').expect(200)
  await send('delete', `/me/identities/${first}`).expect(200)
  const domain = { issuer, domain: 'example.org', role: 'viewer' } as const
  await mailDomains.put({ ...domain, workspaceId: service.workspaceId, sites: null })
  await send('get', '/mail-domains').expect(200)
  await send('put', '/mail-domains').send(domain).expect(200)
  await send('delete', `/mail-domains?issuer=${issuer}&domain=example.org`).expect(200)
}

async function useAccount(service: TestService): Promise<void> {
  const person = await signInAs(service, 'viewer')
  await person.send('patch', '/me').send({ name: 'Vera' }).expect(200)
  await addPasskey(service, person)
  const listed = await person.send('get', '/me/passkeys').expect(200)
  const { id } = (listed.body as { data: [{ id: string }] }).data[0]
  await person.send('patch', `/me/passkeys/${id}`).send({ name: 'mine' }).expect(200)
  await person.send('delete', `/me/passkeys/${id}`).expect(200)
  await signInAgain(service, person.userId)
  const sessions = await person.send('get', '/me/sessions').expect(200)
  const other = (sessions.body as { data: { id: string; isThis: boolean }[] }).data.find(({ isThis }) => !isThis)
  await person.send('delete', `/me/sessions/${other?.id}`).expect(200)
  await person.send('delete', '/me/sessions').expect(200)
  const leaving = await signInAs(service, 'viewer')
  await leaving.send('delete', `/me/workspaces/${service.workspaceId}`).expect(200)
}

async function useSession(service: TestService): Promise<void> {
  const { services } = service.server.service
  const person = await signInAs(service, 'owner')
  const passkey = await addPasskey(service, person)
  const browser = new SoftBrowser(service)
  await browser.send('get', '/session/providers').expect(200)
  await browser.signIn(passkey, person.userId)
  const proof = passkey.answer(await browser.ask(), person.userId, placeOf(service))
  assert.equal((await browser.answer(proof, '/session/proof')).status, 200)
  const invited = await person.send('post', '/invitations').send({ role: 'viewer' }).expect(201)
  const token = new URL((invited.body as { data: { url: string } }).data.url).hash.slice(1)
  const stranger = new SoftBrowser(service)
  await stranger.send('post', '/session/invitation').send({ token }).expect(200)
  await stranger.send('post', '/session/invitation/accept').send({ token, name: 'Nia' }).expect(201)
  const link = await makeSignInToken(services, service.workspaceId, { userId: person.userId })
  await stranger.send('post', '/session').send({ token: link }).expect(201)
  await useReview(service, stranger)
  await stranger.send('delete', '/session?everywhere=true').expect(200)
}

async function useReview(service: TestService, browser: SoftBrowser): Promise<void> {
  const api = service.api((await service.mint({ scopes: ['admin'] })).key)
  await api.patch(`/sites/${service.site.id}`).send({ guestComments: true }).expect(200)
  const { body } = await api
    .post('/pages?changeRequest=new')
    .set('x-service-site-id', service.site.id)
    .send({ path: '/reviewed', html: 'x' })
    .expect(201)
  const shared = await api.post(`/change-requests/${body.changeRequest}/links`).send({}).expect(201)
  const token = new URL((shared.body as { data: { reviewUrl: string } }).data.reviewUrl).hash.slice(1)
  await browser.send('post', '/guest/comments').send({ token, name: 'Gus', text: 'Well said.' }).expect(201)
  await browser.send('post', '/guest/review').send({ token }).expect(200)
}

async function made(api: ApiClient, path: string, body: object): Promise<string> {
  const answer = await api.post(path).send(body).expect(201)
  return (answer.body as { data: { id: string } }).data.id
}

async function usePages(api: ApiClient, site: string): Promise<void> {
  const id = await made(api, '/pages', { path: '/route', html: 'one' })
  await api.get(`/pages/${id}`).expect(200)
  await api.get('/search?q=one').expect(200)
  await made(api, '/pages', { path: '/linking', html: '<a href="/route">x</a>' })
  await api.get(`/pages/${id}/backlinks`).expect(200)
  await api.put('/pages?path=/route').send({ html: 'two' }).expect(200)
  const replaced = await api.put(`/pages/${id}/content`).send({ html: 'three' }).expect(200)
  const commit = (replaced.body as { data: { version: { id: string } } }).data.version.id
  await api.post(`/sites/${site}/revert`).send({ commit }).expect(201)
  await api
    .post(`/sites/${site}/undo`)
    .send({ commits: [commit] })
    .expect(200)
  await api.get(`/sites/${site}/commits?limit=2`).expect(200)
  await api.get(`/sites/${site}/commits/${commit}`).expect(200)
  await api.get(`/sites/${site}/tags`).expect(200)
  await api.get(`/sites/${site}/checks`).expect(200)
  await api.post(`/sites/${site}/resolve`).send({ path: '/' }).expect(200)
  const link = await made(api, `/sites/${site}/links`, { commit })
  await api.get(`/sites/${site}/links`).expect(200)
  await api.delete(`/sites/${site}/links/${link}`).expect(200)
  await api.patch(`/pages/${id}`).send({ title: null }).expect(200)
  const edits = [{ find: 'two', replace: 'four' }]
  await api.patch(`/pages/${id}/content`).set('If-Match', '*').send({ edits }).expect(200)
  await api.post('/pages/edit?dryRun=true').send({ prefix: '/route', edits }).expect(409)
  await api
    .post('/pages/edit')
    .send({ pages: [id], edits: [{ find: 'four', replace: 'two' }] })
    .expect(200)
  await api.get(`/pages/${id}/versions`).expect(200)
  await api.get(`/pages/${id}/versions/1`).expect(200)
  await api.get(`/pages/${id}/diff`).expect(200)
  await made(api, `/pages/${id}/comments`, { text: 'Well said.', quote: { exact: 'three' } })
  await api.get(`/pages/${id}/comments`).expect(200)
  await api.post(`/pages/${id}/versions/1/withdraw`).expect(200)
  await api.post(`/pages/${id}/rollback`).send({ version: 2 }).expect(200)
  await api.delete(`/pages/${id}`).expect(200)
  await api
    .post('/batch')
    .send({ operations: [{ op: 'putPage', path: '/route', html: 'five' }] })
    .expect(200)
  await api.get('/pages?status=all').expect(200)
  await api.get('/templates').expect(200)
}

async function useFiles(api: ApiClient): Promise<void> {
  await api.put('/files?path=/a.txt').send('a file').expect(201)
  await api.post('/files').send({ path: '/json.txt', text: 'by JSON' }).expect(201)
  await api.get('/files').expect(200)
  await api.get('/files/content?path=/a.txt').expect(200)
  await api.get('/files/text?path=/a.txt').expect(200)
  const edits = [{ find: 'a file', replace: 'another' }]
  await api.patch('/files/content?path=/a.txt').set('If-Match', '*').send({ edits }).expect(200)
  await api.post('/files/move').send({ from: '/a.txt', to: '/b.txt' }).expect(201)
  await api.get('/files/versions?path=/b.txt').expect(200)
  await api.delete('/files?path=/b.txt').expect(200)
  await api.post('/files/rollback').send({ path: '/b.txt', version: 1 }).expect(200)
}

async function useDeploys(api: ApiClient): Promise<void> {
  const files = { 'one.txt': 'one', 'two.txt': 'two' }
  const [one, two] = [oidOf('one'), oidOf('two')]
  const id = await made(api, '/deploys', { files: manifestOf(files) })
  await api.get('/deploys').expect(200)
  await api.get(`/deploys/${id}`).expect(200)
  await api.put(`/deploys/${id}/blobs/${one}`).type('text/plain').send('one').expect(200)
  await api
    .post(`/deploys/${id}/blobs`)
    .type('application/x-tar')
    .send(tarOf(files, [two]))
    .expect(200)
  await api.post(`/deploys/${id}/publish`).expect(200)
  await api.delete(`/deploys/${id}`).expect(200)
}

async function useCollections(api: ApiClient): Promise<void> {
  const id = await made(api, '/collections', { name: 'things', schema: { type: 'object' } })
  const record = await made(api, `/collections/${id}/records`, { data: { a: 1 } })
  await api.get('/collections').expect(200)
  await api.get(`/collections/${id}`).expect(200)
  await api.put(`/collections/${id}`).send({ name: 'renamed' }).expect(200)
  await api.get(`/collections/${id}/records?filter[a]=1`).expect(200)
  await api.get(`/collections/${id}/records/${record}`).expect(200)
  await api
    .put(`/collections/${id}/records/${record}`)
    .send({ data: { a: 2 } })
    .expect(200)
  await api.delete(`/collections/${id}/records/${record}`).expect(200)
  await api.delete(`/collections/${id}`).expect(200)
}

async function useSites(api: ApiClient): Promise<void> {
  await api.get('/accounts').expect(200)
  await api.get('/me').expect(200)
  await api.get('/usage').expect(200)
  await api.get('/usage/sites').expect(200)
  const first = await made(api, '/sites', { slug: 'first-route' })
  await api.put('/files?path=/in/a.txt').set('x-service-site-id', first).send('x').expect(201)
  await api.post(`/sites/${first}/moves`).send({ from: '/in/', to: '/out/' }).expect(200)
  const second = await made(api, '/sites', { slug: 'second-route' })
  await api.get('/sites').expect(200)
  await api.get(`/sites/${first}`).expect(200)
  await api.patch(`/sites/${first}`).send({ isDefault: true }).expect(200)
  const mirror = `/sites/${second}/mirror`
  await api.put(mirror).send({ url: 'https://10.0.0.1/site.git' }).expect(200)
  await api.get(mirror).expect(200)
  await api.post(`${mirror}/retry`).expect(200)
  await api.delete(mirror).expect(200)
  await api.delete(`/sites/${second}`).expect(200)
}

async function useKeys(api: ApiClient): Promise<void> {
  const id = await made(api, '/keys', { label: 'short-lived' })
  await api.get('/keys').expect(200)
  await api.post(`/keys/${id}/rotate`).send({}).expect(201)
  await api.delete(`/keys/${id}`).expect(200)
}
