import assert from 'node:assert/strict'
import { openIndex } from '../../src/catalog/index/site-index.js'
import { WriteGate } from '../../src/catalog/sqlite/write-gate.js'
import { SiteWalk } from '../../src/indexing/site-walk.js'
import { readSigners } from '../../src/store/disk/signing-key.js'
import { mainThreadMs } from '../analysis/processor-time.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'
import { pushPages } from './push-pages.js'

const PAGES = 2_500
/** A write of another site waits for one transaction at the most. */
const MAX_HOLD_MS = 70

class TimedGate extends WriteGate {
  longestMs = 0

  override hold<T>(transaction: () => T): T {
    const began = mainThreadMs()
    try {
      return super.hold(transaction)
    } finally {
      this.longestMs = Math.max(this.longestMs, mainThreadMs() - began)
    }
  }
}

describe('the index of a push of very many pages in one commit', () => {
  let parts: ServiceParts
  before(async () => {
    parts = await openServiceParts()
    pushPages(parts.gitdir(), PAGES)
  })
  after(() => parts.stop())

  it('is written in short transactions, also while nobody else wants to write', () => {
    const gate = new TimedGate()
    const index = openIndex(parts.dataDir, undefined, { givesWayAt: gate, checkpointPages: 0 })
    const repository = parts.services.store.repositories.open(parts.site)
    const walk = new SiteWalk(repository, index, parts.site, readSigners(parts.dataDir))
    while (!walk.advance());
    walk.close()
    index.close()
    assert.ok(gate.longestMs < MAX_HOLD_MS, `${gate.longestMs} ms`)
  })
})
