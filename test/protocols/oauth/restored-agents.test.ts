import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { hashKey } from '../../../src/model/key-format.js'
import { backUp } from '../../../src/repository/backup/backup.js'
import { restore } from '../../../src/repository/backup/restore.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

const QUIET = {
  begin: () => undefined,
  copied: () => undefined,
  restored: () => undefined,
  lost: () => undefined,
  failed: () => undefined,
}

describe('the agents of a restored service', () => {
  let service: TestService
  let root: string
  before(async () => {
    service = await startOwnService()
    root = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
  })
  after(async () => {
    rmSync(root, { recursive: true, force: true })
    await service.stop()
  })

  it('end, unless the operator keeps the keys', async () => {
    const editor = await signInAs(service, 'editor')
    const { access_token: token } = await connectAgent(service, editor)
    const { catalog, store, clock } = service.server.service.services
    await backUp({ catalog, store, clock }, join(root, 'backup'), QUIET)
    for (const keepKeys of [false, true]) {
      const dataDir = join(root, String(keepKeys))
      await restore(join(root, 'backup'), dataDir, { clock, keepKeys, progress: QUIET, resumeMirrors: false })
      const restored = await openCatalog(dataDir)
      assert.equal(restored.agents.findByToken(hashKey(token)) !== undefined, keepKeys)
      assert.equal((await restored.agents.list(service.workspaceId)).length, keepKeys ? 1 : 0)
      await restored.close()
    }
  })
})
