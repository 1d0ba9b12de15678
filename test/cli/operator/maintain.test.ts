import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('palimpsest maintain', () => {
  let service: TestService

  before(async () => {
    service = await startTestService('maintained')
  })
  after(() => service.stop())

  it('names a site where git gc is running, skips it, and fails', async () => {
    const gc = spawn('sleep', ['60'])
    await once(gc, 'spawn')
    try {
      writeFileSync(join(service.gitdir(), 'gc.pid'), `${gc.pid} ${hostname()}`)
      const { code, stderr } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'maintain', 'maintained')
      assert.equal(code, 1)
      assert.match(stderr, /maintained skipped: git gc or another maintenance is running there/)
      assert.match(stderr, /0 of 1 sites maintained/)
    } finally {
      gc.kill()
    }
  })
})
