import assert from 'node:assert/strict'
import { pushThroughBoth } from './http-and-path.js'

const SEED = 26

describe('any push', () => {
  it('is accepted or refused over HTTP as by path, for the same reasons, and leaves the same tree', async () => {
    const wrong: string[] = []
    let taken = 0
    const report = {
      begin: () => undefined,
      miss: () => undefined,
      acknowledge: () => void taken++,
      lose: (what: string) => wrong.push(what),
      violate: (what: string) => wrong.push(what),
    }
    await pushThroughBoth(8, report, SEED)
    assert.deepEqual(wrong, [])
    assert.ok(taken > 1 && taken < 8, `${taken} of 8 are taken`)
  })
})
