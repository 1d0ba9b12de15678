// The most that `palimpsest clone` takes.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_CLONE_BYTES } from '../../../src/cli/clone/http-client.js'
import { runCommand } from '../../scenarios/commands.js'
import { offerEndless } from './endless-repository.js'

describe('a clone without git', () => {
  it('ends above 256 MiB, names git, and leaves nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-large-clone-'))
    const endless = await offerEndless(2 * MAX_CLONE_BYTES)
    try {
      const env = { PATH: process.env['PATH'], HOME: folder, BASE_URL: endless.origin }
      const { code, stderr } = await runCommand({ args: ['clone', 'demo'], cwd: folder, env })
      assert.equal(code, 2)
      const { origin } = endless
      assert.match(stderr, new RegExp(`more than 256 MiB\\. git can clone it: git clone ${origin}/git/demo\\.git`))
      assert.ok(!existsSync(join(folder, 'demo')))
    } finally {
      endless.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
