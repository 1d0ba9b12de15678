import assert from 'node:assert/strict'
import { FormCheck } from '../../../../src/store/disk/checks/form-check.js'
import { inspectRepository } from '../../../../src/store/disk/checks/inspect-repository.js'
import { withSite } from '../../../git/scratch-repository.js'

const SITE_ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'
const CHECKS = 8

describe('the inspection of a repository', () => {
  it('lets requests be served between its checks', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir) => {
      let turns = 0
      let isOver = false
      const count = () => {
        turns += 1
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      assert.deepEqual(await inspectRepository(gitdir, SITE_ID, new FormCheck()), [])
      isOver = true
      assert.ok(turns >= CHECKS, `${turns} turns of the event loop`)
    })
  })
})
