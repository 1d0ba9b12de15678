import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LONG_WORK_NICENESS } from '../../src/threads/giving-way.js'
import { nicenessOfThread } from './niceness-of-thread.js'

describe('a thread with long work', () => {
  const itOnLinux = process.platform === 'linux' ? it : () => undefined
  itOnLinux('gives way to the other threads of its process, which keep their priority', async () => {
    const before = nicenessOfThread()
    const thread = new Worker(new URL('./lower-thread.js', import.meta.url))
    const [niceness] = (await once(thread, 'message')) as [number]
    assert.deepEqual({ niceness, here: nicenessOfThread() }, { niceness: LONG_WORK_NICENESS, here: before })
  })
})
