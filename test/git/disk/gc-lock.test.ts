import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { lockGc } from '../../../src/git/disk/gc-lock.js'
import { gitRefusal, withSite } from '../scratch-repository.js'

const SITE = { 'index.html': 'hello' }

describe('the lock of maintenance', () => {
  it('keeps git gc out while it is held', () => {
    withSite(SITE, (gitdir) => {
      const unlock = lockGc(gitdir)
      assert.match(gitRefusal(gitdir, 'gc'), /gc is already running/)
      unlock?.()
      assert.equal(existsSync(join(gitdir, 'gc.pid')), false)
    })
  })

  it('cannot be taken while a running process holds it', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    try {
      withSite(SITE, (gitdir) => {
        writeFileSync(join(gitdir, 'gc.pid'), `${child.pid} ${hostname()}`)
        assert.equal(lockGc(gitdir), undefined)
        assert.match(readFileSync(join(gitdir, 'gc.pid'), 'utf8'), new RegExp(`^${child.pid} `))
      })
    } finally {
      child.kill()
    }
  })

  it('is taken over from a process that is gone, and from another host after twelve hours', async () => {
    const child = spawn('true')
    await once(child, 'exit')
    withSite(SITE, (gitdir) => {
      const path = join(gitdir, 'gc.pid')
      writeFileSync(path, `${child.pid} ${hostname()}`)
      lockGc(gitdir)?.()
      writeFileSync(path, '1 elsewhere')
      assert.equal(lockGc(gitdir), undefined)
      const thirteenHoursAgo = Date.now() / 1000 - 13 * 3600
      utimesSync(path, thirteenHoursAgo, thirteenHoursAgo)
      assert.notEqual(lockGc(gitdir), undefined)
    })
  })

  it('is taken over from a running process after twelve hours, as git gc does', () => {
    withSite(SITE, (gitdir) => {
      const path = join(gitdir, 'gc.pid')
      writeFileSync(path, `${process.ppid} ${hostname()}`)
      const thirteenHoursAgo = Date.now() / 1000 - 13 * 3600
      utimesSync(path, thirteenHoursAgo, thirteenHoursAgo)
      assert.notEqual(lockGc(gitdir), undefined)
    })
  })

  it('is taken over from a process of before the boot, even if another process has its id now', () => {
    withSite(SITE, (gitdir) => {
      const path = join(gitdir, 'gc.pid')
      writeFileSync(path, `${process.ppid} ${hostname()}`)
      const beforeBoot = Date.now() / 1000 - uptime() - 10
      utimesSync(path, beforeBoot, beforeBoot)
      assert.notEqual(lockGc(gitdir), undefined)
    })
  })

  it('is taken over from an earlier process that had the id of this one, as in a container that starts again', () => {
    withSite(SITE, (gitdir) => {
      writeFileSync(join(gitdir, 'gc.pid'), `${process.pid} ${hostname()}`)
      const unlock = lockGc(gitdir)
      assert.notEqual(unlock, undefined)
      assert.equal(lockGc(gitdir), undefined)
      unlock?.()
    })
  })
})
