import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '../../../src/store/store.js'

const LIMITS = { writerThreads: 1, queueWrites: 8, queueBytes: 1 << 20, diskReserveBytes: 0 }
const VISITS = 400
/** Who waits for a torn ref waits 5 ms: the visits would take two seconds. */
const MAX_VISITS_MS = 1500
const MAX_RECOVERY_MS = 1000

describe('a site whose refs/heads/main is empty', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-torn-'))
  const store = new Store({ dataDir, limits: LIMITS })
  const site = { id: randomUUID(), slug: 'demo' }
  const main = join(dataDir, 'demo.git', 'refs', 'heads', 'main')

  before(() => store.createSite(site, 1_790_000_000))
  after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  // A second try where a busy machine misses the bound of time.
  it('does not hold up the serving thread at each visit, and is served again within a second of its repair', async () => {
    const whole = readFileSync(main)
    writeFileSync(main, '')
    const begun = performance.now()
    for (let visit = 0; visit < VISITS; visit += 1) {
      assert.throws(() => store.snapshot(site), { code: 'site_unreadable' })
    }
    const took = performance.now() - begun
    writeFileSync(main, whole)
    assert.ok(took < MAX_VISITS_MS, `${VISITS} visits took ${took} ms`)
    for (const deadline = performance.now() + MAX_RECOVERY_MS; ; ) {
      try {
        return void store.snapshot(site)
      } catch (error) {
        if (performance.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }).retries(1)
})
