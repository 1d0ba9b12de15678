// Stages what visitors get at the addresses of pages and files that go, and ends that where something is published again.

import { placeOfFile, placeOfUrl } from '../../model/paths/link-place.js'
import { isContentPath } from '../../model/paths/file-path.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { isFile } from '../format/file-mode.js'
import { encodeFormer, followFormer, formerPathOf, type ReadFile } from '../format/former-address.js'
import { FORMER_DIR, MAX_SIDECAR_BYTES } from '../format/site-format.js'
import type { WorkingTree } from './working-tree.js'

/** Where an address leads from now on. */
export type Leads = { page: string } | { to: string } | { gone: true }

/** Stages the answer at an address, the path of a URL. Returns false if it is the answer already. */
export function leaveAddress(tree: WorkingTree, from: string, leads: Leads): boolean {
  const place = placeOfUrl(from)
  // A name that no URL can have was at no address.
  if (place === undefined) return false
  const path = formerPathOf(place)
  const bytes = encodeFormer({ from, ...leads })
  const entry = tree.entry(path)
  if (entry !== undefined && isFile(entry.mode) && tree.hasBytes(entry.oid, bytes)) return false
  tree.put(path, bytes)
  return true
}

/** Ends what visitors got at an address. */
export function endAddress(tree: WorkingTree, place: string | undefined): void {
  if (place === undefined || tree.entry(FORMER_DIR)?.mode !== MODE_TREE) return
  const path = formerPathOf(place)
  if (tree.entry(path) !== undefined) tree.remove(path)
}

/** Ends the former addresses at which the staged edits of these paths publish something. */
export function endTakenAddresses(tree: WorkingTree, edited: Iterable<string>): void {
  if (tree.entry(FORMER_DIR)?.mode !== MODE_TREE) return
  for (const path of edited) {
    if (!isContentPath(path) || !isFile(tree.entry(path)?.mode) || isFile(tree.flushedEntry(path)?.mode)) continue
    endAddress(tree, placeOfFile(path))
  }
}

/** Whether a redirect from the place to this path of the site would lead back to the place. */
export function leadsBack(tree: WorkingTree, place: string | undefined, to: string): boolean {
  const pathOf = (text: string) => (/^\/(?!\/)/.test(text) ? text : undefined)
  const start = placeOfUrl((pathOf(to) ?? '').replace(/[?#].*$/s, ''))
  if (start === undefined) return false
  if (start === place) return true
  // A chain that reaches the place is there: it stops as it would at a page.
  let isBack = false
  const isThere = (pathname: string) => (isBack ||= placeOfUrl(pathname) === place)
  followFormer(readIn(tree), start, { isThere, inSite: pathOf })
  return isBack
}

function readIn(tree: WorkingTree): ReadFile {
  return (path) => {
    const entry = tree.entry(path)
    return entry !== undefined && isFile(entry.mode) ? tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
  }
}
