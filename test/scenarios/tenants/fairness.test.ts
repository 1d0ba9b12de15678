import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { startTestService, type TestService } from '../../support/service.js'

const GREEDY_REQUESTS = 60

describe('two workspaces at one service', function () {
  this.timeout(60_000)
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

  /** Resolves with the status when the answer has been read. */
  const ask = (path: string, key: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${key}` }
      get(`${service.origin}/api/v1${path}`, { agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      }).once('error', reject)
    })

  // A second try where a busy machine misses the bound of time.
  it('are served in turns: one that floods the API does not hold up a single request of the other', async () => {
    const flood = () => Array.from({ length: GREEDY_REQUESTS }, () => ask('/pages?limit=500', service.key))
    // The first flood uses up the budget, and leaves open connections.
    await Promise.all([...flood(), ask('/me', modest)])
    const begun = performance.now()
    const greedy = Promise.all(flood())
    // Sent last of all.
    assert.equal(await ask('/me', modest), 200)
    const waited = performance.now() - begun
    assert.deepEqual(new Set(await greedy), new Set([200]))
    const flooded = performance.now() - begun
    assert.ok(waited < flooded / 3, `waited ${Math.round(waited)} of ${Math.round(flooded)} ms`)
  }).retries(1)
})
