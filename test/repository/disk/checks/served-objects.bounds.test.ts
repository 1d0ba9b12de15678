import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServedObjects } from '../../../../src/repository/disk/checks/served-objects.js'
import { git, withClone } from '../../../support/git.js'
import { withBareGit } from '../../../git/scratch-repository.js'

const MEBIBYTE = 1024 * 1024
const FILES = 16
const SIZE = 4 * MEBIBYTE

describe('the check of a repository with many files of some megabytes', () => {
  it('holds only a few of them in memory, since V8 alone would leave tens of mebibytes uncollected', async () => {
    await withBareGit(async (gitdir) => {
      await withClone(gitdir, (folder) => {
        for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `${at}.bin`), randomBytes(SIZE))
        git(folder, '-c', 'core.compression=0', 'add', '-A')
        git(folder, 'commit', '-q', '-m', 'Many')
        git(folder, 'push', '-q', 'origin', 'HEAD:refs/heads/main')
      })
      const served = new ServedObjects(gitdir)
      const atFirst = process.memoryUsage().arrayBuffers
      const held: number[] = []
      let bytes = 0
      for (let isOver = false; !isOver; ) {
        const part = await served.checkPart()
        isOver = part.isOver
        bytes += part.bytes
        held.push(process.memoryUsage().arrayBuffers - atFirst)
      }
      served.close()
      assert.ok(bytes > FILES * SIZE)
      // V8 frees some of it late on a busy machine. If it freed nothing, more than half would be there half of the time.
      const median = held.toSorted((a, b) => a - b)[Math.floor(held.length / 2)] ?? Infinity
      assert.ok(median < 5 * SIZE, `${median} bytes`)
    })
  })
})
