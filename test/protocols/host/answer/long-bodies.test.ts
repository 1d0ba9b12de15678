import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, describe, it } from 'mocha'
import type { Socket } from 'node:net'
import { Hosting } from '../hosting.js'

const MEBIBYTE = 1024 * 1024
/** Above it, since a header section comes with the first piece. */
const MAX_STEP = MEBIBYTE + 4096
const LONG = Buffer.alloc(10 * MEBIBYTE + 5, 'a long page ')

describe('a file of many mebibytes', () => {
  const hosting = new Hosting({ cacheBytes: 128 * MEBIBYTE })
  before(async () => {
    await hosting.createSite('demo', { 'long.bin': LONG })
    await hosting.start()
  })
  after(() => hosting.stop())

  for (const [what, headers, bytes] of [
    ['whole, read from the repository', {}, LONG],
    ['whole, from memory', {}, LONG],
    ['in a range', { Range: 'bytes=7-9000000' }, LONG.subarray(7, 9_000_001)],
  ] as const) {
    it(`is sent one mebibyte for each turn, so that others are served in between: ${what}`, async () => {
      const sockets: Socket[] = []
      const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
      subscribe('net.server.socket', note)
      const steps: number[] = []
      let given = 0
      let isOver = false
      const lookEachTurn = () => {
        const now = Math.max(0, ...sockets.map(({ bytesWritten }) => bytesWritten))
        if (now > given) steps.push(now - given)
        given = now
        if (!isOver) setImmediate(lookEachTurn)
      }
      lookEachTurn()
      const answer = await hosting.ask('demo', '/long.bin', headers)
      isOver = true
      unsubscribe('net.server.socket', note)
      assert.ok(answer.body.equals(bytes))
      assert.ok(given > bytes.length, `${given} bytes were seen`)
      assert.ok(Math.max(...steps) <= MAX_STEP, `${Math.max(...steps)} bytes in one turn`)
    })
  }
})
