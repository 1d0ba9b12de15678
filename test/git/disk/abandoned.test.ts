import assert from 'node:assert/strict'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'
import { openRepository } from '../../../src/git/repository/repository.js'
import { SITE_HOOKS } from '../../../src/repository/hooks/site-hooks.js'
import { git } from '../../support/git.js'
import { withSite } from '../scratch-repository.js'

const SITE = { 'index.html': 'hello' }
const LOCKS = ['HEAD.lock', 'packed-refs.lock', 'config.lock', 'refs/heads/main.lock', 'refs/tags/v1.lock']

function write(path: string, ageSeconds: number): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  const time = Date.now() / 1000 - ageSeconds
  utimesSync(path, time, time)
}

describe("locks of git's own", () => {
  it('are removed when the repository is opened, if they are older than the boot of the machine', () => {
    withSite(SITE, (gitdir, first) => {
      git(gitdir, 'config', 'gc.auto', '1')
      for (const name of LOCKS) write(join(gitdir, name), uptime() + 10)
      openRepository(gitdir, SITE_HOOKS)
      assert.deepEqual(
        LOCKS.filter((name) => existsSync(join(gitdir, name))),
        [],
      )
      git(gitdir, 'update-ref', 'refs/tags/v1', first)
      git(gitdir, 'pack-refs', '--all')
    })
  })

  it('stay if they are younger, since the process that made them may still run', () => {
    withSite(SITE, (gitdir) => {
      for (const name of LOCKS) write(join(gitdir, name), 0)
      openRepository(gitdir, SITE_HOOKS)
      assert.deepEqual(
        LOCKS.filter((name) => existsSync(join(gitdir, name))),
        LOCKS,
      )
    })
  })
})
