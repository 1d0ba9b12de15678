// A thread that is in a transaction of the index for a while, as the indexer is with long work.

import { parentPort, workerData } from 'node:worker_threads'
import { openIndex } from '../../src/catalog/index/site-index.js'
import { WriteGate } from '../../src/catalog/sqlite/write-gate.js'

export interface HoldData {
  dataDir: string
  writeGateMemory: SharedArrayBuffer
  milliseconds: number
}

const { dataDir, writeGateMemory, milliseconds } = workerData as HoldData
const index = openIndex(dataDir, undefined, { givesWayAt: new WriteGate(writeGateMemory) })
index.together(() => {
  parentPort?.postMessage('held')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
})
index.close()
