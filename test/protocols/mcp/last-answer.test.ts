import assert from 'node:assert/strict'
import { request } from 'node:http'
import { startTestService } from '../../support/service.js'

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_me', arguments: {} } })

describe('the last answer of a connection', () => {
  it('says so for tools too, as a client would send its next request on it otherwise', async () => {
    const service = await startTestService()
    const headers = {
      Authorization: `Bearer ${service.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    const said = await new Promise<string | undefined>((resolve, reject) => {
      const sent = request(`${service.origin}/mcp`, { method: 'POST', headers, agent: false }, (answer) => {
        answer.resume().on('end', () => resolve(answer.headers.connection))
      })
      sent.on('error', reject).end(BODY)
    })
    assert.equal(said, 'close')
    await service.stop()
  })
})
