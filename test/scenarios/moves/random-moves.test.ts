import assert from 'node:assert/strict'
import { useService } from '../../spec/use-service.js'
import { assertSound } from '../../support/git.js'
import { MovedSite } from './moved-site.js'

const MOVES = 50

describe('a site whose pages and folders move beside writers, reverts and pushes', () => {
  const service = useService()

  for (const [rewrites, seed] of [
    [false, 7],
    [true, 11],
  ] as const)
    it(`has the ids, histories and links of a simple model, ${rewrites ? 'with' : 'without'} rewritten links`, async () => {
      const tenant = await service().inNewWorkspace()
      const site = new MovedSite(tenant, { seed, rewrites })
      await site.fill(14)
      for (let step = 1; site.moves < MOVES; step++) {
        await site.moveBesideWriter()
        if (step % 4 === 0) await site.revert()
        if (step % 9 === 0) await site.push()
        if (step % 10 === 0) await site.assertAsModelled()
      }
      await site.assertAsModelled()
      assert.ok(site.reverts > 2, 'some moves were undone')
      assertSound(tenant.gitdir())
      await tenant.stop()
    })
})
