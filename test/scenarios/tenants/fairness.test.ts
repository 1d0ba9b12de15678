import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { startTestService, type TestService } from '../../support/service.js'

const GREEDY_REQUESTS = 60

describe('two workspaces at one service', () => {
  let service: TestService
  let modest: string
  const agent = new Agent({ keepAlive: true })

  before(async () => {
    service = await startTestService()
    const { services } = service.server.service
    const { workspace } = await services.provisioner.createWorkspace('Modest', 'modest')
    modest = (await service.mint({ workspaceId: workspace.id, scopes: ['read'] })).key
    const operations = Array.from({ length: 500 }, (_, n) => ({ op: 'createPage', path: `/p${n}`, html: 'x' }))
    await service.api().post('/batch').send({ operations }).expect(200)
  })
  after(async () => {
    agent.destroy()
    await service.stop()
  })

  /** Resolves with the status when the answer has been read. A connection that the service closed for its idleness is no answer: it is asked again. */
  const ask = (path: string, key: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${key}` }
      const request = get(`${service.origin}/api/v1${path}`, { agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      })
      request.once('error', (error) => {
        if (request.reusedSocket) resolve(ask(path, key))
        else reject(error)
      })
    })

  it('are served in turns: one that floods the API does not hold up a single request of the other', async () => {
    const flood = () => Array.from({ length: GREEDY_REQUESTS }, () => ask('/pages?limit=500', service.key))
    // The first flood uses up the budget, and leaves open connections.
    await Promise.all([...flood(), ask('/me', modest)])
    let answered = 0
    const greedy = flood().map((answer) => answer.finally(() => (answered += 1)))
    // Sent last of all.
    assert.equal(await ask('/me', modest), 200)
    assert.ok(answered < GREEDY_REQUESTS / 3, `${answered} of ${GREEDY_REQUESTS} came before it`)
    assert.deepEqual(new Set(await Promise.all(greedy)), new Set([200]))
  })
})
