import assert from 'node:assert/strict'
import { array, assert as assertProperty, asyncProperty, integer, property, string, uint8Array } from 'fast-check'
import { FLUSH_PKT, MalformedPktLine, pktLine, PktLineReader, pktLines } from '../../../src/git/wire/pkt-lines.js'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('pkt-lines', () => {
  it('encode many texts like each text alone, in any script', () => {
    assertProperty(
      property(array(string({ unit: 'grapheme' })), (texts) => {
        assert.deepEqual(pktLines(texts), Buffer.concat(texts.map(pktLine)))
      }),
    )
  })

  it('are read as they were written, with the bytes after them, for any chunks of the stream', async () => {
    const payloads = array(uint8Array({ maxLength: 300 }), { maxLength: 8 })
    await assertProperty(
      asyncProperty(payloads, uint8Array({ maxLength: 100 }), integer({ min: 1, max: 50 }), async (sent, tail, cut) => {
        const bytes = Buffer.concat([
          ...sent.map((payload) => pktLine(Buffer.from(payload))),
          FLUSH_PKT,
          Buffer.from(tail),
        ])
        const reader = new PktLineReader(inChunks(bytes, cut))
        for (const payload of sent) assert.deepEqual(await reader.next(), Buffer.from(payload))
        assert.equal(await reader.next(), 'flush')
        const rest: Buffer[] = []
        for await (const chunk of reader.rest()) rest.push(chunk)
        assert.deepEqual(Buffer.concat(rest), Buffer.from(tail))
      }),
      { numRuns: 50 },
    )
  })

  it('are skipped as far as they have arrived, for any chunks of the stream, and no other packet with them', async () => {
    const payloads = array(uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 20 })
    await assertProperty(
      asyncProperty(payloads, integer({ min: 1, max: 400 }), async (sent, cut) => {
        const bytes = Buffer.concat([...sent.map((payload) => pktLine(Buffer.from(payload))), FLUSH_PKT, FLUSH_PKT])
        const reader = new PktLineReader(inChunks(bytes, cut))
        let passed = 0
        for (; (await reader.next()) !== 'flush'; passed++) passed += reader.skipHeld()
        assert.deepEqual([passed, reader.skipHeld(), await reader.next()], [sent.length, 0, 'flush'])
      }),
      { numRuns: 50 },
    )
  })

  it('are not skipped if one has no length', async () => {
    const reader = new PktLineReader(inChunks(Buffer.from('0005azzzz'), 9))
    await reader.next()
    assert.throws(() => reader.skipHeld(), MalformedPktLine)
  })

  for (const [what, text] of [
    ['no length', 'zzzz'],
    ['a length that no pkt-line has', '0003'],
    ['a length past the longest', 'fff5'],
    ['a payload that is cut short', '0010abc'],
    ['a length that is cut short', '00'],
  ] as const)
    it(`are refused with ${what}`, async () => {
      const reader = new PktLineReader(inChunks(Buffer.from(text), 2))
      await assert.rejects(reader.next(), MalformedPktLine)
    })

  it('refuse a payload that does not fit into one', () => {
    assert.throws(() => pktLine(Buffer.alloc(65_517)), MalformedPktLine)
    assert.equal(pktLine(Buffer.alloc(65_516)).length, 65_520)
  })
})
