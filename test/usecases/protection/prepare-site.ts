// A site in a workspace of its own with something of each kind, and the callers that try to change it.

import { manifestOf, oidOf } from '../../scenarios/files/folder.js'
import { git } from '../../support/git.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { type SignedIn, signInAs } from '../../support/people/sign-in-as.js'
import type { TestService } from '../../support/service.js'

interface Tagged {
  id: string
  etag: string
}

export interface Filled {
  service: TestService
  siteId: string
  owner: SignedIn
  page: Tagged
  file: { path: string; etag: string }
  collection: Tagged
  record: Tagged
  /** A commit that can be reverted, and is not the newest. */
  older: string
  /** An open deploy whose bytes are all there. */
  deploy: string
  /** Main as git sees it. */
  head: () => string
}

export async function prepareSite(of: TestService): Promise<Filled> {
  const service = await of.inNewWorkspace()
  const api = service.api()
  const owner = await signInAs(service, 'owner')
  const post = async (path: string, body: object) =>
    ((await api.post(path).send(body).expect(201)).body as { data: { id: string } }).data
  const etagOf = async (path: string) => String((await api.get(path).expect(200)).headers['etag'])
  await post('/pages', { path: '/folder/inside', html: 'inside' })
  await post('/pages', { path: '/old', html: 'old' })
  const older = git(service.gitdir(service.site.slug), 'rev-parse', 'main')
  const { id } = await post('/pages', { path: '/page', html: 'first' })
  await api.put(`/pages/${id}/content`).send({ html: '<p>stays</p>' }).expect(200)
  await api.put('/files?path=/file.txt').send('first').expect(201)
  await api.put('/files?path=/file.txt').send('stays').expect(200)
  const collection = (await post('/collections', { name: 'things', schema: { type: 'object' } })).id
  const record = (await post(`/collections/${collection}/records`, { data: { a: 1 } })).id
  const deploy = (await post('/deploys', { files: manifestOf({ 'deployed.txt': 'deployed' }) })).id
  await api
    .put(`/deploys/${deploy}/blobs/${oidOf('deployed')}`)
    .type('text/plain')
    .send('deployed')
    .expect(200)
  return {
    service,
    siteId: service.site.id,
    owner,
    page: { id, etag: await etagOf(`/pages/${id}`) },
    file: { path: '/file.txt', etag: await etagOf('/files/text?path=/file.txt') },
    collection: { id: collection, etag: await etagOf(`/collections/${collection}`) },
    record: { id: record, etag: await etagOf(`/collections/${collection}/records/${record}`) },
    older,
    deploy,
    head: () => git(service.gitdir(service.site.slug), 'rev-parse', 'main'),
  }
}

export async function protect({ owner, siteId }: Pick<Filled, 'owner' | 'siteId'>, body: object): Promise<void> {
  await owner.send('put', `/sites/${siteId}/protection`).send(body).expect(200)
}

export interface TryingCaller {
  name: string
  headers: Record<string, string>
  /** Whether it is a session of a person. */
  isSession: boolean
  /** Whether it may write at a site that is not protected. */
  mayWrite: boolean
  /** Whether tools know it. */
  knowsTools: boolean
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

export async function makeCallers({ service, owner }: Filled): Promise<TryingCaller[]> {
  const program = (name: string, key: string, more: Partial<TryingCaller> = {}): TryingCaller => ({
    name,
    headers: bearer(key),
    isSession: false,
    mayWrite: true,
    knowsTools: true,
    ...more,
  })
  const keyOf = async (scope: 'propose' | 'write' | 'sites' | 'admin') =>
    program(`a key with ${scope}`, (await service.mint({ scopes: [scope] })).key, { mayWrite: scope !== 'propose' })
  const personal = await owner
    .send('post', '/keys')
    .send({ label: 'x', scopes: ['admin'], personal: true })
    .expect(201)
  const agentOf = async (path: string) => {
    const resource = `http://localhost:${service.server.port}${path}`
    return (await connectAgent(service, owner, { resource, choice: { scope: 'sites' } })).access_token
  }
  const sessionOf = async (role: 'author' | 'editor' | 'admin' | 'owner'): Promise<TryingCaller> => {
    const { cookie } = await signInAs(service, role)
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    return {
      name: `a session of the ${role}`,
      headers,
      isSession: true,
      mayWrite: role !== 'author',
      knowsTools: false,
    }
  }
  return [
    await keyOf('propose'),
    await keyOf('write'),
    await keyOf('sites'),
    await keyOf('admin'),
    program('the key of an owner', (personal.body as { data: { key: string } }).data.key),
    program('an agent of the API', await agentOf('/api/v1'), { knowsTools: false }),
    program('an agent of the tools', await agentOf('/mcp')),
    await sessionOf('author'),
    await sessionOf('editor'),
    await sessionOf('admin'),
    await sessionOf('owner'),
  ]
}
