import assert from 'node:assert/strict'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'
import { authorizeUrl, exchange, newVerifier, registerClient, type Tokens } from '../../support/people/connect-agent.js'
import { signInAsOwner } from '../owner.js'
import { endProcesses, serve } from '../serve-process.js'

/** Words with which Node and libraries warn on the console. */
const WARNING = /warn|unsupported|experimental|deprecat|oidc/i

describe('a service to which an agent is connected', () => {
  const makeFolder = useTemporaryFolders()
  afterEach(endProcesses)

  it('prints no warning of Node or a library, at the start and at the requests of the agent', async () => {
    const dataDir = makeFolder()
    const served = await serve({ dataDir })
    assert.equal(served.logged(), '')
    assert.doesNotMatch(served.printed(), WARNING)
    const atStart = served.printed()

    const owner = await signInAsOwner(served.port, dataDir)
    const clientId = await registerClient({ server: served })
    const verifier = newVerifier()
    const resource = `${owner.origin}/api/v1`
    const back = await owner.allow(owner.origin + authorizeUrl({ clientId, verifier, resource }))
    const code = back.searchParams.get('code') ?? ''
    const answer = await exchange({ server: served }, { clientId, verifier, code })
    const { access_token: token } = (await answer.json()) as Tokens
    const me = await fetch(`${resource}/me`, { headers: { Authorization: `Bearer ${token}` } })
    assert.equal(me.status, 200)

    served.signal('SIGTERM')
    assert.deepEqual(await served.ended, { code: 0, signal: null })
    assert.equal(served.logged(), '')
    assert.equal(served.printed(), atStart)
  })
})
