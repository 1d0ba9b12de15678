import assert from 'node:assert/strict'
import {
  answerConsent,
  beginConsent,
  CALLBACK,
  connectAgent,
  newVerifier,
  postForm,
  registerClient,
  TestBrowser,
  type Tokens,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('codes and tokens of agents in the wrong hands', () => {
  let service: TestService
  let editor: SignedIn

  before(async () => {
    service = await startOwnService()
    editor = await signInAs(service, 'editor')
  })
  after(() => service.stop())

  const base = () => `http://localhost:${service.server.port}`
  const statusOf = async (token: string) => (await service.api(token).get('/pages')).status
  const connect = async () => await connectAgent(service, editor, { resource: `${base()}/api/v1` })
  const refresh = async (fields: Record<string, string>) =>
    await postForm(service, '/oauth/token', { grant_type: 'refresh_token', ...fields })

  async function assertRefused(answer: Response, errors: RegExp): Promise<void> {
    const body = (await answer.json()) as { error: string; error_description?: string; access_token?: string }
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(body.error, errors)
    assert.match(body.error_description ?? '', /\w+ \w+/)
    assert.equal(body.access_token, undefined)
  }

  it('give no token for the other resource', async () => {
    const clientId = await registerClient(service)
    const verifier = newVerifier()
    const browser = new TestBrowser(service, editor.cookie)
    const path = await beginConsent(browser, { clientId, verifier, resource: `${base()}/mcp` })
    const code = (await answerConsent(browser, path, { allow: true, scope: 'write' })).searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier }
    const resource = `${base()}/api/v1`
    await assertRefused(
      await postForm(service, '/oauth/token', { ...form, redirect_uri: CALLBACK, resource }),
      /^invalid_target$/,
    )
    const ofTools = await connectAgent(service, editor)
    const { clientId: client_id, refresh_token: refreshToken } = ofTools
    await assertRefused(await refresh({ client_id, refresh_token: refreshToken, resource }), /^invalid_target$/)
    assert.equal(await statusOf(ofTools.access_token), 401)
  })

  it('give nothing to another client, which does not end the agent', async () => {
    const otherId = await registerClient(service)
    const { access_token: token, refresh_token: refreshToken, clientId } = await connect()
    await assertRefused(await refresh({ client_id: otherId, refresh_token: refreshToken }), /^invalid_grant$/)
    for (const stolen of [token, refreshToken])
      await postForm(service, '/oauth/revoke', { token: stolen, client_id: otherId })
    assert.equal(await statusOf(token), 200)
    assert.equal((await refresh({ client_id: clientId, refresh_token: refreshToken })).status, 200)
  })

  it('give no more than the person allowed', async () => {
    const clientId = await registerClient(service)
    const resource = `${base()}/api/v1`
    const narrow = await connectAgent(service, editor, { clientId, resource, choice: { scope: 'read' } })
    const wider = { client_id: clientId, refresh_token: narrow.refresh_token, scope: 'read propose write' }
    await assertRefused(await refresh(wider), /^invalid_scope$/)
    const answer = await refresh({ client_id: clientId, refresh_token: narrow.refresh_token })
    assert.equal(((await answer.json()) as Tokens).scope, 'read')
  })

  it('are no refresh tokens or access tokens in place of each other', async () => {
    const { access_token: token, refresh_token: refreshToken, clientId, code } = await connect()
    await assertRefused(await refresh({ client_id: clientId, refresh_token: token }), /^invalid_grant$/)
    for (const wrong of [refreshToken, code]) assert.equal(await statusOf(wrong), 401)
  })

  it('come with the name of this service also when the person denies, so that no server is mixed up with another', async () => {
    const clientId = await registerClient(service)
    const browser = new TestBrowser(service, editor.cookie)
    const path = await beginConsent(browser, { clientId, verifier: newVerifier() })
    const { searchParams } = await answerConsent(browser, path, { allow: false })
    assert.deepEqual(
      ['error', 'iss', 'state'].map((name) => searchParams.get(name)),
      ['access_denied', base(), 'a-state'],
    )
  })
})
