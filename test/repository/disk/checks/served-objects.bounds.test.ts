import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServedObjects } from '../../../../src/repository/disk/checks/served-objects.js'
import { collectGarbage } from '../../../bounds/collect-garbage.js'
import { git, withClone } from '../../../support/git.js'
import { withBareGit } from '../../../git/scratch-repository.js'

const MEBIBYTE = 1024 * 1024
const FILES = 16
const SIZE = 4 * MEBIBYTE

describe('the check of a repository with many files of some megabytes', () => {
  it('keeps only a few of them in memory', async () => {
    await withBareGit(async (gitdir) => {
      await withClone(gitdir, (folder) => {
        for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `${at}.bin`), randomBytes(SIZE))
        git(folder, '-c', 'core.compression=0', 'add', '-A')
        git(folder, 'commit', '-q', '-m', 'Many')
        git(folder, 'push', '-q', 'origin', 'HEAD:refs/heads/main')
      })
      const served = new ServedObjects(gitdir)
      const atFirst = bytesInUse()
      const held: number[] = []
      let bytes = 0
      for (let isOver = false; !isOver; ) {
        const part = await served.checkPart()
        isOver = part.isOver
        bytes += part.bytes
        held.push(bytesInUse() - atFirst)
      }
      served.close()
      assert.ok(bytes > FILES * SIZE)
      const most = Math.max(...held)
      assert.ok(most < 5 * SIZE, `${most} bytes`)
    })
  })
})

function bytesInUse(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
