import assert from 'node:assert/strict'
import { hashKey } from '../../../src/model/key-format.js'
import { connectAgent, postForm, type Tokens } from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

type Connected = Tokens & { clientId: string }

describe('a refresh token', () => {
  let service: TestService
  let editor: SignedIn
  const start = Date.now()
  let secondsOn = 0

  before(async () => {
    service = await startOwnService({ clock: () => new Date(start + secondsOn * 1000) })
    editor = await signInAs(service, 'editor')
  })
  beforeEach(() => {
    secondsOn = 0
  })
  after(() => service.stop())

  const connect = async (person = editor) =>
    await connectAgent(service, person, { resource: `http://localhost:${service.server.port}/api/v1` })
  const use = async ({ clientId }: Connected, token: string) =>
    await postForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  const tokensOf = async (agent: Connected, token: string): Promise<Tokens> => {
    const answer = await use(agent, token)
    const tokens = (await answer.json()) as Tokens
    assert.equal(answer.status, 200, JSON.stringify(tokens))
    return tokens
  }
  const statusOf = async ({ access_token: token }: Tokens) => (await service.api(token).get('/pages')).status
  async function assertEnded(agent: Connected, used: string, others: readonly Tokens[]): Promise<void> {
    const answer = await use(agent, used)
    assert.equal(answer.status, 400)
    assert.equal(((await answer.json()) as { error: string }).error, 'invalid_grant')
    for (const tokens of [agent, ...others]) {
      assert.equal(await statusOf(tokens), 401)
      assert.equal((await use(agent, tokens.refresh_token)).status, 400)
    }
  }

  it('gives a new one each time', async () => {
    const agent = await connect()
    const second = await tokensOf(agent, agent.refresh_token)
    const third = await tokensOf(agent, second.refresh_token)
    assert.equal(new Set([agent, second, third].map((tokens) => tokens.refresh_token)).size, 3)
    assert.equal(await statusOf(third), 200)
  })

  it('gives the same successor again within a minute, and ends nothing', async () => {
    const agent = await connect()
    const first = await tokensOf(agent, agent.refresh_token)
    secondsOn = 59
    const again = await tokensOf(agent, agent.refresh_token)
    assert.equal(again.refresh_token, first.refresh_token)
    for (const tokens of [first, again]) assert.equal(await statusOf(tokens), 200)
    const next = await tokensOf(agent, first.refresh_token)
    assert.equal((await tokensOf(agent, again.refresh_token)).refresh_token, next.refresh_token)
  })

  it('gives the same successor to requests of the same moment', async () => {
    const agent = await connect()
    const all = await Promise.all(Array.from({ length: 8 }, () => tokensOf(agent, agent.refresh_token)))
    assert.equal(new Set(all.map((tokens) => tokens.refresh_token)).size, 1)
    for (const tokens of all) assert.equal(await statusOf(tokens), 200)
    assert.equal(await statusOf(await tokensOf(agent, all[0]?.refresh_token ?? '')), 200)
  })

  it('ends the agent when it is used more than a minute after its first use, however often it was used before', async () => {
    const agent = await connect()
    const answers: Tokens[] = []
    for (const at of [0, 30, 59]) {
      secondsOn = at
      answers.push(await tokensOf(agent, agent.refresh_token))
    }
    secondsOn = 61
    await assertEnded(agent, agent.refresh_token, answers)
  })

  it('ends the agent when a thief uses it after its program has gone on', async () => {
    const agent = await connect()
    const second = await tokensOf(agent, agent.refresh_token)
    secondsOn = 3_000
    const stolen = await tokensOf(agent, second.refresh_token)
    secondsOn = 3_600
    await assertEnded(agent, second.refresh_token, [stolen])
  })

  it('keeps the successor that it gave after that one was used', async () => {
    const agent = await connect()
    const second = await tokensOf(agent, agent.refresh_token)
    const third = await tokensOf(agent, second.refresh_token)
    assert.equal((await tokensOf(agent, agent.refresh_token)).refresh_token, second.refresh_token)
    assert.equal((await tokensOf(agent, second.refresh_token)).refresh_token, third.refresh_token)
    secondsOn = 120
    await assertEnded(agent, second.refresh_token, [third])
  })

  it('of an agent that was disconnected gives nothing, also within the minute', async () => {
    const person = await signInAs(service, 'editor')
    const agent = await connect(person)
    const second = await tokensOf(agent, agent.refresh_token)
    const [listed] = (await person.send('get', '/agents').expect(200)).body.data
    await person.send('delete', `/agents/${listed.id}`).expect(200)
    for (const token of [agent.refresh_token, second.refresh_token]) assert.equal((await use(agent, token)).status, 400)
  })

  it('cannot be computed from the catalog', async () => {
    const agent = await connect()
    const { oauthItems } = service.server.service.services.catalog
    const name = (id: string) => ({ kind: 'RefreshToken', id, hash: hashKey(id) })
    const stored = oauthItems.find(name(agent.refresh_token))?.payload ?? {}
    const second = await tokensOf(agent, agent.refresh_token)
    assert.equal(JSON.stringify(stored).includes(second.refresh_token), false)
    assert.notEqual(stored['rotation'], undefined)
    assert.notEqual(stored['rotation'], oauthItems.find(name(second.refresh_token))?.payload['rotation'])
  })
})
