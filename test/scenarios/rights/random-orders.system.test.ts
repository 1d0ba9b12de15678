import { playOrders } from '../../support/people/game/play-orders.js'

const ORDERS = 2_000

describe('people who make every call about people against each other, for long', () => {
  it(`end with no right that nobody who had it gave, in ${ORDERS} random orders`, async () => {
    await playOrders({ first: 1_000, count: ORDERS })
  })
})
