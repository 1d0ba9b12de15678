import { playOrders } from '../../support/people/game/play-orders.js'

const FIRST = 1_000
const COUNT = 200
const TIMES = 10

describe('people who make every call about people against each other, for long', () => {
  for (let first = FIRST; first < FIRST + TIMES * COUNT; first += COUNT) {
    it(`end with no right that nobody who had it gave, in ${COUNT} random orders from ${first} on`, async () => {
      await playOrders({ first, count: COUNT })
    })
  }
})
