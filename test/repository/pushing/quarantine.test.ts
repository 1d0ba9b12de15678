import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { receivePack } from '../../../src/repository/pushing/quarantine.js'
import { withSite } from '../../git/scratch-repository.js'
import { killProcesses } from '../../programs/processes.js'
import { PATIENCE_MS, within } from '../../support/within.js'

describe('a push that is received', () => {
  it('is refused as retryable if another process kills git, and leaves nothing behind', async () => {
    await withSite({ 'index.html': 'x' }, async (gitdir) => {
      const kill = new AbortController()
      const source = async function* () {
        yield Buffer.from('PACK')
        await once(kill.signal, 'abort')
      }
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const received = receivePack(gitdir, source(), {
        maxBytes: 1e6,
        maxFileBytes: 1e6,
        checkSpace: () => undefined,
        signal,
      })
      const killed = within(PATIENCE_MS, () => {
        killProcesses(new RegExp(`${gitdir} .*index-pack`))
        kill.abort()
      })
      await assert.rejects(received, { code: 'service_busy' })
      await killed
      assert.deepEqual(
        readdirSync(join(gitdir, 'palimpsest')).filter((name) => name.startsWith('push-')),
        [],
      )
    })
  })
})
