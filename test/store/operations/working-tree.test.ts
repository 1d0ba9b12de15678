import assert from 'node:assert/strict'
import { type GitObject, type NewObject, newObject } from '../../../src/git/objects/object.js'
import { MODE_BLOB, MODE_TREE, patchTree } from '../../../src/git/objects/tree.js'
import { ObjectReader } from '../../../src/git/storage/object-reader.js'
import { WorkingTree } from '../../../src/store/operations/working-tree.js'

/** Objects in memory, of which one cannot be read for a while. */
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
  it('keeps nothing staged where a folder cannot be read while it is flushed', () => {
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
})
