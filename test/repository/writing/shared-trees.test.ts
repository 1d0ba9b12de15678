import assert from 'node:assert/strict'
import { BatchSite } from './batch-site.js'

/** A folder of so many files is shared with the threads that read. */
const FILES = 2_000

describe('a large folder that a batch changes', () => {
  it('is told to readers once, as it is after the batch, with the folder that it replaces', async () => {
    const site = new BatchSite()
    try {
      const names = Array.from({ length: FILES }, (_, at) => [`docs/${String(at).padStart(4, '0')}.txt`, 'a'] as const)
      await site.write(await site.deploy(Object.fromEntries(names)))
      site.takeSharedTrees()
      const before = site.oidAt('docs')
      await site.write(site.putFile('docs/0001.txt', 'b'), site.putFile('docs/0002.txt', 'b'))
      const told = site.takeSharedTrees().map(({ oid, previous }) => ({ oid, previous }))
      assert.deepEqual(told, [{ oid: site.oidAt('docs'), previous: before }])
    } finally {
      site.close()
    }
  })
})
