// The ways in of the test of time: each is made, and tried later.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import supertest from 'supertest'
import { connectAgent } from '../../../support/people/connect-agent.js'
import { addPasskey, SoftBrowser } from '../../../support/people/passkey-steps.js'
import { signInAs, type SignedIn } from '../../../support/people/sign-in-as.js'
import { beginDeploy, beginPush, beginUpload, type FreshKey } from './open-requests.js'
import type { People, World } from './people.js'
import type { Answer, Way } from './rules.js'

export interface Made {
  /** The key and the agent that made it or carry it. */
  keyId?: string
  agentId?: string
  /** Tries it. What opens the other workspace too answers so. */
  attempt(): Promise<Answer | 'opens elsewhere'>
}

export type WayToTry = Way & { make: (world: World, people: People) => Promise<Made> }

const answerOf = (isTaken: boolean): Answer => (isTaken ? 'holds' : 'ended')

/** Publishes a page with a bearer. */
async function writes({ here }: World, bearer: string): Promise<Answer> {
  const page = { path: `/${randomUUID()}`, html: 'x', siteId: here.site.id }
  const { status } = await supertest(here.origin).post('/api/v1/pages').auth(bearer, { type: 'bearer' }).send(page)
  return answerOf(status === 201)
}

/** Whether a session opens this workspace, and the other one too. */
async function opens({ here, elsewhere }: World, cookie: string): Promise<Answer | 'opens elsewhere'> {
  const members = (id: string) =>
    supertest(here.origin)
      .get('/api/v1/sites')
      .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'x-service-account-id': id })
  if ((await members(elsewhere.workspaceId)).status === 200) return 'opens elsewhere'
  return answerOf((await members(here.workspaceId)).status === 200)
}

async function keyOf({ send }: SignedIn, personal: boolean): Promise<FreshKey> {
  const { body } = await send('post', '/keys')
    .send({ label: 'x', scopes: ['write'], personal })
    .expect(201)
  return (body as { data: FreshKey }).data
}

async function agentOf(world: World, maker: SignedIn): Promise<{ agentId: string; token: string }> {
  const resource = `http://localhost:${world.here.server.port}/api/v1`
  const { access_token: token } = await connectAgent(world.here, maker, { clientId: world.clientId, resource })
  const { body } = await maker.send('get', '/agents').expect(200)
  const [agent] = (body as { data: { id: string; person: { id: string } }[] }).data.filter(
    ({ person }) => person.id === maker.userId,
  )
  assert.ok(agent)
  return { agentId: agent.id, token }
}

async function signInLink({ maker, borrower }: People): Promise<string> {
  const { body } = await maker.send('post', `/members/${borrower.userId}/sign-in-link`).expect(200)
  return (body as { data: { url: string } }).data.url.split('#')[1] ?? ''
}

async function enter({ here }: World, token: string): Promise<SoftBrowser> {
  const browser = new SoftBrowser(here)
  await browser.send('post', '/session').send({ token })
  return browser
}

/** Makes a link to the present state of the site. */
async function shareLink(world: World, ask: (path: string) => supertest.Test): Promise<Made['attempt']> {
  const { here } = world
  const [commit] = (await here.api().get(`/sites/${here.site.id}/commits`).expect(200)).body.data as { id: string }[]
  const { body } = await ask(`/sites/${here.site.id}/links`).send({ commit: commit?.id }).expect(201)
  const { host, pathname } = new URL((body as { data: { url: string } }).data.url)
  return async () => answerOf((await supertest(here.origin).get(pathname).set('Host', host)).status === 302)
}

/** A passkey that was added in a session which the maker lent, as the upgrade from a version that allowed it leaves it. */
async function lentPasskey({ here }: World, { maker, borrower }: People) {
  const passkey = await addPasskey(here, borrower)
  const { passkeys } = here.server.service.services.catalog
  const [stored] = await passkeys.listOf(borrower.userId)
  assert.ok(stored)
  await passkeys.remove(borrower.userId, stored.id)
  await passkeys.create({ ...stored, loan: { workspaceId: here.workspaceId, makerIds: [maker.userId] } })
  return passkey
}

const throughKey = (name: string, attempt: (world: World, of: FreshKey, maker: FreshKey) => Promise<Made['attempt']>) =>
  ({
    name,
    of: 'maker',
    does: 'write',
    by: 'key',
    async make(world, { maker }) {
      const [key, other] = [await keyOf(maker, true), await keyOf(maker, true)]
      return { keyId: key.id, attempt: await attempt(world, key, other) }
    },
  }) satisfies WayToTry

export const WAYS: readonly WayToTry[] = [
  {
    name: 'a sign-in link',
    of: 'borrower',
    does: 'sign in',
    isLink: true,
    async make(world, people) {
      const token = await signInLink(people)
      return { attempt: async () => opens(world, (await enter(world, token)).cookie) }
    },
  },
  {
    name: 'a session that a sign-in link began',
    of: 'borrower',
    does: 'be signed in',
    async make(world, people) {
      const { cookie } = await enter(world, await signInLink(people))
      return { attempt: () => opens(world, cookie) }
    },
  },
  {
    name: 'a passkey that was added in such a session',
    of: 'borrower',
    does: 'sign in',
    async make(world, people) {
      const passkey = await lentPasskey(world, people)
      return {
        async attempt() {
          const browser = new SoftBrowser(world.here)
          await browser.signIn(passkey, people.borrower.userId)
          return opens(world, browser.cookie)
        },
      }
    },
  },
  {
    name: 'an invitation',
    of: 'maker',
    does: 'invite',
    async make({ here }, { maker }) {
      const { body } = await maker.send('post', '/invitations').send({ role: 'admin' }).expect(201)
      const token = (body as { data: { url: string } }).data.url.split('#')[1]
      const accept = () => new SoftBrowser(here).send('post', '/session/invitation/accept').send({ token, name: 'Ina' })
      return { attempt: async () => answerOf((await accept()).status === 201) }
    },
  },
  {
    name: 'a session',
    of: 'maker',
    does: 'write',
    make: ({ here }, { maker }) => {
      const page = () => ({ path: `/${randomUUID()}`, html: 'x', siteId: here.site.id })
      const publish = () => maker.send('post', '/pages').set('x-service-account-id', here.workspaceId).send(page())
      return Promise.resolve({ attempt: async () => answerOf((await publish()).status === 201) })
    },
  },
  throughKey('a personal key', (world, { key }) => Promise.resolve(() => writes(world, key))),
  {
    name: 'a key of the workspace',
    of: 'workspace',
    does: 'write',
    by: 'key',
    async make(world, { maker }) {
      const { id: keyId, key } = await keyOf(maker, false)
      return { keyId, attempt: () => writes(world, key) }
    },
  },
  {
    name: 'a key that was handed over to the maker',
    of: 'maker',
    does: 'write',
    by: 'key',
    async make(world, { maker }) {
      const leaving = await signInAs(world.here, 'editor', { name: 'Lea' })
      await keyOf(leaving, true)
      await world.hanna.send('delete', `/members/${leaving.userId}?handTo=${maker.userId}`).expect(200)
      const { body } = await maker.send('get', '/keys').expect(200)
      const offer = (body as { data: { id: string; userId: string | null; offer: object | null }[] }).data.find(
        (key) => key.offer !== null && key.userId === maker.userId,
      )
      const taken = await maker.send('post', `/keys/${offer?.id}/rotate`).send({}).expect(201)
      const { id: keyId, key } = (taken.body as { data: FreshKey }).data
      return { keyId, attempt: () => writes(world, key) }
    },
  },
  {
    name: "an agent's token",
    of: 'maker',
    does: 'write',
    by: 'agent',
    async make(world, { maker }) {
      const { agentId, token } = await agentOf(world, maker)
      return { agentId, attempt: () => writes(world, token) }
    },
  },
  {
    name: 'a share link made in a session',
    of: 'maker',
    does: 'write',
    make: async (world, { maker }) => ({ attempt: await shareLink(world, (path) => maker.send('post', path)) }),
  },
  {
    name: 'a share link made by an agent',
    of: 'maker',
    does: 'write',
    by: 'agent',
    async make(world, { maker }) {
      const { agentId, token } = await agentOf(world, maker)
      return { agentId, attempt: await shareLink(world, (path) => world.here.api(token).post(path)) }
    },
  },
  throughKey('a share link made by a key', (world, { key }) => shareLink(world, world.here.api(key).post)),
  throughKey('an open push', async ({ here }, key) => {
    const open = await beginPush(here, key, 'refs/heads/main')
    return async () => answerOf(await open.finish())
  }),
  throughKey('an open push that proposes', async ({ here }, key) => {
    const open = await beginPush(here, key, 'refs/for/main')
    return async () => answerOf(await open.finish())
  }),
  throughKey('an open upload', async ({ here }, key) => {
    const open = await beginUpload(here, key)
    return async () => answerOf(await open.finish())
  }),
  throughKey('an open deploy', async ({ here }, of, maker) => {
    const open = await beginDeploy(here, { maker, of })
    return async () => answerOf(await open.finish())
  }),
]
