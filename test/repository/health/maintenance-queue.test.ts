import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Admission } from '../../../src/admission/admission.js'
import { DEFAULT_SIZES } from '../../../src/admission/row.js'
import { maintainRepository } from '../../../src/repository/disk/maintain.js'
import { MaintenanceQueue } from '../../../src/repository/health/maintenance-queue.js'
import { withSite } from '../../git/scratch-repository.js'
import { assertSound } from '../../support/git.js'

const SITE = { id: 'site-demo', slug: 'demo' }

describe('maintenance', () => {
  it('is ended by a stop of the service, which is no failure', async () => {
    const told: string[] = []
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    const gate = new Admission(DEFAULT_SIZES).gate('maintenance')
    const queue = new MaintenanceQueue({
      gate,
      isDue: () => true,
      // Never ends by itself.
      maintain: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('ended')))
          begun()
        }),
      troubles: { clear: () => told.push('done'), report: () => told.push('failed') },
    })
    queue.request(SITE)
    await hasBegun
    await queue.stop()
    assert.deepEqual(told, [])
    assert.deepEqual(gate.figures, { running: 0, waiting: 0, refused: 0 })
  })

  it('of a repository ends git when it is told to, and can begin again', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir) => {
      const ending = new AbortController()
      const maintained = maintainRepository(gitdir, ending.signal)
      ending.abort()
      await assert.rejects(maintained, { name: 'GitFailed' })
      assert.equal(existsSync(join(gitdir, 'gc.pid')), false)
      assert.equal(await maintainRepository(gitdir), true)
      assertSound(gitdir)
    })
  })
})
