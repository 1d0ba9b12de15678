import assert from 'node:assert/strict'
import supertest from 'supertest'
import { git } from '../../support/git.js'
import {
  answerConsent,
  beginConsent,
  CALLBACK,
  connectAgent,
  newVerifier,
  postForm,
  registerClient,
  TestBrowser,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('an agent that a person connects by OAuth', () => {
  let service: TestService
  let editor: SignedIn

  before(async () => {
    service = await startOwnService()
    editor = await signInAs(service, 'editor', { name: 'Edda' })
  })
  after(() => service.stop())

  const api = () => ({ resource: `${base()}/api/v1` })
  const base = () => `http://localhost:${service.server.port}`
  const get = (path: string, token: string) => supertest(base()).get(path).auth(token, { type: 'bearer' })
  const publish = (token: string, path: string) =>
    supertest(base()).post('/api/v1/pages').auth(token, { type: 'bearer' }).send({ path, html: '<p>x</p>' })

  it('publishes as its person, with the name of its program', async () => {
    const { access_token: token, scope } = await connectAgent(service, editor, { ...api(), scope: 'write' })
    assert.equal(scope, 'read propose write')
    await publish(token, '/by-agent').expect(201)
    const shown = git(service.gitdir(), 'log', '-1', '--format=%an%n%(trailers:only)', 'main')
    assert.match(shown, /^Edda\n/)
    assert.match(shown, /Test agent/)
  })
})
