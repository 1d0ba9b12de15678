import assert from 'node:assert/strict'
import fs, { rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { readTags } from '../../../src/git/repository/tag-refs.js'
import { Tags } from '../../../src/git/repository/tags.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { git } from '../../support/git.js'
import { gitOid, spawnGit, withSite, writeLooseTags } from '../scratch-repository.js'

const SITE = { 'index.html': 'hello' }
const MANY = Array.from({ length: 200 }, (_, i) => `of/${i}`)

const tagsOf = (gitdir: string) => new Tags(gitdir, new ObjectDatabase(gitdir))

const listIn = (gitdir: string) => tagsOf(gitdir).list()

const listedByGit = (gitdir: string) => git(gitdir, 'show-ref', '--tags', '--dereference').split('\n')

/** Returns our list of the tags in git's format. */
function listedByUs(gitdir: string, tags = tagsOf(gitdir)): string[] {
  return tags
    .list()
    .flatMap(({ name, oid, peeled }) =>
      peeled === undefined ? [`${oid} ${name}`] : [`${oid} ${name}`, `${peeled} ${name}^{}`],
    )
}

/** Counts how often the work reads a whole file. */
function countReads(work: () => unknown): number {
  const { readFileSync } = fs
  let reads = 0
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
    reads++
    return readFileSync(...args)
  }) as typeof readFileSync
  syncBuiltinESMExports()
  try {
    work()
  } finally {
    fs.readFileSync = readFileSync
    syncBuiltinESMExports()
  }
  return reads
}

describe('the tags of a repository', () => {
  it("equal git's list: loose, packed, moved since, annotated, tags of tags, and with names of any script", () => {
    withSite(SITE, (gitdir, first) => {
      git(gitdir, 'tag', 'light', first)
      git(gitdir, 'tag', '-a', '-m', 'x', 'annotated', first)
      git(gitdir, 'tag', '-a', '-m', 'x', 'of-a-tag', 'annotated')
      git(gitdir, 'tag', '-a', '-m', 'x', 'moved', first)
      for (const name of ['Ä/é', '\u{1f600}', '\uffee']) git(gitdir, 'tag', name, first)
      assert.deepEqual(listedByUs(gitdir), listedByGit(gitdir))
      git(gitdir, 'pack-refs', '--all')
      git(gitdir, 'tag', '--force', 'moved', 'annotated')
      git(gitdir, 'tag', 'loose', first)
      assert.deepEqual(listedByUs(gitdir), listedByGit(gitdir))
      assert.deepEqual(readTags(gitdir), new Map(listIn(gitdir).map(({ name, oid }) => [name, oid])))
    })
  })

  it("equal git's list after each change, with any of them loose", () => {
    withSite(SITE, (gitdir, first) => {
      const tags = tagsOf(gitdir)
      const names = ['b', 'd', 'f/1', 'f/2', 'h']
      for (const name of names) git(gitdir, 'tag', '-a', '-m', 'x', name, first)
      git(gitdir, 'pack-refs', '--all')
      const changes = [
        ['tag', 'a', first],
        ['tag', 'z', first],
        ['tag', '-a', '-m', 'x', 'e', 'b'],
        ['tag', '--force', 'b', first],
        ['tag', '--force', 'h', 'd'],
        ['tag', '--delete', 'f/1'],
        ['tag', 'f/0', first],
        ['tag', '--force', 'a', 'd'],
        ['pack-refs', '--all'],
        ['tag', '--delete', 'z', 'b'],
        ['tag', 'b/under', first],
      ]
      for (const change of changes) {
        git(gitdir, ...change)
        assert.deepEqual(listedByUs(gitdir, tags), listedByGit(gitdir), change.join(' '))
      }
    })
  })

  it("equal git's list even if packed-refs has no peeled ids", () => {
    withSite(SITE, (gitdir, first) => {
      git(gitdir, 'tag', '-a', '-m', 'x', 'annotated', first)
      const lines = ['annotated', 'light'].map((name) => {
        const oid = name === 'light' ? first : git(gitdir, 'rev-parse', 'refs/tags/annotated')
        return `${oid} refs/tags/${name}\n`
      })
      rmSync(join(gitdir, 'refs/tags/annotated'))
      writeFileSync(join(gitdir, 'packed-refs'), lines.join(''))
      assert.deepEqual(listedByUs(gitdir), listedByGit(gitdir))
    })
  })

  it('are found by reading packed-refs once, for any number of them', () => {
    withSite(SITE, (gitdir, first) => {
      writeLooseTags(gitdir, MANY, first)
      git(gitdir, 'pack-refs', '--all')
      const reads = countReads(() => assert.equal(listIn(gitdir).length, MANY.length))
      assert.ok(reads < 10, `${reads} files were read`)
      const again = countReads(() => assert.equal(readTags(gitdir).size, MANY.length))
      assert.ok(again < 10, `${again} files were read`)
    })
  })

  it('are all found while git packs them', async () => {
    await withSite(SITE, async (gitdir, first) => {
      writeLooseTags(gitdir, MANY, first)
      const state = { isPacked: false }
      const packed = spawnGit(gitdir, 'pack-refs', '--all').finally(() => (state.isPacked = true))
      do {
        assert.equal(listIn(gitdir).length, MANY.length)
        assert.equal(readTags(gitdir).size, MANY.length)
        await new Promise((resolve) => setImmediate(resolve))
      } while (!state.isPacked)
      await packed
      assert.equal(listIn(gitdir).length, MANY.length)
    })
  })

  it('are listed without those whose object is missing or whose file holds no oid, even if an older one is packed', () => {
    withSite(SITE, (gitdir, first) => {
      git(gitdir, 'tag', 'good', first)
      git(gitdir, 'tag', 'damaged', first)
      const content = `object ${first}\ntype commit\ntag gone\ntagger A <a@b> 1700000000 +0000\n\nx\n`
      const gone = gitOid(gitdir, content, 'hash-object', '-w', '-t', 'tag', '--stdin')
      git(gitdir, 'tag', 'gone', gone)
      git(gitdir, 'tag', 'gone-and-loose', gone)
      git(gitdir, 'pack-refs', '--all')
      rmSync(join(gitdir, 'objects', gone.slice(0, 2), gone.slice(2)))
      writeFileSync(join(gitdir, 'refs/tags/damaged'), 'no oid\n')
      writeFileSync(join(gitdir, 'refs/tags/gone-and-loose'), `${gone}\n`)
      const names = listIn(gitdir).map(({ name }) => name)
      assert.deepEqual(names, ['refs/tags/good'])
    })
  })
})
