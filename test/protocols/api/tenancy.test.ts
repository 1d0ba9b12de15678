import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type supertest from 'supertest'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

/** A well-formed id that does not exist. */
const NOBODYS = '11111111-1111-4111-8111-111111111111'
const NO_COMMIT = '1'.repeat(40)

/** A body that every route with a body accepts as far as its form goes. */
const BODIES: Readonly<Record<string, object>> = {
  approveChangeRequest: { commit: NO_COMMIT },
  commentOnChangeRequest: { text: 'x' },
  commentOnPage: { text: 'x' },
  changeComment: { text: 'x' },
  changeChangeRequest: { title: 'x' },
  createPage: { path: '/intruder', html: 'x' },
  moveFolder: { from: '/a/', to: '/b/' },
  putPage: { html: 'x' },
  retitlePage: { title: 'x' },
  replacePage: { html: 'x' },
  editContent: { edits: [{ find: 'x', replace: 'y' }] },
  rollbackPage: { version: 1 },
  batch: { operations: [{ op: 'createPage', path: '/intruder', html: 'x' }] },
  createCollection: { name: 'x' },
  putCollection: { name: 'x' },
  createRecord: { data: {} },
  putRecord: { data: {} },
  createSite: { slug: 'intruder' },
  updateSite: { isDefault: true },
  revertCommit: { commit: NO_COMMIT },
  editPages: { prefix: '/', edits: [{ find: 'x', replace: 'y' }] },
  undoCommits: { commits: [NO_COMMIT] },
  createLink: { commit: NO_COMMIT },
  setMirror: { url: 'https://git.example/site.git' },
  createKey: { label: 'x' },
  tryRules: { path: '/x' },
  rotateKey: {},
  changeMember: { role: 'viewer' },
  putMailDomain: { issuer: 'https://login.example', domain: 'example.org', role: 'viewer' },
  createInvitation: { role: 'viewer' },
}

interface Ids {
  page: string
  collection: string
  record: string
  link: string
  site: string
  key: string
  member: string
  agent: string
  identity: string
  invitation: string
  comment: string
}

describe('every route', () => {
  let service: TestService
  let theirs: Ids
  let intruder: string

  before(async () => {
    service = await startTestService()
    theirs = await liveIn(service)
    const { workspace } = await service.server.service.services.provisioner.createWorkspace('Intruders', 'intruders')
    intruder = (await service.mint({ workspaceId: workspace.id, scopes: ['admin'] })).key
  })
  after(() => service.stop())

  it('answers a foreign id byte for byte like one that does not exist', async () => {
    const before = git(service.gitdir(), 'rev-parse', 'main')
    // Keys have no account: `account.test.ts` and `passkeys.test.ts` try the ids of other people there.
    for (const route of KEY_ROUTES.filter(({ path }) => path.includes('{') && !path.startsWith('/me/'))) {
      const foreign = await send(service, intruder, route, pathWith(route, theirs))
      const unknown = await send(service, intruder, route, pathWith(route))
      assert.equal(foreign.status, unknown.status, route.operationId)
      // Only owners who are signed in call some routes: a key is refused there before any id is looked up.
      assert.equal(foreign.status, route.forOwners ? 403 : 404, `${route.operationId}: ${foreign.text}`)
      assert.equal(anonymous(foreign), anonymous(unknown), route.operationId)
    }
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), before)
  })

  it('refuses a foreign workspace or site in the header like an unknown one', async () => {
    for (const route of KEY_ROUTES) {
      const path = pathWith(route)
      for (const field of ['x-service-account-id', 'x-service-site-id']) {
        const id = field === 'x-service-site-id' ? theirs.site : service.workspaceId
        const foreign = await send(service, intruder, route, path).set(field, id)
        const unknown = await send(service, intruder, route, path).set(field, NOBODYS)
        assert.equal(foreign.status, 404, `${route.operationId} ${field}`)
        assert.equal(anonymous(foreign), anonymous(unknown), `${route.operationId} ${field}`)
      }
    }
  })

  it('answers the same 401 without a valid key', async () => {
    const answers = new Set<string>()
    for (const route of KEY_ROUTES) {
      const answer = await send(service, '', route, pathWith(route, theirs)).expect(401)
      answers.add(anonymous(answer))
    }
    assert.equal(answers.size, 1)
  })

  it('refuses a read-only key if it needs more', async () => {
    const { key } = await service.mint({ scopes: ['read'] })
    for (const route of KEY_ROUTES.filter(({ scope }) => scope !== 'read')) {
      const answer = await send(service, key, route, pathWith(route, theirs)).expect(403)
      assert.match(answer.text, /insufficient_scope/, route.operationId)
    }
  })
})

async function liveIn(service: TestService): Promise<Ids> {
  const { key, id } = await service.mint({ scopes: ['admin'] })
  const made = async (path: string, body: object) => {
    const answer = await service.api(key).post(path).send(body).expect(201)
    return (answer.body as { data: { id: string } }).data.id
  }
  const page = await made('/pages', { path: '/theirs', html: 'theirs' })
  const collection = await made('/collections', { name: 'theirs' })
  const record = await made(`/collections/${collection}/records`, { data: { secret: true } })
  const { userId: member } = await signInAs(service, 'viewer')
  const editor = await signInAs(service, 'editor')
  await connectAgent(service, editor)
  const listed = await editor.send('get', '/agents').expect(200)
  const [{ id: agent }] = (listed.body as { data: [{ id: string }] }).data
  const invitation = await made('/invitations', { role: 'viewer' })
  const identity = randomUUID()
  const { identities } = service.server.service.services.catalog
  await identities.add({ id: identity, issuer: 'https://login.example', subject: 'x', userId: member, email: null })
  const commit = git(service.gitdir(), 'rev-parse', 'main')
  const link = await made(`/sites/${service.site.id}/links`, { commit })
  const comment = await made(`/pages/${page}/comments`, { text: 'theirs' })
  const site = service.site.id
  return { page, collection, record, link, site, key: id, member, agent, identity, invitation, comment }
}

/** Returns the route's path with these ids, or with well-formed ones that do not exist. */
function pathWith({ path }: Route, ids?: Ids): string {
  const [, resource = ''] = path.split('/')
  const known: Record<string, string | undefined> = {
    pages: ids?.page,
    collections: ids?.collection,
    sites: ids?.site,
    keys: ids?.key,
    members: ids?.member,
    agents: ids?.agent,
    me: ids?.identity,
    invitations: ids?.invitation,
    comments: ids?.comment,
  }
  const id = known[resource] ?? NOBODYS
  return path
    .replace('{id}', id)
    .replace('{recordId}', ids?.record ?? NOBODYS)
    .replace('{linkId}', ids?.link ?? NOBODYS)
    .replace('{version}', '1')
    .replace('{oid}', NO_COMMIT)
}

function send(service: TestService, key: string, route: Route, path: string): supertest.Test {
  const needsPath = ['putPage', 'diffChangeOfRequest'].includes(route.operationId)
  const query = needsPath ? '?path=/intruder' : ''
  const request = service.api(key)[route.method](path + query)
  return route.body === undefined ? request : request.send(BODIES[route.operationId] ?? {})
}

/** Returns the answer without the parts that differ each time. */
function anonymous({ text }: supertest.Response): string {
  return text.replace(/"requestId":"[^"]*"/, '')
}
