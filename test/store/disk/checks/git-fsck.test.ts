import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitFailed } from '../../../../src/git/command.js'
import { gitFsck } from '../../../../src/store/disk/checks/git-fsck.js'
import { maintainRepository } from '../../../../src/store/disk/maintain.js'
import { installStoredBlob } from '../../../git/git-memory.js'
import { MAIN, storeCommit, withSite } from '../../../git/scratch-repository.js'
import { git } from '../../../support/git.js'

const SMALL_PACKS = 20
/** Git reads it first, as the newest, for half a second. */
const LARGE_BYTES = 100_000_000

describe('git fsck beside the service', () => {
  it('finds nothing where packs are joined under it, and what is missing all the same', async () => {
    await withSite({ 'index.html': 'first' }, async (gitdir, first) => {
      let head = first
      for (let i = 0; i < SMALL_PACKS; i++) {
        const { oid, pack } = storeCommit(gitdir, { 'index.html': `version ${i}` }, [head])
        pack.release()
        head = oid
      }
      git(gitdir, 'update-ref', MAIN, head)
      await installStoredBlob(join(gitdir, 'objects', 'pack'), LARGE_BYTES)
      const checked = gitFsck(gitdir)
      await sleep(50)
      await maintainRepository(gitdir)
      await checked
      rmSync(join(gitdir, 'objects', 'pack'), { recursive: true })
      await assert.rejects(gitFsck(gitdir), GitFailed)
    })
  })
})
