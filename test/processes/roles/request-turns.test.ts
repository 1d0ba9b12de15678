import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gate } from '../../../src/admission/gate.js'
import { ruleOf } from '../../../src/admission/gate-rows.js'
import { DEFAULT_SIZES } from '../../../src/admission/row.js'
import { callerOf } from '../../../src/processes/roles/serve-port.js'

/** Counts the requests that come before and after the work of a turn of the event loop. */
const MAX_A_TURN = 16

function requestOf(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

class RequestTurns {
  readonly #gate = new Gate(ruleOf('requests', DEFAULT_SIZES))
  readonly #isTrusted: (address: string) => boolean

  constructor(isTrusted: (address: string) => boolean) {
    this.#isTrusted = isTrusted
  }

  begin(request: IncomingMessage, work: () => unknown): void {
    this.#gate.run(work, () => callerOf(request, this.#isTrusted))
  }
}

describe('requests that come in one turn of the event loop', () => {
  it('are begun a few in a turn, and each in the end', async () => {
    const turns = new RequestTurns(() => false)
    let begun = 0
    for (let sent = 0; sent < 200; sent++) turns.begin(requestOf('192.0.2.1'), () => begun++)
    for (let before = 0; before < 200; before = begun) {
      assert.ok(begun - before <= MAX_A_TURN, `${begun - before} in one turn`)
      await nextTurn()
      assert.ok(begun > before)
    }
    assert.equal(begun, 200)
  })

  const burst = { authorization: 'Bearer burst' }
  const others = {
    'from another address': requestOf('192.0.2.2'),
    'from the same address with another key': requestOf('192.0.2.1', { authorization: 'Bearer other' }),
    'from the same address with a session': requestOf('192.0.2.1', { cookie: 'session=other' }),
  }
  for (const [who, other] of Object.entries(others)) {
    it(`are begun before 200 others where they come last ${who}`, async () => {
      const turns = new RequestTurns(() => false)
      const order: string[] = []
      for (let sent = 0; sent < 200; sent++) turns.begin(requestOf('192.0.2.1', burst), () => order.push('burst'))
      turns.begin(other, () => order.push('other'))
      while (order.length < 201) await nextTurn()
      assert.ok(order.indexOf('other') < MAX_A_TURN, `begun after ${order.indexOf('other')}`)
    })
  }

  it('keep the order of one caller, and later ones do not overtake', async () => {
    const turns = new RequestTurns(() => false)
    const order: number[] = []
    for (let sent = 0; sent < 50; sent++) turns.begin(requestOf('192.0.2.1'), () => order.push(sent))
    await nextTurn()
    for (let sent = 50; sent < 100; sent++) turns.begin(requestOf('192.0.2.1'), () => order.push(sent))
    while (order.length < 100) await nextTurn()
    assert.deepEqual(
      order,
      Array.from({ length: 100 }, (_, number) => number),
    )
  })

  it('are those of the client that a trusted proxy names', async () => {
    const turns = new RequestTurns((address) => address === '127.0.0.1')
    const order: string[] = []
    const from = (client: string) => requestOf('127.0.0.1', { 'x-forwarded-for': client })
    for (let sent = 0; sent < 200; sent++) turns.begin(from('2001:db8::1'), () => order.push('burst'))
    turns.begin(from('2001:db8:0:1::1'), () => order.push('other'))
    while (order.length < 201) await nextTurn()
    assert.ok(order.indexOf('other') < MAX_A_TURN, `begun after ${order.indexOf('other')}`)
  })
})
