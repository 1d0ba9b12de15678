import assert from 'node:assert/strict'
import { newObject, type NewObject } from '../../../src/git/objects/object.js'
import { DraftObjects } from '../../../src/git/storage/draft-objects.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { measureTree } from '../../../src/store/pushing/measure-tree.js'
import { git } from '../../support/git.js'
import { storeCommit, withSite } from '../../git/scratch-repository.js'

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
      assert.deepEqual(measureTree(new ObjectDatabase(gitdir), tree, 100, 10), {
        entries: lines.length,
        nameBytes: Buffer.byteLength(lines.join('\n')) + 1,
        depth: Math.max(...lines.map((line) => line.split('/').length)),
      })
    })
  })

  it('is infinite, and found at once, if a folder contains another many times or lies too deep', () => {
    withSite(SITE, (gitdir) => {
      const repository = new ObjectDatabase(gitdir)
      for (const [width, levels, maxDepth] of [
        [10, 12, 512],
        [1, 30, 20],
      ] as const) {
        const objects: NewObject[] = [newObject('tree', Buffer.alloc(0))]
        for (let level = 0; level < levels; level++) {
          const oid = Buffer.from(objects.at(-1)?.oid ?? '', 'hex')
          const entries = Array.from({ length: width }, (_, n) => [Buffer.from(`40000 ${width}-${n}\0`), oid])
          objects.push(newObject('tree', Buffer.concat(entries.flat())))
        }
        const draft = new DraftObjects(repository, objects)
        assert.equal(measureTree(draft, objects.at(-1)?.oid ?? '', 500_000, maxDepth).entries, Infinity)
      }
    })
  })
})
