import assert from 'node:assert/strict'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'
import { removeAbandonedPacks } from '../../../src/git/disk/abandoned.js'
import { openRepository } from '../../../src/git/repository/repository.js'
import { SITE_HOOKS } from '../../../src/store/hooks/site-hooks.js'
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
  it('are removed when the repository is opened, where they are older than the boot of the machine', () => {
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

  it('stay where they are younger, since the process that made them may still run', () => {
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

describe('temporary packs', () => {
  it('are removed after twelve hours, or from before the boot, and stay while a git process may write them', () => {
    withSite(SITE, (gitdir) => {
      const folder = join(gitdir, 'objects', 'pack')
      const old = ['tmp_pack_aB3xYz', 'tmp_idx_aB3xYz', '.tmp-4711-pack-0123.pack']
      for (const name of old) write(join(folder, name), 13 * 3600)
      write(join(folder, 'tmp_pack_before'), uptime() + 10)
      write(join(folder, 'tmp_pack_at_work'), 0)
      write(join(gitdir, 'objects/info/commit-graphs/commit-graph-chain.lock'), 13 * 3600)
      removeAbandonedPacks(gitdir)
      assert.deepEqual(
        [...old, 'tmp_pack_before', 'tmp_pack_at_work'].filter((name) => existsSync(join(folder, name))),
        ['tmp_pack_at_work'],
      )
      git(gitdir, 'commit-graph', 'write', '--reachable', '--split')
    })
  })
})
