// A thread that lowers its priority, and says what it has then.

import { parentPort } from 'node:worker_threads'
import { LONG_WORK_NICENESS, lowerThread } from '../../src/threads/giving-way.js'
import { nicenessOfThread } from './niceness-of-thread.js'

lowerThread(LONG_WORK_NICENESS)
parentPort?.postMessage(nicenessOfThread())
