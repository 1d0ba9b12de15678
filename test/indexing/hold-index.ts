// A thread that is in a transaction of the index until it is told to end it, as the indexer is with long work.

import { parentPort, workerData } from 'node:worker_threads'
import { openIndex } from '../../src/catalog/index/site-index.js'
import { WriteGate } from '../../src/catalog/sqlite/write-gate.js'

export interface HoldData {
  dataDir: string
  writeGateMemory: SharedArrayBuffer
  /** Not 0 once the transaction is to end. */
  isOver: Int32Array
}

const { dataDir, writeGateMemory, isOver } = workerData as HoldData
const index = openIndex(dataDir, undefined, { givesWayAt: new WriteGate(writeGateMemory) })
index.together(() => {
  parentPort?.postMessage('held')
  Atomics.wait(isOver, 0, 0)
})
index.close()
