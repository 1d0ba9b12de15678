import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, it } from 'mocha'
import { streamBlob } from '../../../../src/protocols/host/answer/blob-stream.js'

describe('a blob streamed to a visitor', () => {
  /** Yields the pieces; throws the error that stands for one. */
  async function* pieces(...given: (string | Error)[]): AsyncGenerator<Buffer> {
    for (const piece of given) {
      await setImmediate()
      if (piece instanceof Error) throw piece
      yield Buffer.from(piece)
    }
  }

  it('arrives completely, begins once, and ends its destination', async () => {
    const to = new PassThrough()
    let begun = 0
    const [bytes] = await Promise.all([buffer(to), streamBlob(pieces('by', 'tes'), to, () => void begun++)])
    assert.deepEqual([bytes.toString(), begun], ['bytes', 1])
  })

  it('does not begin if its first bytes cannot be read', async () => {
    const to = new PassThrough()
    await assert.rejects(
      streamBlob(pieces(new Error('no')), to, () => assert.fail('begun')),
      /no/,
    )
    assert.equal(to.destroyed, false)
  })

  it('destroys its destination if it fails later, so that a part is not taken for the whole', async () => {
    const to = new PassThrough()
    await assert.rejects(
      streamBlob(pieces('by', new Error('no')), to, () => undefined),
      /no/,
    )
    assert.deepEqual([to.destroyed, to.writableEnded], [true, false])
  })

  it('ends without an error if the reader disconnects, before it begins and after', async () => {
    const early = new PassThrough()
    early.destroy()
    await streamBlob(pieces('bytes'), early, () => assert.fail('begun'))
    const late = new PassThrough()
    await streamBlob(pieces('by', 'tes'), late, () => void late.destroy())
    assert.equal(late.writableEnded, false)
  })
})
