// Which sidecar names which path, for one site in its writer: a path's id must survive an unpublish.
// Loaded on first need, then moved from tree to tree by their difference.

import type { Oid } from '../git/oid.js'
import { MODE_TREE, parseTree } from '../git/tree.js'
import type { PagePath } from '../model/page-path.js'
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
    const before = this.#sidecarFolders(this.#oid)
    const after = this.#sidecarFolders(now)
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(name) !== after.get(name)) this.#advanceFolder(name, before.get(name), after.get(name))
    }
    this.#oid = now
  }

  #advanceFolder(folder: string, before: Oid | undefined, after: Oid | undefined): void {
    const old = this.#files(before)
    const now = this.#files(after)
    for (const [name, oid] of old) if (now.get(name) !== oid) this.#move(folder, name, oid, 'drop')
    for (const [name, oid] of now) if (old.get(name) !== oid) this.#move(folder, name, oid, 'add')
  }

  #move(folder: string, name: string, oid: Oid, way: 'add' | 'drop'): void {
    const file = parseMetadataPath(`${SIDECAR_DIR}/${folder}/${name}`)
    const sidecar = file?.kind === 'sidecar' ? parseSidecar(this.#tree.readBlob(oid)) : undefined
    if (file?.kind !== 'sidecar' || sidecar === undefined) return
    const others = (this.#ids.get(sidecar.path) ?? []).filter((id) => id !== file.pageId)
    if (way === 'add') others.push(file.pageId)
    if (others.length === 0) this.#ids.delete(sidecar.path)
    else this.#ids.set(sidecar.path, others)
  }

  #sidecarFolders(oid: Oid | undefined): Map<string, Oid> {
    const entries = oid === undefined ? [] : parseTree(this.#tree.readTree(oid)).entries
    return new Map(entries.filter(({ mode }) => mode === MODE_TREE).map((entry) => [entry.name, entry.oid]))
  }

  #files(oid: Oid | undefined): Map<string, Oid> {
    const entries = oid === undefined ? [] : parseTree(this.#tree.readTree(oid)).entries
    return new Map(entries.filter((entry) => isFile(entry.mode)).map((entry) => [entry.name, entry.oid]))
  }
}

/** A regular file, executable or not: symbolic links and submodules are never content. */
export function isFile(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o170000) === 0o100000
}
