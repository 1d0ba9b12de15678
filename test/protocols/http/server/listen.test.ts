import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listen } from '../../../../src/protocols/http/server/http-server.js'

const VISITORS = 1000
/** Turns of the event loop without a new connection. */
const QUIET_TURNS = 100

describe('a thousand visitors who connect at the same moment', () => {
  it('are all accepted, and none has to try again', async () => {
    let accepted = 0
    const server = createServer().on('connection', () => accepted++)
    const port = await listen(server, { port: 0, host: '127.0.0.1' })
    const visitors = Array.from({ length: VISITORS }, () => connect(port, '127.0.0.1'))
    for (let quiet = 0, before = 0; quiet < QUIET_TURNS; before = accepted) {
      await nextTurn()
      quiet = accepted > before ? 0 : quiet + 1
    }
    for (const visitor of visitors) visitor.destroy()
    server.close()
    assert.equal(accepted, VISITORS)
  })
})
