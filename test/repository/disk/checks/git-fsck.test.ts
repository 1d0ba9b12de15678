import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { moveRef } from '../../../../src/git/repository/ref.js'
import { openRepository } from '../../../../src/git/repository/repository.js'
import { gitFsck } from '../../../../src/repository/disk/checks/git-fsck.js'
import { withLinkedCopy } from '../../../../src/repository/disk/checks/linked-copy.js'
import { maintainRepository } from '../../../../src/repository/disk/maintain.js'
import { SITE_HOOKS } from '../../../../src/repository/hooks/site-hooks.js'
import { LOG, MAIN, storeCommit, withSite } from '../../../git/scratch-repository.js'
import { complaintsOf, git } from '../../../support/git.js'

const PACKS = 5

/** The service publishes: a pack of its own, then main and its log. */
function publish(gitdir: string, text: string): string {
  const head = git(gitdir, 'rev-parse', 'main')
  const { oid, pack } = storeCommit(gitdir, { 'index.html': text }, [head])
  moveRef(gitdir, MAIN, head, oid, LOG)
  pack.release()
  return oid
}

/** An operator's git publishes, as a small push by path does: loose objects. */
function commitLoose(gitdir: string): string {
  const oid = git(gitdir, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'By hand')
  git(gitdir, 'update-ref', MAIN, oid)
  return oid
}

const scratchOf = (gitdir: string) => readdirSync(join(gitdir, 'palimpsest')).filter((name) => name.startsWith('copy-'))

describe('git fsck while the service runs', () => {
  it('finds nothing if main moves after git has read the objects and before it reads the log of main', async () => {
    await withSite({ 'index.html': 'first' }, async (gitdir, first) => {
      // git reads the objects, then each ref. It waits at this one until a process writes into it.
      const tag = join(gitdir, 'refs', 'tags', 'waits')
      spawnSync('mkfifo', [tag])
      const opened = open(tag, 'w')
      const checked = gitFsck(gitdir)
      const isWaiting = await Promise.race([opened.then(() => true), checked.then(() => false)])
      publish(gitdir, 'second')
      commitLoose(gitdir)
      // No process waits if git reads a copy, which has no such file: then this one ends the open.
      if (!isWaiting) closeSync(openSync(tag, 'r+'))
      rmSync(tag)
      writeFileSync(tag, `${first}\n`)
      const pipe = await opened
      if (isWaiting) await pipe.writeFile(`${first}\n`)
      await pipe.close()
      assert.equal(await checked, '')
    })
  })

  it('sees the repository as it was, despite writes, packing and removals meanwhile', async () => {
    await withSite({ 'index.html': 'first' }, async (gitdir) => {
      for (let at = 0; at < PACKS; at++) publish(gitdir, `version ${at}`)
      const head = commitLoose(gitdir)
      git(gitdir, 'tag', 'v1')
      git(gitdir, 'pack-refs', '--all')
      await withLinkedCopy(gitdir, async (copy) => {
        const packs = readdirSync(join(gitdir, 'objects', 'pack'))
        publish(gitdir, 'later')
        git(gitdir, 'tag', '-d', 'v1')
        await maintainRepository(gitdir)
        git(gitdir, 'repack', '-adq')
        assert.deepEqual(
          readdirSync(join(gitdir, 'objects', 'pack')).filter((name) => packs.includes(name)),
          [],
        )
        assert.equal(complaintsOf(copy), '')
        assert.equal(git(copy, 'rev-parse', 'main', 'v1'), `${head}\n${head}`)
      })
      assert.deepEqual(scratchOf(gitdir), [])
      assert.equal(await gitFsck(gitdir), '')
    })
  })

  it('keeps its copy if the writer of the same process opens the repository meanwhile', async () => {
    await withSite({ 'index.html': 'first' }, async (gitdir) => {
      await withLinkedCopy(gitdir, async (copy) => {
        openRepository(gitdir, SITE_HOOKS)
        assert.equal(complaintsOf(copy), '')
      })
      assert.deepEqual(scratchOf(gitdir), [])
    })
  })

  it('names a missing object by its place in the repository, also if only the log of main names it', async () => {
    await withSite({ 'index.html': 'first' }, async (gitdir, first) => {
      const packs = readdirSync(join(gitdir, 'objects', 'pack'))
      const lost = publish(gitdir, 'second')
      git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', MAIN, first)
      for (const name of readdirSync(join(gitdir, 'objects', 'pack')))
        if (!packs.includes(name)) rmSync(join(gitdir, 'objects', 'pack', name))
      assert.match(await gitFsck(gitdir), new RegExp(`invalid reflog entry ${lost}`))
      const blob = git(gitdir, 'rev-parse', 'main:index.html')
      const damaged = join(gitdir, 'objects', blob.slice(0, 2), blob.slice(2))
      mkdirSync(dirname(damaged))
      writeFileSync(damaged, 'damaged')
      const printed = await gitFsck(gitdir)
      assert.ok(printed.includes(damaged), printed)
      rmSync(join(gitdir, 'objects', 'pack'), { recursive: true })
      assert.match(await gitFsck(gitdir), /invalid sha1 pointer/)
    })
  })

  it('reads the repository itself if it cannot be copied', async () => {
    await withSite({ 'index.html': 'first' }, async (gitdir) => {
      rmSync(join(gitdir, 'palimpsest'), { recursive: true })
      writeFileSync(join(gitdir, 'palimpsest'), '')
      await withLinkedCopy(gitdir, async (copy) => assert.equal(copy, gitdir))
      assert.equal(await gitFsck(gitdir), '')
      rmSync(join(gitdir, 'palimpsest'))
      mkdirSync(join(gitdir, 'palimpsest'))
      symlinkSync('nowhere', join(gitdir, 'objects', 'aa'))
      await withLinkedCopy(gitdir, async (copy) => assert.equal(copy, gitdir))
      assert.deepEqual(scratchOf(gitdir), [])
    })
  })
})
