import assert from 'node:assert/strict'
import { plantTrees } from '../programs/hostile-trees.js'

describe('any tree that git accepts', () => {
  it('harms only itself', async () => {
    const wrong: string[] = []
    let cases = 0
    await plantTrees(6, {
      begin: () => void cases++,
      miss: () => undefined,
      acknowledge: () => undefined,
      lose: (what) => wrong.push(what),
      violate: (what) => wrong.push(what),
    })
    assert.deepEqual(wrong, [])
    assert.equal(cases, 6)
  })
})
