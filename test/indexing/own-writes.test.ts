import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createPage, getPage } from '../../src/usecases/pages/pages.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'
import { until } from '../support/within.js'
import type { HoldData } from './hold-index.js'

describe('a write while another thread is in a long transaction of the index', () => {
  let parts: ServiceParts

  before(async () => {
    parts = await openServiceParts()
    await createPage(parts.services, parts.context(), { path: '/first', html: 'first' })
  })
  after(() => parts.stop())

  it('is answered as it was made, and holds up nobody meanwhile', async () => {
    const { dataDir, writeGate, indexer } = parts
    let catchUps = 0
    const bringToHead = indexer.bringToHead.bind(indexer)
    indexer.bringToHead = (site) => {
      catchUps += 1
      return bringToHead(site)
    }
    const isOver = new Int32Array(new SharedArrayBuffer(4))
    const workerData: HoldData = { dataDir, writeGateMemory: writeGate.memory, isOver }
    const holder = new Worker(new URL('./hold-index.js', import.meta.url), { workerData })
    await once(holder, 'message')
    const head = () => readFileSync(join(parts.gitdir(), 'refs/heads/main'), 'utf8')
    const before = head()
    const writing = createPage(parts.services, parts.context(), { path: '/second', html: 'second' })
    // The transaction ends only once main has moved and this thread goes on: a write that stands still for it waits for ever.
    await until(head, (now) => now !== before)
    await pause(300)
    Atomics.store(isOver, 0, 1)
    Atomics.notify(isOver, 0)
    await once(holder, 'exit')
    const { data } = await writing
    assert.deepEqual([data.path, data.version.number], ['/second', 1])
    // It may have much to do before it.
    assert.equal(catchUps, 0, 'the write waited for the indexer')
    assert.equal((await getPage(parts.services, parts.context(), { id: data.id })).data.html, 'second')
  })
})
