// Warns of entries that visitors do not get as meant: submodules, pointers of Git LFS, and links that lead to nothing. Also warns of
// content below names that are never served, and of pages that are too large to be more than files.

import type { Oid } from '../../../git/objects/oid.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { type FileSizes, wordsOfLargePage } from '../../../model/limits.js'
import { isPageFile } from '../../../model/paths/page-path.js'
import { isFile } from '../../format/file-mode.js'
import { whyHidden } from '../../format/hidden-content.js'
import { isLfsPointer, LFS_POINTER, MAX_POINTER_BYTES } from '../../format/lfs-pointer.js'
import { LinkedFolders, whyNoAlias } from '../../format/linked-folders.js'
import type { NewEntry } from './tree-entries.js'
import { pushWarning } from './push-messages.js'

/** More lines would not fit on a terminal; the API's checks name all of them. */
const MAX_LINES = 10
/** The most files that are looked at: each look reads a little. */
const MAX_FILES = 50_000

export class UnservedEntries {
  readonly #objects: ObjectReader
  readonly #linked: LinkedFolders
  readonly #sizes: FileSizes
  readonly #lines: string[] = []
  #count = 0
  #filesRead = 0

  /** `tree` is the one that main will have. */
  constructor(objects: ObjectReader, tree: Oid, sizes: FileSizes) {
    this.#objects = objects
    this.#sizes = sizes
    this.#linked = new LinkedFolders(objects, tree)
  }

  note(entry: NewEntry): void {
    const reason = this.#reasonAgainst(entry)
    if (reason === undefined || ++this.#count > MAX_LINES) return
    this.#lines.push(pushWarning(`${entry.folder}${entry.name.toString()}: ${reason}`))
  }

  /** Returns a line for each of the first entries, and one for the others. */
  warnings(): string[] {
    const more = this.#count - this.#lines.length
    const rest = more > 0 ? [pushWarning(`${more} more entries are not served as meant.`)] : []
    return [...this.#lines, ...rest]
  }

  #reasonAgainst({ kind, mode, oid, folder, name }: NewEntry): string | undefined {
    if (kind === 'tree') return undefined
    if (kind === 'commit') return 'A submodule is never served. Push its files themselves.'
    if (++this.#filesRead > MAX_FILES) return undefined
    const path = `${folder}${name.toString()}`
    if (!isFile(mode)) return whyNoAlias(path, this.#linked.entry(path))
    const hidden = whyHidden(path)
    if (hidden !== undefined) return hidden
    if (isPageFile(path) && this.#objects.readHeader(oid).size > this.#sizes.maxHtmlBytes)
      return wordsOfLargePage(this.#sizes)
    return isLfsPointer(this.#objects.readBlobWithin(oid, MAX_POINTER_BYTES)) ? LFS_POINTER : undefined
  }
}
