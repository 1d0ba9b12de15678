// Names the folders that a push leaves without a start page, although it brings a file that is meant as one.

import { findEntry, MODE_TREE, type TreeEntry } from '../../../git/objects/tree.js'
import type { Oid } from '../../../git/objects/oid.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { isContentPath } from '../../../model/paths/file-path.js'
import { startPageMeantBy } from '../../../model/paths/start-page.js'
import { REDIRECTS_FILE } from '../../../model/rules/redirects-file.js'
import { isFile } from '../../format/file-mode.js'
import type { NewEntry } from './tree-entries.js'
import { pushWarning } from './push-messages.js'

/** The most files that are looked at. */
const MAX_FILES = 500
/** More lines would hide what else is said. */
const MAX_LINES = 20

export class StartPages {
  readonly #objects: ObjectReader
  readonly #was: Oid | undefined
  readonly #is: Oid
  readonly #added: string[] = []

  /** Compares the tree that main has, if it has one, with the one that it will have. */
  constructor(objects: ObjectReader, was: Oid | undefined, is: Oid) {
    this.#objects = objects
    this.#was = was
    this.#is = is
  }

  note({ mode, folder, name }: NewEntry): void {
    if (this.#added.length === MAX_FILES || !isFile(mode)) return
    const path = `${folder}${name.toString()}`
    const mayStart = folder === '' || startPageMeantBy(path) !== undefined
    if (mayStart && isContentPath(path) && !isFile(this.#entry(this.#was, path)?.mode)) this.#added.push(path)
  }

  /** Returns a line for each file that is meant as a start page. With new files at the root, a site without one gets a line too. */
  warnings(): string[] {
    const has = (path: string) => this.#entry(this.#is, path) !== undefined
    const meant = this.#added.filter((path) => !has(startPageMeantBy(path) ?? path))
    const faults = meant.map((path) => `${path} is no start page: name it index.html`)
    const isTold = meant.some((path) => !path.includes('/'))
    // A rule may answer at the root.
    const hasNone = this.#added.some((path) => !path.includes('/')) && !has('index.html') && !has(REDIRECTS_FILE)
    if (hasNone && !isTold) faults.push('the site has no start page, so / is 404: add index.html')
    return faults.slice(0, MAX_LINES).map(pushWarning)
  }

  #entry(tree: Oid | undefined, path: string): TreeEntry | undefined {
    let entry: TreeEntry | undefined = tree === undefined ? undefined : { mode: MODE_TREE, name: '', oid: tree }
    for (const name of path.split('/'))
      entry = entry?.mode === MODE_TREE ? findEntry(this.#objects.readTree(entry.oid), name) : undefined
    return entry
  }
}
