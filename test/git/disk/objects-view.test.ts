import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '../../../src/git/command.js'
import { objectsViewOf } from '../../../src/git/disk/objects-view.js'
import { git } from '../../support/git.js'
import { withSite } from '../scratch-repository.js'

describe('the view of the objects of a repository', () => {
  it('shows git all objects, but neither refs nor settings', async () =>
    await withSite({ 'a.html': 'a page' }, async (gitdir, first) => {
      git(gitdir, 'config', 'alias.own', 'rev-parse main')
      const { view, objects } = objectsViewOf(gitdir)
      const ask = async (...args: string[]) => String(await runGit(view, args, { objects })).trim()
      assert.equal(await ask('cat-file', 'blob', `${first}:a.html`), 'a page')
      assert.equal(await ask('for-each-ref'), '')
      await assert.rejects(ask('own'), /'own' is not a git command/)
    }))

  it('is the repository itself if no view can be made', () =>
    withSite({}, (gitdir) => {
      rmSync(join(gitdir, 'palimpsest'), { recursive: true, force: true })
      writeFileSync(join(gitdir, 'palimpsest'), 'in the way')
      assert.deepEqual(objectsViewOf(gitdir), { view: gitdir, objects: join(gitdir, 'objects') })
    }))

  it('does not bring back a removed repository', () =>
    withSite({}, (gitdir) => {
      rmSync(gitdir, { recursive: true })
      objectsViewOf(gitdir)
      assert.ok(!existsSync(gitdir))
    }))
})
