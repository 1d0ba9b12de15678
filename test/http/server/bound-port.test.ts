import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoundPort } from '../../../src/http/server/bound-port.js'

const VISITORS = 1000
/** Turns of the event loop in which nobody came. */
const QUIET_TURNS = 100

describe('a thousand visitors who connect in one instant', () => {
  it('are all let in, and none has to try again', async () => {
    const port = await BoundPort.bind({ port: 0, host: '127.0.0.1' })
    let accepted = 0
    const server = createServer(() => accepted++)
    await port.listen(server)
    const visitors = Array.from({ length: VISITORS }, () => connect(port.number, '127.0.0.1'))
    for (let quiet = 0, before = 0; quiet < QUIET_TURNS; before = accepted) {
      await nextTurn()
      quiet = accepted > before ? 0 : quiet + 1
    }
    for (const visitor of visitors) visitor.destroy()
    server.close()
    assert.equal(accepted, VISITORS)
  })
})
