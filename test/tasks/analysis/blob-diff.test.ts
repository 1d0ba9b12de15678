import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { diffBlobs } from '../../../src/tasks/analysis/blob-diff.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, type ServiceParts } from '../../usecases/service-parts.js'

describe('the difference of two blobs', () => {
  let parts: ServiceParts
  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  it('is undefined if they are too long together, which is known before they are read', async () => {
    await withClone(parts.gitdir(), (folder) => {
      writeFileSync(join(folder, 'long.txt'), 'x\n'.repeat(3 * 1024 * 1024))
      git(folder, 'add', '-A')
      git(folder, 'commit', '-q', '-m', 'A long file')
      git(folder, 'push', '-q')
    })
    await parts.untilSeen()
    const snapshot = parts.services.store.reader.snapshot(parts.site)
    const long = { name: 'long', oid: snapshot.entry('long.txt')?.oid ?? null }
    assert.notEqual(long.oid, null)
    const none = { name: 'none', oid: null }
    assert.equal(diffBlobs(snapshot, long, none), undefined)
    assert.deepEqual(diffBlobs(snapshot, none, none)?.hunks, [])
  })
})
