import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { PATIENCE_MS } from '../../support/within.js'
import { WriteGate } from '../../../src/catalog/sqlite/write-gate.js'

const WRITE_GATE = new URL('../../../src/catalog/sqlite/write-gate.js', import.meta.url).href

/** Announces a write, says so, and writes a moment later. */
const WRITER = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData.url).then(({ WriteGate }) => {
    const gate = new WriteGate(workerData.memory)
    const done = gate.announce()
    parentPort.postMessage('announced')
    setTimeout(() => gate.writeFirst(() => undefined), 20)
    setTimeout(done, 25)
  })
`

describe('the gate of the index', () => {
  it('lets a write of another thread that was announced come before a transaction of long work', async () => {
    const gate = new WriteGate(undefined, PATIENCE_MS)
    const writer = new Worker(WRITER, { eval: true, workerData: { url: WRITE_GATE, memory: gate.memory } })
    await once(writer, 'message')
    const finished = gate.hold(() => [gate.finished, gate.isHeld])
    assert.deepEqual(finished, [1, true])
    assert.equal(gate.isHeld, false)
    await writer.terminate()
  })

  it('holds a transaction of long work back for no more than a moment where the writer has gone', () => {
    const gate = new WriteGate()
    gate.announce()
    assert.equal(
      gate.hold(() => 'run'),
      'run',
    )
  })
})
