// Tells how a page whose file a push renames without its sidecar keeps its id. Otherwise it is unpublished, and the file is a new page.

import { diffTrees, type TreeChange } from '../../../git/objects/diff.js'
import type { Oid } from '../../../git/objects/oid.js'
import { findEntry, MODE_TREE, parseTree } from '../../../git/objects/tree.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { freeDerivedId } from '../../../model/ids.js'
import { type PagePath, pagePathOf, urlPathOf } from '../../../model/paths/page-path.js'
import { placeOfUrl } from '../../../model/paths/link-place.js'
import { isFile } from '../../format/file-mode.js'
import { encodeFormer, formerPathOf } from '../../format/former-address.js'
import {
  encodeSidecar,
  MAX_SIDECAR_BYTES,
  parseMetadataPath,
  parseSidecar,
  SIDECAR_DIR,
  sidecarPathOf,
} from '../../format/site-format.js'
import { pushWarning } from './push-messages.js'

/** More lines would not fit on a terminal. */
const MAX_LINES = 5
/** The most changed files and sidecars that are looked at. */
const MAX_LOOKED_AT = 5_000

/** A page's file that came under another name with the same bytes. */
interface Rename {
  from: { path: PagePath; treePath: string }
  to: { path: PagePath; treePath: string }
}

type Known = NonNullable<ReturnType<typeof parseSidecar>> & { pageId: string }

/** Returns a warning for each of the first renames, with the command that makes it a move and leaves a redirect. */
export function warnOfRenames(objects: ObjectReader, was: Oid | undefined, is: Oid, siteId: string): string[] {
  const changes = was === undefined ? undefined : changesWithin(objects, was, is)
  if (changes === undefined || was === undefined) return []
  const all = findRenames(objects, changes)
  const renames = all.slice(0, MAX_LINES)
  const sidecars = renames.length === 0 ? undefined : readSidecars(objects, was)
  if (sidecars === undefined) return []
  const more = all.length - renames.length
  const rest = `${more} more pages were renamed so: each needs its sidecar.`
  return [...renames.flatMap((rename) => adviceFor(rename, sidecars, siteId)), ...(more > 0 ? [pushWarning(rest)] : [])]
}

/** Returns undefined for too many changes. */
function changesWithin(objects: ObjectReader, was: Oid, is: Oid): TreeChange[] | undefined {
  const changes: TreeChange[] = []
  for (const change of diffTrees(objects, was, is)) if (changes.push(change) > MAX_LOOKED_AT) return undefined
  return changes
}

/** Finds the renames, but those whose new path a pushed sidecar names. */
function findRenames(objects: ObjectReader, changes: readonly TreeChange[]): Rename[] {
  const named = new Set(changes.flatMap((change) => sidecarIn(objects, change.path, change.after)?.path ?? []))
  const removed = new Map<Oid, Rename['from']>()
  for (const { path: treePath, before, after } of changes) {
    const path = pagePathOf(treePath)
    if (path !== undefined && isFile(before?.mode) && !isFile(after?.mode))
      removed.set(before?.oid ?? '', { path, treePath })
  }
  return changes.flatMap(({ path: treePath, before, after }) => {
    const path = pagePathOf(treePath)
    if (path === undefined || named.has(path) || isFile(before?.mode) || !isFile(after?.mode)) return []
    const from = removed.get(after?.oid ?? '')
    // One of two copies is the page.
    removed.delete(after?.oid ?? '')
    return from === undefined ? [] : [{ from, to: { path, treePath } }]
  })
}

/** Reads all sidecars of a tree, by the path that they name; undefined if they are too many. */
function readSidecars(objects: ObjectReader, tree: Oid): Map<PagePath, Known> | undefined {
  const sidecars = new Map<PagePath, Known>()
  const top = findEntry(objects.readTree(tree), SIDECAR_DIR)
  if (top?.mode !== MODE_TREE) return sidecars
  for (const folder of parseTree(objects.readTree(top.oid)).entries) {
    if (folder.mode !== MODE_TREE) continue
    for (const entry of parseTree(objects.readTree(folder.oid)).entries) {
      if (sidecars.size >= MAX_LOOKED_AT) return undefined
      const known = sidecarIn(objects, `${SIDECAR_DIR}/${folder.name}/${entry.name}`, entry)
      const other = known && sidecars.get(known.path)
      if (known !== undefined && (other === undefined || known.pageId < other.pageId)) sidecars.set(known.path, known)
    }
  }
  return sidecars
}

function sidecarIn(objects: ObjectReader, path: string, entry: TreeChange['after']): Known | undefined {
  const file = parseMetadataPath(path)
  if (file?.kind !== 'sidecar' || entry === undefined || !isFile(entry.mode)) return undefined
  const bytes = objects.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES)
  const sidecar = bytes && parseSidecar(bytes)
  return sidecar && { ...sidecar, pageId: file.pageId }
}

function adviceFor({ from, to }: Rename, sidecars: ReadonlyMap<PagePath, Known>, siteId: string): string[] {
  const known = sidecars.get(from.path)
  const taken = new Set(Array.from(sidecars.values(), ({ pageId }) => pageId))
  const pageId = known?.pageId ?? freeDerivedId(siteId, from.path, (id) => taken.has(id))
  const url = urlPathOf(from.path)
  const place = placeOfUrl(url)
  if (pageId === undefined || place === undefined) return []
  const title = known?.isTitleMarked === true ? known.title : null
  const sidecar = encodeSidecar({ path: to.path, title, templateId: known?.templateId ?? null })
  const files = [
    [sidecarPathOf(pageId), sidecar],
    [formerPathOf(place), encodeFormer({ from: url, page: pageId })],
  ] as const
  const folders = files.map(([path]) => path.slice(0, path.lastIndexOf('/'))).join(' ')
  const writes = files.map(([path, bytes]) => `echo ${quoted(bytes.toString().trimEnd())} > ${path}`)
  const command = [`mkdir -p ${folders}`, ...writes].join(' && ')
  return [
    pushWarning(
      `${to.treePath} is a new page, and ${from.treePath} is unpublished. To move it with its id, commit this and push: ${command}`,
    ),
  ]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
