import assert from 'node:assert/strict'
import { diffTrees } from '../../../src/git/objects/diff.js'
import { RepositoryInvalid } from '../../../src/git/objects/errors.js'
import { entryAt, firstParents, isFirstParentAncestor } from '../../../src/git/repository/history.js'
import { newObject } from '../../../src/git/objects/object.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { encodePack, installPack } from '../../../src/git/storage/pack-writer.js'
import { EMPTY_TREE, MODE_BLOB, MODE_TREE, patchTree } from '../../../src/git/objects/tree.js'
import { git } from '../../support/git.js'
import { gitOid, gitWithInput, withBareGit } from '../scratch-repository.js'

type Files = Record<string, string | null>

/** Makes commits by git, each with its changes; returns their oids. */
function commitEach(gitdir: string, steps: Files[]): string[] {
  const stream = steps.map((files, i) => {
    const changes = Object.entries(files).map(([path, content]) =>
      content === null ? `D ${path}\n` : `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`,
    )
    return `commit refs/heads/main\ncommitter O <o@x> ${1_700_000_000 + i} +0000\ndata 1\n${i}\n${changes.join('')}`
  })
  gitWithInput(gitdir, stream.join('\n'), 'fast-import', '--quiet')
  return git(gitdir, 'rev-list', '--reverse', 'main').split('\n')
}

function folderOf(...entries: (readonly [name: string, mode: number, oid: string])[]) {
  return newObject(
    'tree',
    patchTree(
      Buffer.alloc(0),
      entries.map(([name, mode, oid]) => ({ name, mode, oid })),
    ),
  )
}

/** Returns the output of git diff-tree in the form of diffTrees. */
function diffWithGit(gitdir: string, before: string, after: string): string[] {
  const raw = gitWithInput(gitdir, '', 'diff-tree', '-r', '-z', '--no-renames', before, after).toString()
  const fields = raw.split('\0')
  const lines: string[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, modeBefore, modeAfter, oidBefore, oidAfter] = /^:(\d+) (\d+) (\w+) (\w+)/.exec(fields[i] ?? '') ?? []
    lines.push(`${fields[i + 1]} ${modeBefore} ${oidBefore} ${modeAfter} ${oidAfter}`)
  }
  return lines.toSorted()
}

function diffWithOurs(odb: ObjectDatabase, before: string | undefined, after: string | undefined): string[] {
  const side = (entry: { mode: number; oid: string } | undefined) =>
    entry === undefined ? `000000 ${'0'.repeat(40)}` : `${entry.mode.toString(8).padStart(6, '0')} ${entry.oid}`
  return [...diffTrees(odb, before, after)]
    .map((change) => `${change.path} ${side(change.before)} ${side(change.after)}`)
    .toSorted()
}

describe('diffTrees', () => {
  const steps: Files[] = [
    { 'index.html': 'a', 'docs/a.html': '1', 'docs/b/c.html': '2' },
    { 'index.html': 'b' },
    { 'docs/a.html': null, 'docs/b/d.html': '3' },
    { docs: 'a file now' },
    { docs: null, 'docs/x.html': 'a folder again', 'docs.html': 'beside it' },
    { 'docs-old/é.html': '4', docs0: '5', docs1: '6' },
    { 'docs.html': null, 'docs/x.html': 'changed', 'docs-old/é.html': null },
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`many/${i}.html`, `${i}`])),
    { 'many/7.html': 'x', 'many/150.html': null, 'many/1500.html': 'new', 'many/299.html': 'y' },
  ]

  it('equals git diff-tree, from each commit to the next, to the first and to the last', () => {
    withBareGit((gitdir) => {
      const oids = commitEach(gitdir, steps)
      const odb = new ObjectDatabase(gitdir)
      for (const [at, one] of oids.entries()) {
        for (const other of [oids[at + 1], oids[0], oids.at(-1)]) {
          if (other === undefined) continue
          const [before, after] = [odb.readCommit(one).tree, odb.readCommit(other).tree]
          assert.deepEqual(diffWithOurs(odb, before, after), diffWithGit(gitdir, before, after))
        }
        const { tree } = odb.readCommit(one)
        const all = git(gitdir, 'ls-tree', '-r', '--name-only', '-z', tree).split('\0').filter(Boolean)
        assert.deepEqual([...diffTrees(odb, undefined, tree)].map(({ path }) => path).toSorted(), all.toSorted())
        assert.deepEqual([...diffTrees(odb, tree, undefined)].map(({ path }) => path).toSorted(), all.toSorted())
      }
      assert.deepEqual([...diffTrees(odb, undefined, undefined)], [])
      odb.close()
    })
  })

  it('sees a change of mode, links and submodules', () => {
    withBareGit((gitdir) => {
      const blob = gitOid(gitdir, 'x', 'hash-object', '-w', '--stdin')
      const tree = (...lines: string[]) => gitOid(gitdir, lines.join('\n').concat('\n'), 'mktree', '--missing')
      const before = tree(`100644 blob ${blob}\ta`, `120000 blob ${blob}\tb`, `160000 commit ${'1'.repeat(40)}\tc`)
      const after = tree(`100755 blob ${blob}\ta`, `100644 blob ${blob}\tb`, `160000 commit ${'2'.repeat(40)}\tc`)
      const odb = new ObjectDatabase(gitdir)
      assert.deepEqual(diffWithOurs(odb, before, after), diffWithGit(gitdir, before, after))
      odb.close()
    })
  })

  it('skips names that cannot be trusted and reads the others', () => {
    withBareGit((gitdir) => {
      const blob = gitOid(gitdir, 'x', 'hash-object', '-w', '--stdin')
      const inner = gitOid(gitdir, `100644 blob ${blob}\ta\\b\n100644 blob ${blob}\tgood.html\n`, 'mktree')
      const outer = gitOid(gitdir, `040000 tree ${inner}\t.git\n040000 tree ${inner}\tdocs\n`, 'mktree')
      const odb = new ObjectDatabase(gitdir)
      assert.deepEqual(
        [...diffTrees(odb, EMPTY_TREE, outer)].map(({ path }) => path),
        ['docs/good.html'],
      )
      assert.equal(entryAt(odb, outer, '.git/good.html'), undefined)
      assert.equal(entryAt(odb, outer, 'docs/good.html')?.oid, blob)
      odb.close()
    })
  })

  it('reads endlessly nested folders as deep as git could check them out, on a stack of any size', () => {
    withBareGit((gitdir) => {
      const file = newObject('blob', Buffer.from('deep'))
      const objects = [file]
      let inner = folderOf(['deep.html', MODE_BLOB, file.oid])
      for (let depth = 0; depth < 5000; depth++) {
        inner = folderOf(['d', MODE_TREE, inner.oid], ['at.html', MODE_BLOB, file.oid])
        objects.push(inner)
      }
      installPack(gitdir, encodePack(objects)).release()
      const odb = new ObjectDatabase(gitdir)
      const paths = [...diffTrees(odb, undefined, inner.oid)].map(({ path }) => path.length)
      assert.equal(paths.length, Math.floor((4096 - 'at.html'.length) / 2) + 1)
      odb.close()
    })
  })

  it('ends on a tree that names the same folder again and again', () => {
    withBareGit((gitdir) => {
      const file = newObject('blob', Buffer.from('bomb'))
      let inner = folderOf(['page.html', MODE_BLOB, file.oid])
      const objects = [file, inner]
      for (let depth = 0; depth < 10; depth++) {
        const { oid } = inner
        inner = folderOf(...Array.from({ length: 10 }, (_, i) => [`${i}`, MODE_TREE, oid] as const))
        objects.push(inner)
      }
      installPack(gitdir, encodePack(objects)).release()
      const odb = new ObjectDatabase(gitdir)
      const readAll = () => {
        for (const change of diffTrees(odb, undefined, inner.oid)) assert.ok(change.after)
      }
      assert.throws(readAll, RepositoryInvalid)
      assert.deepEqual([...diffTrees(odb, inner.oid, inner.oid)], [])
      odb.close()
    })
  })
})

describe('the first-parent history', () => {
  it('equals git log --first-parent, and knows which commits are on it', () => {
    withBareGit((gitdir) => {
      const tree = gitOid(gitdir, '', 'mktree')
      const commit = (...parents: string[]) =>
        gitOid(gitdir, `${parents.length} parents\n`, 'commit-tree', tree, ...parents.flatMap((oid) => ['-p', oid]))
      const root = commit()
      const main = commit(root)
      const side = gitOid(gitdir, 'Side\n', 'commit-tree', tree, '-p', root)
      const merge = commit(main, side)
      const tip = commit(merge)
      const odb = new ObjectDatabase(gitdir)
      assert.deepEqual(
        [...firstParents(odb, tip)].map(({ oid }) => oid),
        git(gitdir, 'rev-list', '--first-parent', tip).split('\n'),
      )
      assert.deepEqual(
        [tip, merge, main, root].map((oid) => isFirstParentAncestor(odb, oid, tip, 10)),
        [true, true, true, true],
      )
      assert.equal(isFirstParentAncestor(odb, side, tip, 10), false)
      assert.equal(isFirstParentAncestor(odb, tip, root, 10), false)
      assert.ok(isFirstParentAncestor(odb, merge, tip, 2))
      assert.equal(isFirstParentAncestor(odb, root, tip, 2), undefined)
      odb.close()
    })
  })

  it('finds entries by path as git does', () => {
    withBareGit((gitdir) => {
      commitEach(gitdir, [{ 'docs/a/b.html': '1', 'docs.html': '2' }])
      const odb = new ObjectDatabase(gitdir)
      const root = git(gitdir, 'rev-parse', 'main^{tree}')
      const at = (path: string) => entryAt(odb, root, path)
      assert.deepEqual(at('docs/a/b.html'), {
        mode: MODE_BLOB,
        name: 'b.html',
        oid: git(gitdir, 'rev-parse', 'main:docs/a/b.html'),
      })
      assert.deepEqual(at('docs/a'), { mode: MODE_TREE, name: 'a', oid: git(gitdir, 'rev-parse', 'main:docs/a') })
      for (const path of ['', '/', 'docs/', 'docs//a', './docs', 'docs.html/x', 'docs/a/b.html/', 'DOCS', '../docs']) {
        assert.equal(at(path), undefined, path)
      }
      odb.close()
    })
  })
})
