import assert from 'node:assert/strict'
import { newObject } from '../../../src/git/objects/object.js'
import { MODE_BLOB, MODE_TREE, patchTree, type TreeEntry } from '../../../src/git/objects/tree.js'
import { WalkedFolders } from '../../../src/repository/format/walked-folders.js'

const FILE = '1'.repeat(40)
const DEPTH = 100

describe('the folders on the way to a file', () => {
  /** Trees by oid, how often they were read, and how many more reads succeed. */
  const trees = new Map<string, Buffer>()
  let reads = 0
  let left = Infinity
  const objects = {
    readTree(oid: string): Buffer {
      if (left-- <= 0) throw new Error('not now')
      reads++
      return trees.get(oid) ?? Buffer.alloc(0)
    },
  }
  const treeOf = (...entries: TreeEntry[]): string => {
    const { oid, content } = newObject('tree', patchTree(Buffer.alloc(0), entries))
    trees.set(oid, content)
    return oid
  }
  const file = (name: string): TreeEntry => ({ mode: MODE_BLOB, name, oid: FILE })
  const deep = 'a/'.repeat(DEPTH)
  let root: string

  before(() => {
    root = treeOf(file('deepest'))
    for (let level = 0; level < DEPTH; level++) {
      const others = level === DEPTH / 2 ? [file('404.html')] : []
      root = treeOf({ mode: MODE_TREE, name: 'a', oid: root }, ...others)
    }
  })
  beforeEach(() => {
    reads = 0
    left = Infinity
  })

  it('are walked once for all look-ups in the same folder', () => {
    const folders = new WalkedFolders(objects, root)
    assert.equal(folders.entry(`${deep}deepest`)?.oid, FILE)
    assert.equal(reads, DEPTH + 1)
    assert.equal(folders.entry(`${deep}none`), undefined)
    assert.equal(folders.entry(`${deep}deepest/none`), undefined)
    assert.equal(folders.entry('a')?.mode, MODE_TREE)
    assert.equal(folders.entry('none'), undefined)
    assert.equal(folders.entry(`${deep}deepest`)?.oid, FILE)
    assert.ok(reads < DEPTH + 10, `${reads} trees were read`)
  })

  it('are not walked again after a later read failed', () => {
    const folders = new WalkedFolders(objects, root)
    let tries = 1
    for (left = 10; ; left = 10, tries++) {
      try {
        folders.entry(`${deep}deepest`)
        break
      } catch {
        // It is tried again.
      }
    }
    assert.equal(reads, DEPTH + 1)
    assert.equal(tries, Math.ceil((DEPTH + 1) / 10))
  })

  it('give the nearest file above a path, and its place', () => {
    const folders = new WalkedFolders(objects, root)
    const wanted = ({ mode }: TreeEntry) => mode === MODE_BLOB
    const above = 'a/'.repeat(DEPTH / 2 - 1)
    assert.equal(folders.nearest(deep.slice(0, -1), '404.html', wanted)?.path, `${above}404.html`)
    assert.equal(folders.nearest(`${deep}none/none`, '404.html', wanted)?.path, `${above}404.html`)
    assert.equal(folders.nearest('a/a', '404.html', wanted), undefined)
    assert.equal(folders.nearest('', '404.html', wanted), undefined)
  })
})
