// Pushes by path from shallow clones, by git itself.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moveRef, readRef } from '../../../src/git/repository/ref.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { gitRefusal, LOG, MAIN, storeCommit, withFolder, withSite } from '../../git/scratch-repository.js'

describe('a push by path from a shallow clone', () => {
  const SITE = { 'index.html': 'hello' }

  function commitFile(clone: string, name: string): string {
    writeFileSync(join(clone, name), name)
    git(clone, 'add', '--all')
    git(clone, 'commit', '--quiet', '-m', `Add ${name}`)
    return git(clone, 'rev-parse', 'HEAD')
  }

  it('is accepted if the site has the first commits of the clone', () => {
    withSite(SITE, (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, { ...SITE, 'more.html': 'more' }, [first])
      moveRef(gitdir, MAIN, first, oid, LOG)
      pack.release()
      withFolder((folder) => {
        const clone = join(folder, 'clone')
        git(folder, 'clone', '--quiet', '--depth=1', `file://${gitdir}`, clone)
        const head = commitFile(clone, 'shallow.html')
        git(clone, 'push', '--quiet')
        assert.equal(readRef(gitdir, MAIN), head)
        assertSound(gitdir)
      })
    })
  })

  it('is refused if the site lacks them', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (full) => {
        commitFile(full, 'a.html')
        commitFile(full, 'b.html')
        const clone = join(full, 'clone')
        git(full, 'clone', '--quiet', '--depth=1', `file://${full}`, clone)
        commitFile(clone, 'c.html')
        assert.match(gitRefusal(clone, 'push', '--force', gitdir, 'main'), /shallow update not allowed|lacks objects/)
        assert.equal(readRef(gitdir, MAIN), first)
        assertSound(gitdir)
      }),
    )
  })
})
