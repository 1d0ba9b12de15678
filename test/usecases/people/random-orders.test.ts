import assert from 'node:assert/strict'
import { ROUTES } from '../../../src/protocols/api/routes/table.js'
import { STEPS } from '../../support/people/game/steps.js'
import { playOrders } from '../../support/people/game/play-orders.js'

/** Acts on one's own account alone. */
const OF_ONESELF = [
  'removeIdentity',
  'beginPasskey',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'endSession',
  'leaveWorkspace',
]

describe('people who make every call about people against each other', () => {
  it('make all of them', () => {
    const tags = ['People', 'Keys', 'Agents', 'Account']
    const acts = ROUTES.filter(({ method, tag }) => method !== 'get' && tags.includes(tag))
    const missing = acts
      .map(({ operationId }) => operationId)
      .filter((id) => !(id in STEPS) && !OF_ONESELF.includes(id))
    assert.deepEqual(missing, [])
  })

  it('end with no right that nobody who had it gave, in 30 random orders', async () => {
    await playOrders({ first: 1, count: 30 })
  })
})
