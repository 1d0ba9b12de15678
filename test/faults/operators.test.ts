import assert from 'node:assert/strict'
import { operateBeside } from './operators.js'
import type { Report } from './program.js'

describe('an operator beside busy writers', function () {
  this.timeout(60_000)

  it('pushes, packs, prunes, clones and reverts: nothing is lost on either side and no read fails', async () => {
    const wrong: string[] = []
    let acknowledged = 0
    const report: Report = {
      begin: () => undefined,
      acknowledge: (writes = 1) => (acknowledged += writes),
      lose: (what) => wrong.push(`lost: ${what}`),
      violate: (what) => wrong.push(what),
    }
    const tries = await operateBeside({ rounds: 1, writers: 2, visitors: 1 }, report)
    assert.deepEqual(wrong, [])
    assert.ok(acknowledged > 10, String(acknowledged))
    assert.equal(
      Object.values(tries).reduce((sum, count) => sum + count, 0),
      2,
    )
  })
})
