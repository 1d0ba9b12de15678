import assert from 'node:assert/strict'
import { newObject, type NewObject } from '../../../../src/git/objects/object.js'
import { DraftObjects } from '../../../../src/git/storage/draft-objects.js'
import { ObjectDatabase } from '../../../../src/git/storage/object-database.js'
import { measureTree } from '../../../../src/repository/pushing/judge/tree-rules.js'
import { git } from '../../../support/git.js'
import { storeCommit, withSite } from '../../../git/scratch-repository.js'

const SITE = { 'index.html': 'hello' }

describe('the measure of a tree', () => {
  it('equals that of the list that git prints', () => {
    withSite(SITE, (gitdir, first) => {
      const files = {
        ...SITE,
        'a/one.html': '1',
        'a/b/two.html': '2',
        'a/b/c/d.html': '3',
        'z/b/two.html': '2',
        'ä.html': '4',
      }
      const { oid } = storeCommit(gitdir, files, [first])
      const lines = git(gitdir, '-c', 'core.quotePath=false', 'ls-tree', '-r', '-t', '--name-only', oid).split('\n')
      const tree = git(gitdir, 'rev-parse', `${oid}^{tree}`)
      assert.deepEqual(measureTree(new ObjectDatabase(gitdir), tree), {
        entries: lines.length,
        pathBytes: Buffer.byteLength(lines.join('\n')) + 1,
        depth: Math.max(...lines.map((line) => line.split('/').length)),
      })
    })
  })

  /** A tree of so many levels, each of so many equal folders. */
  function nest(levels: number, width: number): NewObject[] {
    const objects: NewObject[] = [newObject('tree', Buffer.alloc(0))]
    for (let level = 0; level < levels; level++) {
      const oid = Buffer.from(objects.at(-1)?.oid ?? '', 'hex')
      const entries = Array.from({ length: width }, (_, n) => [Buffer.from(`40000 ${width}-${n}\0`), oid])
      objects.push(newObject('tree', Buffer.concat(entries.flat())))
    }
    return objects
  }

  it('is found by reading each folder once, however often it is named', () => {
    withSite(SITE, (gitdir) => {
      const objects = nest(12, 10)
      const draft = new DraftObjects(new ObjectDatabase(gitdir), objects)
      const { entries, depth } = measureTree(draft, objects.at(-1)?.oid ?? '')
      assert.deepEqual([entries, depth], [1_111_111_111_110, 12])
    })
  })

  it('is infinitely deep past a thousand levels, also of many equal folders', () => {
    withSite(SITE, (gitdir) => {
      for (const width of [1, 3]) {
        const objects = nest(1001, width)
        const draft = new DraftObjects(new ObjectDatabase(gitdir), objects)
        assert.equal(measureTree(draft, objects.at(-1)?.oid ?? '').depth, Infinity)
        assert.equal(measureTree(draft, objects.at(-2)?.oid ?? '').depth, 1000)
      }
    })
  })
})
