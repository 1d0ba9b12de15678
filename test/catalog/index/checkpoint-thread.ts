// A thread that copies the index's log into the file once, as the indexer does.

import { parentPort, workerData } from 'node:worker_threads'
import { openIndex } from '../../../src/catalog/index/site-index.js'

const index = openIndex(workerData as string, undefined, { checkpointPages: 0 })
index.position('any')
parentPort?.once('message', () => {
  index.checkpoint()
  index.close()
})
parentPort?.postMessage('open')
