// Reads bytes of a pack at an offset. A repository may have thousands of small packs, so few files stay open.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { filesToKeepOpen } from '../../threads/usable-descriptors.js'
import { ObjectCorrupt } from '../objects/errors.js'

/** Limit for all repositories that a thread reads. An open file can still be read after its removal. */
const MAX_OPEN_FILES = filesToKeepOpen(48)
const open = new LRUCache<PackFile, { fd: number; size: number }>({
  max: MAX_OPEN_FILES,
  dispose: ({ fd }) => closeSync(fd),
})

export class PackFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Size in bytes. Throws ENOENT if the file is gone. */
  get size(): number {
    return this.#opened().size
  }

  /** Reads from `offset` up to `length` bytes, or fewer at the end. */
  read(offset: number, length: number): Buffer {
    const { fd, size } = this.#opened()
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(fd, bytes, done, bytes.length - done, offset + done)
      if (count === 0) throw new ObjectCorrupt('a pack', 'it is cut short')
      done += count
    }
    return bytes
  }

  close(): void {
    open.delete(this)
  }

  #opened(): { fd: number; size: number } {
    const known = open.get(this)
    if (known !== undefined) return known
    const fd = openSync(this.#path, 'r')
    const opened = { fd, size: fstatSync(fd).size }
    open.set(this, opened)
    return opened
  }
}
