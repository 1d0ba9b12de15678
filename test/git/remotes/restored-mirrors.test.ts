// Mirrors of a service that is restored from a backup, perhaps while the original still runs.

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp } from '../../../src/repository/backup/backup.js'
import { restore } from '../../../src/repository/backup/restore.js'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { git } from '../../support/git.js'
import { startOwnService } from '../../support/service.js'
import { MirrorGround } from './mirror-ground.js'

const QUIET = {
  begin: () => undefined,
  copied: () => undefined,
  restored: () => undefined,
  lost: () => undefined,
  failed: () => undefined,
}
const clock = () => new Date()

describe('the mirrors of a restored service', () => {
  const ground = new MirrorGround()

  before(async () => await ground.start())
  after(async () => await ground.stop())

  it('push nothing until they are retried, or continue at once if the operator says so', async () => {
    const { root, env } = ground
    const { site, bare, url } = await ground.make()
    await ground.set(site, url)
    await ground.until(site, 'ok')
    const { catalog, store } = ground.service.server.service.services
    const backup = join(root, 'backup')
    await backUp({ catalog, store, clock }, backup, QUIET)
    const options = { clock, keepKeys: true, progress: QUIET }

    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    assert.equal((await restore(backup, dataDir, { ...options, resumeMirrors: false })).heldMirrors, 1)
    const copy = await startOwnService({ dataDir, env })
    const api = copy.api(ground.admin)
    const before = git(bare, 'rev-parse', 'main')
    await ground.publish(site, '/in-the-copy', api)
    const { error } = await ground.until(site, 'off', api)
    assert.match(error ?? '', /restored from a backup/)
    assert.equal(git(bare, 'rev-parse', 'main'), before)
    await api.post(`/sites/${site.id}/mirror/retry`).expect(200)
    await ground.until(site, 'ok', api)
    assert.equal(git(bare, 'rev-parse', 'main'), git(copy.gitdir(site.slug), 'rev-parse', 'main'))
    await copy.stop()

    const successor = join(root, 'successor')
    assert.equal((await restore(backup, successor, { ...options, resumeMirrors: true })).heldMirrors, 0)
    const restored = await openCatalog(successor)
    assert.equal(restored.mirrors.find(site.id)?.state, 'ok')
    await restored.close()
  })
})
