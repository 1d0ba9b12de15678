import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Store } from '../../../src/repository/store.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }
const ROUNDS = 20
const VISITS = 20
/** A wait for a torn ref takes 5 ms: the visits of each round would take 100 ms. */
const MAX_ROUND_MS = 50
const MAX_RECOVERY_MS = 1000

describe('a site whose refs/heads/main is empty', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-torn-'))
  const store = new Store({ dataDir, limits: LIMITS })
  const site = { id: randomUUID(), slug: 'demo' }
  const main = join(dataDir, 'demo.git', 'refs', 'heads', 'main')

  before(() => store.writers.createRepository(site, 1_790_000_000))
  after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('does not block the serving thread at each visit, and is served again within a second of its repair', async () => {
    const whole = readFileSync(main)
    writeFileSync(main, '')
    const rounds = Array.from({ length: ROUNDS }, () => {
      const begun = performance.now()
      for (let visit = 0; visit < VISITS; visit += 1) {
        assert.throws(() => store.reader.snapshot(site), { code: 'site_unreadable' })
      }
      return performance.now() - begun
    })
    writeFileSync(main, whole)
    // A busy machine makes some rounds slow, a wait at each visit all of them.
    assert.ok(Math.min(...rounds) < MAX_ROUND_MS, `${VISITS} visits each: ${rounds.map(Math.round).join(' ')} ms`)
    await pause(MAX_RECOVERY_MS)
    store.reader.snapshot(site)
  })
})
