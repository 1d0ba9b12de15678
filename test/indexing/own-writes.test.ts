import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createPage, getPage } from '../../src/usecases/pages/pages.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'
import type { HoldData } from './hold-index.js'

const HELD_MS = 600
const TICK_MS = 10
/** Of 60: the thread may be slow, and must not stand still. */
const MIN_TICKS = 20

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
    const workerData: HoldData = { dataDir, writeGateMemory: writeGate.memory, milliseconds: HELD_MS }
    const holder = new Worker(new URL('./hold-index.js', import.meta.url), { workerData })
    await once(holder, 'message')
    let ticks = 0
    const tick = setInterval(() => (ticks += 1), TICK_MS)
    const ended = once(holder, 'exit').then(() => clearInterval(tick))
    const { data } = await createPage(parts.services, parts.context(), { path: '/second', html: 'second' })
    await ended
    assert.ok(ticks >= MIN_TICKS, `${ticks} ticks in ${HELD_MS} ms`)
    assert.deepEqual([data.path, data.version.number], ['/second', 1])
    // It may have much to do before it.
    assert.equal(catchUps, 0, 'the write waited for the indexer')
    assert.equal((await getPage(parts.services, parts.context(), { id: data.id })).data.html, 'second')
  })
})
