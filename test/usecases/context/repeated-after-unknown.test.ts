// A request that is repeated after a failure of the disk, which left a commit in main that might not survive a power cut.

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createPage } from '../../../src/usecases/pages/pages.js'
import { git } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('a repeated request whose commit is found in main', () => {
  const { PATH } = process.env
  let folder: string
  let parts: ServiceParts

  /** sync(1) fails while there is a file `broken`. Threads have the environment that they begin with. */
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-unknown-'))
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin', 'sync'), `#!/bin/sh\n[ ! -e '${folder}/broken' ]\n`)
    chmodSync(join(folder, 'bin', 'sync'), 0o755)
    process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${PATH}`
    parts = await openServiceParts()
  })
  after(async () => {
    process.env['PATH'] = PATH
    await parts.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is answered with success only once main survives a power cut', async () => {
    const create = () => createPage(parts.call({ idempotencyKey: 'k' }), { path: '/a', html: 'a' })
    const first = await create()
    // Main names a commit that was never synced.
    const commit = git(parts.gitdir(), 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'By hand')
    git(parts.gitdir(), 'update-ref', 'refs/heads/main', commit)
    writeFileSync(join(folder, 'broken'), '')
    await assert.rejects(create(), refusal('storage_failed'))
    rmSync(join(folder, 'broken'))
    assert.deepEqual(await create(), first)
  })
})
