import assert from 'node:assert/strict'
import { inFolder, operateBeside } from '../programs/operators.js'
import type { Report } from '../program.js'

describe('an operator during busy writes', () => {
  it('pushes, packs, prunes, clones and reverts without losing a write on either side or failing a read', async () => {
    const wrong: string[] = []
    let acknowledged = 0
    const report: Report = {
      begin: () => undefined,
      miss: () => undefined,
      acknowledge: (writes = 1) => (acknowledged += writes),
      lose: (what) => wrong.push(`lost: ${what}`),
      // The number of tries and the delay depend on the load of the machine: `npm run faults` judges both.
      violate: (what) => /did not land within/.test(what) || wrong.push(what),
    }
    const load = { sites: 1, rounds: 1, writers: 2, visitors: 1, maxTries: 5, maxLiveMs: 15_000 }
    await inFolder(async (folder) => void (await operateBeside(load, folder, report)))
    assert.deepEqual(wrong, [])
    assert.ok(acknowledged > 0)
  })
})
