import assert from 'node:assert/strict'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FormCheck } from '../../../../src/repository/disk/checks/form-check.js'
import { inspectRepository } from '../../../../src/repository/disk/checks/inspect-repository.js'
import { REMEDY } from '../../../../src/repository/protocol/trouble.js'
import { withSite } from '../../../git/scratch-repository.js'

const SITE = { 'index.html': 'hello' }
const SITE_ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'
const SERVICE_USER = 12_345

/** Makes a file as git run by root leaves it in a repository of another user. */
function giveToRoot(gitdir: string, name: string): void {
  const root = dirname(gitdir)
  chownSync(root, SERVICE_USER, SERVICE_USER)
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(root, path), SERVICE_USER, SERVICE_USER)
  }
  chownSync(join(gitdir, name), 0, 0)
  chmodSync(join(gitdir, name), 0o755)
}

describe("a folder that the service's user cannot write in", () => {
  for (const name of ['refs/heads', 'objects/pack', 'palimpsest']) {
    it(`is reported with the user that must own it: ${name}`, async () => {
      await withSite(SITE, async (gitdir) => {
        giveToRoot(gitdir, name)
        const troubles = await inspectRepository(gitdir, SITE_ID, new FormCheck())
        assert.deepEqual(troubles, [
          {
            kind: 'repository',
            subject: `folder ${name}`,
            what: `the service's user cannot write in the folder ${name}`,
            remedy: REMEDY.access,
          },
        ])
      })
    })
  }

  it('is not reported if its group may write', async () => {
    await withSite(SITE, async (gitdir) => {
      giveToRoot(gitdir, 'refs/heads')
      chownSync(join(gitdir, 'refs/heads'), 0, SERVICE_USER)
      chmodSync(join(gitdir, 'refs/heads'), 0o775)
      assert.deepEqual(await inspectRepository(gitdir, SITE_ID, new FormCheck()), [])
    })
  })
})
