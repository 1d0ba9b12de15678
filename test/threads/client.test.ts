import assert from 'node:assert/strict'
import { ServiceError } from '../../src/model/errors.js'
import { ThreadClient } from '../../src/threads/client.js'
import type { EchoProtocol } from './echo-thread.js'

describe('a thread client', () => {
  const events: string[] = []
  let client: ThreadClient<EchoProtocol>

  beforeEach(() => {
    events.length = 0
    client = new ThreadClient({
      entry: new URL('echo-thread.js', import.meta.url),
      lost: (cause, request) => new Error(`lost ${JSON.stringify(request)}`, { cause }),
      onEvent: (event) => events.push(event),
    })
  })
  afterEach(() => client.close(new Error('the test is over')))

  it('passes each answer to its request', async () => {
    const words = ['a', 'b', 'c']
    assert.deepEqual(await Promise.all(words.map((say) => client.ask({ say }))), words)
  })

  it('rejects with the ServiceError that the thread answered', async () => {
    await assert.rejects(
      client.ask({ fail: 'no' }),
      (error) => error instanceof ServiceError && error.code === 'conflict' && error.message === 'no',
    )
  })

  it('delivers an event before the answer of the same message', async () => {
    const answer = client.ask({ announce: 'made' }).then(() => [...events])
    assert.deepEqual(await answer, ['made'])
  })

  it('sends messages without an answer before the next request, and starts no thread for them', async () => {
    client.tell({ announce: 'too early' })
    await client.ask({ say: 'start' })
    client.tell({ announce: 'told' })
    await client.ask({ say: 'next' })
    assert.deepEqual(events, ['told'])
  })

  it('rejects every request of a thread that died, and starts another thread for the next', async () => {
    const [died, waiting] = await Promise.allSettled([client.ask({ die: true }), client.ask({ say: 'late' })])
    assert.match(String(died.status === 'rejected' && died.reason), /lost \{"die":true\}/)
    assert.match(String(waiting.status === 'rejected' && waiting.reason), /lost \{"say":"late"\}/)
    assert.equal(await client.ask({ say: 'again' }), 'again')
  })

  it('answers waiting requests while it drains, and refuses later ones', async () => {
    const waiting = client.ask({ say: 'in time' })
    const drained = client.drain(new Error('stopping'))
    await assert.rejects(client.ask({ say: 'too late' }), /stopping/)
    await drained
    assert.equal(await waiting, 'in time')
  })

  it('terminates a thread that hangs, with the given reason, and starts another', async () => {
    const hanging = client.ask({ hang: true })
    await Promise.all([assert.rejects(hanging, /too slow/), client.abort(new Error('too slow'))])
    assert.equal(await client.ask({ say: 'again' }), 'again')
  })
})
