// A mirror is told of nothing that a power cut could take back: the remote would then have commits that the site does not have.

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { git } from '../../support/git.js'
import { MirrorGround } from './mirror-ground.js'

describe('a mirror of a site whose disk fails', () => {
  const { PATH } = process.env
  const ground = new MirrorGround()
  const broken = join(ground.root, 'broken')

  /** sync(1) fails while there is a file `broken`. Threads have the environment that they begin with. */
  before(async () => {
    const bin = join(ground.root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'sync'), `#!/bin/sh\n[ ! -e '${broken}' ]\n`)
    chmodSync(join(bin, 'sync'), 0o755)
    process.env['PATH'] = `${bin}${delimiter}${PATH}`
    await ground.start()
  })
  after(async () => {
    process.env['PATH'] = PATH
    await ground.stop()
  })

  it('gets a commit only once it survives a power cut', async () => {
    const { site, bare, url } = await ground.make()
    await ground.set(site, url)
    await ground.until(site, 'ok')
    const told = git(bare, 'rev-parse', 'main')
    writeFileSync(broken, '')
    const gitdir = ground.service.gitdir(site.slug)
    const commit = git(gitdir, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Synced by nobody')
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', commit)
    const { error } = await ground.until(site, 'failed')
    assert.match(error ?? '', /disk of the service does not confirm the newest commit/)
    assert.equal(git(bare, 'rev-parse', 'main'), told)
    rmSync(broken)
    await ground.retry(site)
    await ground.until(site, 'ok')
    assert.equal(git(bare, 'rev-parse', 'main'), commit)
  })
})
