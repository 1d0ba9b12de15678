// Two readers of one repository: what they agree on, and what one of them finds otherwise.

import assert from 'node:assert/strict'
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compareMain } from '../../../src/repository/second-reader/compare-main.js'
import { git } from '../../support/git.js'
import { gitOid, storeCommit, withBareGit, withSite } from '../../git/scratch-repository.js'

const LINES = 'a line that git stores as a delta\n'.repeat(200)

/** A clone-like history by git itself: merges, links, modes, deltas, loose and packed objects. */
function fill(gitdir: string, folder: string): void {
  git(folder, 'clone', '--quiet', gitdir, 'work')
  const work = join(folder, 'work')
  const commit = (name: string, text: string) => {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), text)
    git(work, 'add', '.')
    git(work, 'commit', '--quiet', '--message', `Change ${name}`)
  }
  for (const word of ['one', 'two', 'three']) commit('docs/long.html', `${LINES}${word}\n`)
  commit('run.sh', '#!/bin/sh\n')
  chmodSync(join(work, 'run.sh'), 0o755)
  commit('über/ä b.html', '<p>two words')
  git(work, 'checkout', '--quiet', '-b', 'side', 'main~2')
  commit('side.html', '<p>on the side')
  git(work, 'checkout', '--quiet', 'main')
  git(work, 'merge', '--quiet', '--no-edit', 'side')
  git(work, 'update-index', '--add', '--cacheinfo', `160000,${'2'.repeat(40)},module`)
  git(work, 'update-index', '--add', '--cacheinfo', `120000,${git(work, 'rev-parse', 'main:run.sh')},link`)
  git(work, 'commit', '--quiet', '--message=A link and a module')
  git(work, 'push', '--quiet', 'origin', 'main')
}

/** Writes a loose copy of an object whose bytes are no object. */
function damageLoose(gitdir: string, oid: string): void {
  const file = join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'no object')
}

describe('the second reader', () => {
  it('finds the same history, folders and bytes, loose and packed', async () => {
    await withBareGit(async (gitdir) => {
      fill(gitdir, dirname(gitdir))
      const loose = await compareMain(gitdir)
      assert.deepEqual([loose.differences, loose.left], [[], []])
      git(gitdir, 'gc', '--quiet')
      assert.ok(git(gitdir, 'verify-pack', '-v', ...indexesOf(gitdir)).includes('chain length'))
      assert.deepEqual(await compareMain(gitdir), loose)
    })
  })

  it('reads every commit of the history, and every folder and file of main once', async () => {
    await withSite({ 'index.html': 'one', 'copy.html': 'one' }, async (gitdir, first) => {
      const { oid } = storeCommit(gitdir, { 'index.html': 'two', 'docs/a.html': 'three' }, [first])
      git(gitdir, 'update-ref', 'refs/heads/main', oid)
      // Two commits, two folders, two files.
      assert.equal((await compareMain(gitdir)).objects, 6)
    })
  })

  it('names the path and the id of a file whose loose copy only our own reader passes over', async () => {
    await withSite({ 'docs/a.html': 'one' }, async (gitdir) => {
      const oid = git(gitdir, 'rev-parse', 'main:docs/a.html')
      damageLoose(gitdir, oid)
      const { differences } = await compareMain(gitdir)
      assert.deepEqual(
        differences.map(({ path, oid: id }) => [path, id]),
        [['docs/a.html', oid]],
      )
      assert.match(differences[0]?.what ?? '', /^isomorphic-git does not read it: /)
    })
  })

  it('names folders and commits too', async () => {
    await withSite({ 'docs/a.html': 'one' }, async (gitdir, first) => {
      const { oid } = storeCommit(gitdir, { 'docs/a.html': 'two' }, [first])
      git(gitdir, 'update-ref', 'refs/heads/main', oid)
      const root = git(gitdir, 'rev-parse', 'main^{tree}')
      for (const damaged of [first, root]) damageLoose(gitdir, damaged)
      const { differences } = await compareMain(gitdir)
      assert.deepEqual(
        differences.map(({ path, oid: id }) => [path, id]),
        [
          ['a commit of main', first],
          ['the root folder', root],
        ],
      )
    })
  })

  it('says that neither reader finds a missing object', async () => {
    await withBareGit(async (gitdir) => {
      const blob = gitOid(gitdir, 'gone', 'hash-object', '-w', '--stdin')
      const tree = gitOid(gitdir, `100644 blob ${blob}\ta.html\n`, 'mktree')
      git(gitdir, 'update-ref', 'refs/heads/main', gitOid(gitdir, 'First', 'commit-tree', tree))
      git(gitdir, 'prune', '--expire=now')
      const file = join(gitdir, 'objects', blob.slice(0, 2), blob.slice(2))
      chmodSync(file, 0o644)
      truncateSync(file)
      const { differences } = await compareMain(gitdir)
      assert.match(differences[0]?.what ?? '', /^neither reader reads it: /)
    })
  })

  it('reports a name that only our own reader passes over', async () => {
    await withBareGit(async (gitdir) => {
      const blob = gitOid(gitdir, 'one', 'hash-object', '-w', '--stdin')
      const tree = gitOid(gitdir, `100644 blob ${blob}\ta\\b.html\n`, 'mktree')
      git(gitdir, 'update-ref', 'refs/heads/main', gitOid(gitdir, 'First', 'commit-tree', tree))
      const { differences } = await compareMain(gitdir)
      assert.equal(differences[0]?.oid, tree)
      assert.match(differences[0]?.what ?? '', /^the readers find different entries in it: .*a\\b\.html/)
    })
  })

  it('stops after twenty differences of a damaged pack', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.html`, `<p>${at}`]))
    await withSite(files, async (gitdir) => {
      for (let at = 0; at < 40; at++) damageLoose(gitdir, git(gitdir, 'rev-parse', `main:${at}.html`))
      assert.equal((await compareMain(gitdir)).differences.length, 20)
    })
  })

  it('leaves out what would take too much memory, and says so', async () => {
    await withSite({ 'index.html': 'one' }, async (gitdir, first) => {
      const large = join(gitdir, 'large')
      const fd = openSync(large, 'w')
      writeSync(fd, 'x', 65 * 1024 * 1024)
      closeSync(fd)
      const blob = git(gitdir, 'hash-object', '-w', large)
      const tree = gitOid(gitdir, `100644 blob ${blob}\tlarge.bin\n`, 'mktree')
      git(gitdir, 'update-ref', 'refs/heads/main', gitOid(gitdir, 'Second', 'commit-tree', tree, '-p', first))
      const { differences, left } = await compareMain(gitdir)
      assert.deepEqual([differences, left], [[], ['1 file(s) above 64 MiB']])
      const spare = join(gitdir, 'objects/pack/pack-spare.idx')
      writeFileSync(spare, '')
      truncateSync(spare, 60 * 1024 * 1024)
      assert.match((await compareMain(gitdir)).left.join(), /^its packs need 301 MiB, more than 256 MiB$/)
    })
  })

  it('refuses a repository without main', async () => {
    await withBareGit(async (gitdir) => {
      await assert.rejects(compareMain(gitdir), /refs\/heads\/main does not exist/)
    })
  })
})

function indexesOf(gitdir: string): string[] {
  const folder = join(gitdir, 'objects/pack')
  return readdirSync(folder).flatMap((name) => (name.endsWith('.idx') ? [join(folder, name)] : []))
}
