// Lists the changes that lead from the head back to an earlier commit, in all paths or in chosen ones. Ids stay: a page that was made since
// keeps its sidecar, and one that moved since moves back only if both places are chosen.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { assetPathOf, pagePathOfUrl } from '../../model/paths/page-path.js'
import { isFile } from '../format/file-mode.js'
import { parseFormer } from '../format/former-address.js'
import { isSidecar, MAX_SIDECAR_BYTES, parseMetadataPath, SITE_FILE } from '../format/site-format.js'
import type { Undoing } from '../protocol/write.js'
import { choosePaths, type ChosenPaths } from './chosen-paths.js'
import { hasPage, pagesIn, pathInSidecar, withoutKeptSidecars } from './kept-sidecars.js'

type Back = Extract<Undoing, { backTo: string }>
type Entry = TreeChange['after']

/** Returns the subject of the commit that goes back. */
export function subjectOfReturn({ backTo, paths }: Back): string {
  const place = paths && (paths.length === 1 ? ` in ${paths[0]}` : ` in ${paths.length} places`)
  return `Go back to ${backTo.slice(0, 10)}${place ?? ''}`
}

/** The site file never changes. */
export function changesBack(objects: ObjectReader, siteId: string, head: Oid, { backTo, paths }: Back): TreeChange[] {
  const trees = [head, backTo].map((commit) => objects.readCommit(commit).tree) as [Oid, Oid]
  const all = [...diffTrees(objects, ...trees)].filter(({ path }) => path !== SITE_FILE)
  const chosen = paths && choosePaths(paths)
  const changes = chosen === undefined ? all : all.filter((change) => isChosen(objects, change, chosen))
  const pagesThen = () => pagesIn(objects, trees[1]).filter((path) => chosen?.hasPage(path) ?? true)
  return withoutKeptSidecars(siteId, changes, pagesThen, (change) => hasPage(objects, trees[1], change))
}

function isChosen(objects: ObjectReader, { path, before, after }: TreeChange, chosen: ChosenPaths): boolean {
  if (isSidecar(path)) {
    const named = [before, after].flatMap((entry) => pathInSidecar(objects, entry) ?? [])
    return named.length > 0 && named.every((page) => chosen.hasPage(page))
  }
  if (parseMetadataPath(path)?.kind !== 'former') return chosen.hasFile(path)
  const bytes = read(objects, after ?? before)
  const from = bytes && parseFormer(path, bytes)?.from
  return from !== undefined && isAddressChosen(from, chosen)
}

function isAddressChosen(url: string, chosen: ChosenPaths): boolean {
  const [page, file] = [pagePathOfUrl(url), assetPathOf(url)]
  return (page !== undefined && chosen.hasPage(page)) || (file !== undefined && chosen.hasFile(file))
}

function read(objects: ObjectReader, entry: Entry): Buffer | undefined {
  return entry !== undefined && isFile(entry.mode) ? objects.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
}
