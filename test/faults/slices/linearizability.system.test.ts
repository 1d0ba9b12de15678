import assert from 'node:assert/strict'
import { checkLinearizability } from '../programs/linearizability.js'

describe('many clients on a few pages', () => {
  it('see one order of writes, that of the log, even if the service is killed in between', async () => {
    const load = { clients: 8, sites: 2, pages: 3, operations: 240, kills: 1 }
    const { violations, acknowledged, reads, kills } = await checkLinearizability(load)
    assert.deepEqual(violations, [])
    assert.ok(acknowledged >= 40 && reads >= 40 && kills === 1, JSON.stringify({ acknowledged, reads, kills }))
  })
})
