// `palimpsest fsck` compares the change requests of the catalog with the branches on the disk.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('the check of change requests', () => {
  let service: TestService

  before(async () => (service = await startOwnService()))
  after(() => service.stop())

  async function propose(path: string): Promise<string> {
    const { body } = await service.api().post('/pages?changeRequest=new').send({ path, html: path }).expect(201)
    return (body as { changeRequest: string }).changeRequest
  }

  it('names a row without a branch and a branch without a row, each with its remedy', async () => {
    const [lost, unknown, whole] = [await propose('/lost'), await propose('/unknown'), await propose('/whole')]
    git(join(service.dataDir, 'drafts', `${service.site.slug}.git`), 'update-ref', '-d', `refs/heads/${lost}`)
    await service.server.service.services.catalog.changeRequests.remove(unknown)
    const { code, stdout } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'fsck')
    assert.equal(code, 1)
    assert.match(stdout, new RegExp(`change request 1 has no branch refs/heads/${lost}\\n .*from the backup`))
    assert.match(stdout, new RegExp(`change request ${unknown} is unknown to the catalog\\n .*palimpsest recover`))
    assert.doesNotMatch(stdout, new RegExp(whole))
  })
})
