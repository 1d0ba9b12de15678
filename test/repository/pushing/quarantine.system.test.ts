// Only root can mount a file system.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dropQuarantine, receivePack } from '../../../src/repository/pushing/quarantine.js'
import { mountMemory } from '../../faults/ground/mount.js'
import { withFolder, withSite } from '../../git/scratch-repository.js'

describe('the folder that a push is received into', () => {
  it('is removed with that of the next push if the disk refuses to remove it', async () => {
    await withFolder(async (parent) => {
      const [stuck = '', next = ''] = ['push-1', 'push-2'].map((name) => join(parent, name))
      for (const folder of [stuck, next]) mkdirSync(join(folder, 'pack'), { recursive: true })
      execFileSync('mount', ['-t', 'tmpfs', 'palimpsest', join(stuck, 'pack')])
      try {
        await dropQuarantine({ folder: stuck })
      } finally {
        execFileSync('umount', [join(stuck, 'pack')])
      }
      assert.ok(existsSync(stuck))
      await dropQuarantine({ folder: next })
      assert.deepEqual([stuck, next].map(existsSync), [false, false])
    })
  })

  it('is not left behind if the disk is full once it is made', async () => {
    const disk = mountMemory('size=4M')
    try {
      const gitdir = join(disk.folder, 'site.git')
      withSite({ 'index.html': 'x' }, (made) => cpSync(made, gitdir, { recursive: true }))
      const used = execFileSync('df', ['--output=iused', disk.folder], { encoding: 'utf8' }).split('\n')[1]
      disk.remount(`nr_inodes=${Number(used) + 1}`)
      const options = {
        maxBytes: 1e6,
        maxFileBytes: 1e6,
        checkSpace: () => undefined,
        signal: new AbortController().signal,
      }
      const received = receivePack(gitdir, (async function* () {})(), options)
      await assert.rejects(received, { code: 'ENOSPC' })
      assert.deepEqual(
        readdirSync(join(gitdir, 'palimpsest')).filter((name) => name.startsWith('push-')),
        [],
      )
    } finally {
      disk.unmount()
    }
  })
})
