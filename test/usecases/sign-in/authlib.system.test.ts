import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../../servers/ports.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'
import { Visitor } from '../../support/people/visitor.js'

const PROGRAM = 'test/usecases/sign-in/by-authlib.py'
/** The dashboard leads a person who proves again. */
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }
const CLIENT = { clientId: 'palimpsest', clientSecret: 'a secret of both' }

// Needs Debian's python3-authlib and python3-flask.
describe('a provider made with Authlib', () => {
  let provider: ChildProcess
  let desk: SignInService

  before(async () => {
    const port = await freePort()
    provider = spawn('/usr/bin/python3', [PROGRAM], {
      env: {
        ...process.env,
        REDIRECT_URI: `http://localhost:${port}/session/callback/authlib`,
        AUTHLIB_INSECURE_TRANSPORT: '1',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    assert.ok(provider.stdout)
    const [line] = (await once(createInterface(provider.stdout), 'line')) as [string]
    const roles = { editors: { role: 'editor' } }
    const settings = { id: 'authlib', issuer: `http://127.0.0.1:${line}`, ...CLIENT, roleClaim: 'realm.roles', roles }
    desk = await startSignInService([settings], { env: { PORT: String(port) } })
  })
  after(async () => {
    await desk.service.stop()
    provider.kill()
  })

  it('lets a person in with the role of a nested claim, and the address that it verified', async () => {
    const visitor = new Visitor()
    assert.equal((await desk.enter(visitor, 'authlib', '?to=/keys')).url, desk.at('/keys'))
    const me = await desk.ask(visitor, '/api/v1/me')
    assert.deepEqual([me.body.data.key.label, me.body.data.scopes], ['Ada by Authlib', ['read', 'write']])
    const [identity] = (await desk.ask(visitor, '/api/v1/me/identities')).body.data
    assert.equal(identity.email, 'ada@example.org')
  })

  it('proves again who the person is', async () => {
    const visitor = new Visitor()
    await desk.enter(visitor, 'authlib')
    assert.equal((await desk.enter(visitor, 'authlib', '?prove=1&to=/keys', OWN_PAGE)).url, desk.at('/keys'))
  })

  it('takes no code twice, and none with another verifier', async () => {
    const isBack = (url: string) => url.includes('/session/callback/')
    const [one, two] = [new Visitor(), new Visitor()]
    const back = await one.go(desk.at('/session/provider/authlib'), { until: isBack })
    const other = new URL((await two.go(desk.at('/session/provider/authlib'), { until: isBack })).url)
    other.searchParams.set('code', new URL(back.url).searchParams.get('code') ?? '')
    assert.equal((await two.go(other.href)).url, desk.at('/sign-in'))
    assert.equal((await desk.problem(two))?.code, 'sign_in_refused')
  })
})
