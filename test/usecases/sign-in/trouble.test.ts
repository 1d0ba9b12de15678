import assert from 'node:assert/strict'
import { type Faults, type HostileProvider, startHostileProvider } from '../../support/people/hostile-provider.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'
import { Visitor } from '../../support/people/visitor.js'

const METADATA = '/.well-known/openid-configuration'
const WRONG = { status: 200, body: 'no JSON' }
const BROKEN = { status: 502, body: '{}' }

describe('an identity provider in trouble', () => {
  let provider: HostileProvider
  let desk: SignInService

  beforeEach(async () => {
    provider = await startHostileProvider('troubled')
    const roles = { roleClaim: 'groups', roles: { staff: { role: 'editor' } } }
    desk = await startSignInService([{ ...provider.settings, ...roles }])
  })
  afterEach(async () => {
    await desk.service.stop()
    await provider.stop()
  })

  async function codeWith(faults: Faults): Promise<string | undefined> {
    provider.faults = faults
    const visitor = new Visitor()
    const landed = await desk.enter(visitor, 'troubled')
    assert.deepEqual([landed.url, landed.status], [desk.at('/sign-in'), 200])
    const problem = await desk.problem(visitor)
    assert.match(problem?.message ?? '', /troubled/)
    return problem?.code
  }

  async function succeeds(): Promise<void> {
    provider.faults = {}
    assert.equal((await desk.enter(new Visitor(), 'troubled')).url, desk.at('/'))
  }

  it('that is down at the start does not stop the service, and works once it is back', async () => {
    assert.equal(await codeWith({ at: { [METADATA]: BROKEN } }), 'identity_provider_down')
    await succeeds()
  })

  it('that is down on the way back says so, and the next try works', async () => {
    for (const path of ['/token', '/jwks', '/userinfo'])
      assert.equal(await codeWith({ at: { [path]: BROKEN } }), 'identity_provider_down', path)
    await succeeds()
  })

  it('that gives no answer counts as down after five seconds', async function () {
    this.timeout(60_000)
    assert.equal(await codeWith({ at: { [METADATA]: false } }), 'identity_provider_down')
    assert.equal(await codeWith({ at: { '/token': false } }), 'identity_provider_down')
    await succeeds()
  })

  it('that is not there at all counts as down', async () => {
    await provider.stop()
    const visitor = new Visitor()
    assert.equal((await desk.enter(visitor, 'troubled')).url, desk.at('/sign-in'))
    assert.equal((await desk.problem(visitor))?.code, 'identity_provider_down')
  })

  it('about which too many people are asked at once is not asked about one more', async () => {
    const gate = desk.service.server.service.services.admission.gate('sign-ins')
    const places = []
    for (let place = gate.tryEnter('troubled'); place !== undefined; place = gate.tryEnter('troubled'))
      places.push(place)
    const visitor = new Visitor()
    assert.equal((await desk.enter(visitor, 'troubled')).url, desk.at('/sign-in'))
    const problem = await desk.problem(visitor)
    assert.deepEqual([places.length, problem?.code], [16, 'identity_provider_down'])
    assert.match(problem?.message ?? '', /^Too many people sign in/)
    for (const leave of places) leave()
    await succeeds()
  })

  it('that answers nonsense is not believed', async () => {
    assert.equal(await codeWith({ at: { [METADATA]: WRONG } }), 'sign_in_refused')
    assert.equal(await codeWith({ metadata: { issuer: 'https://other.example' } }), 'sign_in_refused')
    assert.equal(await codeWith({ metadata: { authorization_endpoint: undefined } }), 'sign_in_refused')
    await succeeds()
    for (const path of ['/token', '/userinfo'])
      assert.equal(await codeWith({ at: { [path]: WRONG } }), 'sign_in_refused', path)
    for (const body of ['{}', '[]', 'null', '{"access_token":"x","token_type":"Bearer"}', '{"error":"invalid_grant"}'])
      assert.equal(await codeWith({ at: { '/token': { status: 200, body } } }), 'sign_in_refused', body)
    assert.equal(
      await codeWith({ at: { '/token': { status: 400, body: '{"error":"invalid_grant"}' } } }),
      'sign_in_refused',
    )
    assert.equal(
      await codeWith({ at: { '/token': { status: 401, body: '{"error":"invalid_client"}' } } }),
      'sign_in_refused',
    )
  })
})
