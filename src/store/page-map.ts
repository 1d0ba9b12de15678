// Which sidecar names which path, for one site in its writer: a path's id must survive an unpublish.
// Loaded on first need, then moved from tree to tree by their difference.

import { diffTrees } from '../git/diff.js'
import type { Oid } from '../git/oid.js'
import { MODE_TREE } from '../git/tree.js'
import type { PagePath } from '../model/page-path.js'
import { isFile } from './file-mode.js'
import { parseMetadataPath, parseSidecar, SIDECAR_DIR } from './site-format.js'
import type { WorkingTree } from './working-tree.js'

export class PageMap {
  #tree: WorkingTree
  /** The `.pages` tree that the map is true for. */
  #oid: Oid | undefined
  #ids = new Map<PagePath, string[]>()

  constructor(tree: WorkingTree) {
    this.#tree = tree
  }

  /** The id of the page at `path`, live or unpublished; where two sidecars name one path, the lower id. */
  idAt(path: PagePath): string | undefined {
    this.#advance()
    const ids = this.#ids.get(path)
    return ids?.reduce((lowest, id) => (id < lowest ? id : lowest))
  }

  #advance(): void {
    const entry = this.#tree.entry(SIDECAR_DIR)
    const now = entry?.mode === MODE_TREE ? entry.oid : undefined
    if (now === this.#oid) return
    for (const { path, before, after } of diffTrees(this.#tree, this.#oid, now)) {
      const file = parseMetadataPath(`${SIDECAR_DIR}/${path}`)
      if (file?.kind !== 'sidecar') continue
      if (isFile(before?.mode)) this.#drop(file.pageId, before?.oid)
      if (isFile(after?.mode)) this.#add(file.pageId, after?.oid)
    }
    this.#oid = now
  }

  #drop(pageId: string, oid: Oid | undefined): void {
    const path = this.#pathIn(oid)
    const others = (path && this.#ids.get(path))?.filter((id) => id !== pageId) ?? []
    if (path !== undefined && others.length > 0) this.#ids.set(path, others)
    else if (path !== undefined) this.#ids.delete(path)
  }

  #add(pageId: string, oid: Oid | undefined): void {
    const path = this.#pathIn(oid)
    if (path !== undefined) this.#ids.set(path, [...(this.#ids.get(path) ?? []), pageId])
  }

  #pathIn(oid: Oid | undefined): PagePath | undefined {
    return oid === undefined ? undefined : parseSidecar(this.#tree.readBlob(oid))?.path
  }
}
