import assert from 'node:assert/strict'
import { type GitObject, type NewObject, newObject } from '../../../src/git/objects/object.js'
import { diffTrees } from '../../../src/git/objects/diff.js'
import { MODE_BLOB, MODE_TREE, patchTree } from '../../../src/git/objects/tree.js'
import { ObjectReader } from '../../../src/git/storage/object-reader.js'
import { WorkingTree } from '../../../src/repository/staging/working-tree.js'

const EMPTY = newObject('tree', Buffer.alloc(0))

/** Objects in memory; one of them cannot be read for a while. */
class Objects extends ObjectReader {
  unreadable = ''
  readonly #objects = new Map<string, NewObject>()

  add(object: NewObject): string {
    this.#objects.set(object.oid, object)
    return object.oid
  }

  override read(oid: string): GitObject {
    const found = this.#objects.get(oid)
    if (found === undefined || oid === this.unreadable) throw new Error(`${oid} cannot be read`)
    return found
  }

  override readHeader(oid: string) {
    const { type, content } = this.read(oid)
    return { type, size: content.length }
  }

  override async *readLargeBlob(oid: string): AsyncGenerator<Buffer> {
    yield this.readBlob(oid)
  }
}

describe('a working tree', () => {
  it('drops what is staged if a folder cannot be read during a flush', () => {
    const objects = new Objects()
    const blob = objects.add(newObject('blob', Buffer.from('old')))
    const folderOf = (name: string, mode: number, oid: string) =>
      objects.add(newObject('tree', patchTree(Buffer.alloc(0), [{ name, mode, oid }])))
    const docs = folderOf('a.html', MODE_BLOB, blob)
    const tree = new WorkingTree(objects, folderOf('docs', MODE_TREE, docs))

    objects.unreadable = docs
    tree.put('docs/refused.html', Buffer.from('refused'))
    assert.throws(() => tree.flush(), /cannot be read/)
    objects.unreadable = ''

    assert.equal(tree.entry('docs/refused.html'), undefined, 'sent again, it is a change')
    tree.put('docs/other.html', Buffer.from('other'))
    tree.flush()
    assert.equal(tree.entry('docs/refused.html'), undefined, 'no other write makes it')
    assert.notEqual(tree.entry('docs/other.html'), undefined)
  })

  it('reads each folder on the way to a file at most a few times, at any depth', () => {
    const depth = 300
    const objects = new Objects()
    let reads = 0
    class Counting extends WorkingTree {
      override readTree(oid: string): Buffer {
        reads++
        return super.readTree(oid)
      }
    }
    const tree = new Counting(objects, objects.add(EMPTY))
    const pathOf = (name: string) => `${'a/'.repeat(depth)}${name}`
    const namesOnTheWay = (name: string) => [...tree.along(pathOf(name))].length
    tree.put(pathOf('first.html'), Buffer.from('first'))
    tree.flush()
    reads = 0
    assert.equal(namesOnTheWay('second.html'), depth + 1)
    assert.notEqual(tree.entry(pathOf('first.html')), undefined)
    assert.ok(reads <= 4 * depth, `${reads} reads for one path`)
    reads = 0
    for (let i = 0; i < 20; i++) namesOnTheWay(`page-${i}.html`)
    assert.ok(reads <= 20 * 2 * depth, `${reads} reads for twenty paths`)
  })

  it('has the result of its edits, in any order of edits, flushes and refusals', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = makeRandom(seed)
      const objects = new Objects()
      const tree = new WorkingTree(objects, objects.add(EMPTY))
      let kept = new Map<string, string>()
      let now = new Map<string, string>()
      for (let step = 0; step < 80; step++) {
        const path = PATHS[random(PATHS.length)] ?? ''
        const action = random(10)
        if (action === 0) {
          for (const object of tree.flush()) objects.add(object)
          kept = new Map(now)
        } else if (action === 1) {
          tree.discard()
          now = new Map(kept)
        } else if (action < 5) {
          if (!now.has(path)) continue
          tree.remove(path)
          now.delete(path)
        } else if (isFree(now, path)) {
          now.set(path, tree.put(path, Buffer.from(`${seed} ${step}`)))
        }
        for (const one of PATHS) assertEntry(tree, now, one)
      }
      for (const object of tree.flush()) objects.add(object)
      const files = [...diffTrees(objects, undefined, tree.root)].map(({ path, after }) => [path, after?.oid])
      assert.deepEqual(new Map(files as [string, string][]), now)
    }
  })

  it('finds a name equal under case folding, also of a folder, until it is staged for removal', () => {
    const objects = new Objects()
    const tree = new WorkingTree(objects, objects.add(EMPTY))
    const likeOf = (path: string) => [...tree.along(path)].map(({ like }) => like)
    tree.put('Docs/a.html', Buffer.from('a'))
    assert.deepEqual(likeOf('docs/b.html'), ['Docs'])
    for (const object of tree.flush()) objects.add(object)
    assert.deepEqual(likeOf('docs/b.html'), ['Docs'])
    assert.deepEqual(likeOf('Docs/A.html'), [undefined, 'Docs/a.html'])
    tree.put('docs/b.html', Buffer.from('b'))
    assert.deepEqual(likeOf('docs/b.html'), ['Docs', undefined], 'its own name is staged, too')
    tree.discard()
    tree.remove('Docs/a.html')
    assert.deepEqual(likeOf('docs/b.html'), [undefined])
    tree.put('docs/b.html', Buffer.from('b'))
    assert.deepEqual(likeOf('Docs/c.html'), ['docs'])
    for (const object of tree.flush()) objects.add(object)
    assert.deepEqual(likeOf('DOCS/c.html'), ['docs'])
    assert.equal(tree.entry('Docs'), undefined)
  })
})

const PATHS = ['a', 'b', 'a/a', 'a/b', 'a/b/c', 'a/b/d', 'c/d/e/f', 'c/d/e', 'c/d', 'c/x', 'd.html', 'd/d.html']

/** Whether a file may stand there: no folder has its name, and no file that of one of its folders. */
function isFree(files: ReadonlyMap<string, string>, path: string): boolean {
  return [...files.keys()].every((other) => !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`))
}

function assertEntry(tree: WorkingTree, files: ReadonlyMap<string, string>, path: string): void {
  const isFolder = [...files.keys()].some((other) => other.startsWith(`${path}/`))
  const entry = tree.entry(path)
  if (isFolder) assert.equal(entry?.mode, MODE_TREE, path)
  else assert.equal(entry?.oid, files.get(path), path)
  const last = [...tree.along(path)].at(-1)
  assert.equal(last?.isLast === true ? last.entry?.oid : undefined, entry?.oid, path)
}

/** Whole numbers below a bound, the same for the same seed (mulberry32). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below) >>> 0
  }
}
