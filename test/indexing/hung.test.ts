import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Indexer } from '../../src/indexing/indexer.js'
import { ServiceError } from '../../src/model/errors.js'
import { allowedSignersIn } from '../../src/store/disk/signing-key.js'
import type { SiteRef } from '../../src/store/protocol/write.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'

describe('a site whose indexing stands still', () => {
  let parts: ServiceParts

  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  it('is refused and rests, and the thread that takes the place of the hung one indexes other sites', async () => {
    const { dataDir, site, services, writeGate } = parts
    const other = await services.provisioner.createSite(site.workspaceId, 'other', () => Promise.resolve())
    const hung: SiteRef[] = []
    const indexer = new Indexer({
      dataDir,
      troubles: services.store.troubles,
      writeGate,
      onHung: (one) => hung.push(one),
      hungAfterMs: 1000,
    })
    // Who opens a pipe that nobody writes to stands still in the system, where nothing ends it.
    const pipe = allowedSignersIn(dataDir)
    mkdirSync(dirname(pipe), { recursive: true })
    rmSync(pipe, { force: true })
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe])
    const isRefused = (error: unknown) => error instanceof ServiceError && error.code === 'site_busy'
    try {
      await assert.rejects(indexer.bringToHead(site), isRefused)
    } finally {
      closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
      rmSync(pipe)
    }
    assert.deepEqual(
      hung.map(({ id }) => id),
      [site.id],
    )
    await assert.rejects(indexer.bringToHead(site), isRefused)
    assert.deepEqual(await indexer.bringToHead(other), [])
    await indexer.close()
  })
})
