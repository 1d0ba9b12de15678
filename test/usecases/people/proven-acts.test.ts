import assert from 'node:assert/strict'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import type { OpenRoute } from '../../../src/protocols/api/routes/open-route.js'
import { OTHER_ENDPOINTS, type OtherEndpoint } from '../../../src/protocols/api/routes/other-endpoints.js'
import { KEY_ROUTES, ROUTES } from '../../../src/protocols/api/routes/table.js'
import { inputOf } from '../../scenarios/rights/bodies.js'
import { beginConsent, newVerifier, registerClient, TestBrowser } from '../../support/people/connect-agent.js'
import { addPasskey } from '../../support/people/passkey-steps.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

const HOUR = 3_600_000
const ISSUER = 'http://127.0.0.1:9'
const NOBODYS = '11111111-1111-4111-8111-111111111111'
const NO_COMMIT = '1'.repeat(40)
const B64 = 'A'.repeat(64)

/** The acts that must need a fresh proof, each with a valid input: the proof is asked after the input is checked. */
const MUST_NEED: Readonly<Record<string, { body?: object; query?: string }>> = {
  createKey: { body: { label: 'x' } },
  rotateKey: { body: {} },
  createInvitation: { body: { role: 'owner' } },
  changeMember: { body: { role: 'viewer' } },
  removeMember: {},
  endSessionsOfMember: {},
  makeMemberLink: {},
  leaveWorkspace: {},
  putMailDomain: { body: { issuer: ISSUER, domain: 'corp.example', role: 'viewer' } },
  removeMailDomain: { query: `?issuer=${encodeURIComponent(ISSUER)}&domain=corp.example` },
  beginPasskey: {},
  addPasskey: {
    body: { credentialId: B64, clientDataJSON: B64, authenticatorData: B64, publicKey: B64, algorithm: -7 },
  },
  removePasskey: {},
  removeIdentity: {},
  updateSite: { body: { publicHistory: true } },
  deleteSite: {},
  createLink: { body: { commit: NO_COMMIT } },
  createChangeRequestLink: { body: {} },
  setMirror: { body: { url: 'https://git.example/site.git' } },
  deleteMirror: {},
  setProtection: { body: { protection: 'agents' } },
}

/** The acts that need none. A new act belongs into one of the two lists. */
const NEED_NONE = [
  // Content: it has a history, and can be taken back.
  'createPage',
  'putPage',
  'retitlePage',
  'unpublishPage',
  'replacePage',
  'editContent',
  'batch',
  'createChangeRequest',
  'changeChangeRequest',
  'updateChangeRequest',
  'approveChangeRequest',
  'publishChangeRequest',
  'unscheduleChangeRequest',
  'commentOnChangeRequest',
  'commentOnPage',
  'changeComment',
  'deleteComment',
  'editPages',
  'withdrawVersion',
  'rollbackPage',
  'putFile',
  'writeFile',
  'deleteFile',
  'editFile',
  'moveFile',
  'moveFolder',
  'rollbackFile',
  'createDeploy',
  'deleteDeploy',
  'putBlob',
  'putBlobs',
  'publishDeploy',
  'revertCommit',
  'undoCommits',
  'createCollection',
  'putCollection',
  'deleteCollection',
  'createRecord',
  'putRecord',
  'deleteRecord',
  // Reads with a body.
  'tryRules',
  // Taking rights away from programs, links and browsers must be quick.
  'revokeKey',
  'revokeInvitation',
  'deleteLink',
  'deleteChangeRequestLink',
  'disconnectAgent',
  'endSession',
  'endSessions',
  // Names, and what shows and sends nothing that it did not before.
  'renameMe',
  'renamePasskey',
  'createSite',
  'retryMirror',
  // Signing in and out: each is a proof itself, or takes rights away.
  'signIn',
  'signOut',
  'askPasskey',
  'signInWithPasskey',
  'proveWithPasskey',
  'readInvitation',
  'acceptInvitation',
  // Guests have no session to prove.
  'readReview',
  'commentAsGuest',
]

describe('the acts that need a fresh proof', () => {
  let service: TestService
  let now = new Date()
  let ada: SignedIn

  before(async () => {
    const providers = JSON.stringify([{ id: 'work', issuer: ISSUER, clientId: 'x' }])
    const env = { SIGN_IN_PROVIDERS: providers, MAX_REQUESTS_PER_MINUTE: '0' }
    service = await startOwnService({ clock: () => now, env })
    ada = await signInAs(service, 'owner', { name: 'Ada' })
    await addPasskey(service, ada)
    now = new Date(now.getTime() + HOUR)
  })
  after(() => service.stop())

  const needing = Object.keys(MUST_NEED)

  /** Returns the code of the refusal, if it is one. */
  async function ask(
    route: Route,
    { body, query = '' }: { body?: object; query?: string },
  ): Promise<string | undefined> {
    const path = route.path
      .replace('/sites/{id}', `/sites/${service.site.id}`)
      .replace('{oid}', NO_COMMIT)
      .replace('{version}', '1')
      .replaceAll(/\{\w+\}/g, NOBODYS)
    const answer = await fetch(`${service.origin}/api/v1${path}${query}`, {
      method: route.method.toUpperCase(),
      headers: {
        Cookie: ada.cookie,
        'Sec-Fetch-Site': 'same-origin',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.status < 500, `${route.operationId}: ${answer.status} ${text}`)
    return answer.ok ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code
  }

  it('are these, and every act of the route table is in one of the two lists', () => {
    const acts = ROUTES.filter(({ method }) => method !== 'get').map(({ operationId }) => operationId)
    assert.deepEqual([...needing, ...NEED_NONE].toSorted(), acts.toSorted())
    const column = ROUTES.filter(({ needsProof }) => needsProof !== false).map(({ operationId }) => operationId)
    assert.deepEqual(column.toSorted(), needing.toSorted())
  })

  it('are refused with an old proof, and no other act is', async () => {
    const wrong: string[] = []
    for (const route of KEY_ROUTES) {
      const { operationId } = route
      const must = MUST_NEED[operationId]
      const { query, body } = inputOf(route, true)
      const given = { query, ...(body?.startsWith('{') === true && { body: JSON.parse(body) as object }) }
      const code = await ask(route, must ?? given)
      if ((code === 'fresh_proof_required') !== (must !== undefined)) wrong.push(`${operationId}: ${code}`)
    }
    assert.deepEqual(wrong, [])
    const site = KEY_ROUTES.find(({ operationId }) => operationId === 'updateSite')
    assert.ok(site)
    for (const setting of ['publicRepository', 'guestComments'])
      assert.equal(await ask(site, { body: { [setting]: true } }), 'fresh_proof_required')
    assert.equal(await ask(site, { body: { search: false } }), undefined)
  })

  it('are, beside the routes for keys, adding an identity and letting an agent act', async () => {
    const others: readonly OtherEndpoint[] = OTHER_ENDPOINTS
    const open = ROUTES.filter((route): route is OpenRoute => route.caller !== 'key')
    const acts = [
      ...open.filter(({ method }) => method !== 'get').map(({ method, path }) => `${method.toUpperCase()} ${path}`),
      'DELETE /session?everywhere=true',
      'GET /session/provider/{id}',
      'GET /session/provider/{id}?prove',
    ]
    const proven = others.flatMap(({ methods, paths, needsProof }) =>
      needsProof === undefined ? [] : [`${methods[0]} ${paths[0]}${needsProof === true ? '' : `?${needsProof}`}`],
    )
    assert.deepEqual(proven.toSorted(), ['GET /session/provider/{id}?link', 'POST /oauth/consent/{uid}/answer'])
    const wrong: string[] = []
    for (const act of [...acts, ...proven]) {
      const code = await askOther(act)
      if ((code === 'fresh_proof_required') !== proven.includes(act)) wrong.push(`${act}: ${code}`)
    }
    assert.deepEqual(wrong, [])
  })

  async function askOther(act: string): Promise<string | undefined> {
    const [method = '', path = ''] = act.split(' ')
    // Sessions that end are others: the proof is as old.
    const person = method === 'DELETE' ? await agedOwner() : ada
    const browser = new TestBrowser(service, person.cookie)
    if (path.startsWith('/oauth/consent')) {
      const consent = await beginConsent(browser, { clientId: await registerClient(service), verifier: newVerifier() })
      const answered = await browser.ask(`${consent}/answer`, { allow: true, scope: 'read', sites: null })
      return codeIn(await answered.text())
    }
    const answer = await browser.visit(path.replace('{id}', 'work'), {
      method,
      headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: '{"token": "x"}' }),
    })
    const told = answer.status === 303 ? await (await browser.visit('/session/providers')).text() : await answer.text()
    return codeIn(told)
  }

  async function agedOwner(): Promise<SignedIn> {
    const person = await signInAs(service, 'owner')
    await addPasskey(service, person)
    now = new Date(now.getTime() + HOUR)
    return person
  }
})

/** Finds the code of an error, also in what the sign-in screen is told. */
function codeIn(text: string): string | undefined {
  return /"code":"(\w+)"/.exec(text)?.[1]
}
