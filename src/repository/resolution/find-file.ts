// Finds the file of a site that answers for a request's path, and the file's canonical URL. Finds only regular files that are not
// reserved.

import {
  assetPathOf,
  LONG_DIR,
  type PagePath,
  pagePathOfUrl,
  treePathOf,
  urlPathOf,
} from '../../model/paths/page-path.js'
import { encodePath } from '../../model/paths/path-text.js'
import { isFile } from '../format/file-mode.js'
import type { Snapshot } from '../reading/snapshot.js'

export type Files = Pick<Snapshot, 'entry' | 'nearestFile'>

export interface File {
  treePath: string
  oid: string
}

/** The meaning of a path: a file, at its canonical URL or its literal form; or another spelling of a file's URL. */
export type Named =
  | {
      kind: 'file'
      file: File
      canonical: string
      /** All paths that answer with the file, the canonical one first. */
      forms: readonly string[]
    }
  | { kind: 'moved'; to: string }

/**
 * Finds the file of a path. An exact file wins over a page's clean URL. A page answers at its clean URL and at its literal form. A missing,
 * extra or doubled slash and another percent-encoding redirect to the canonical URL. Returns undefined if no file matches.
 */
export function findFile(files: Files, pathname: string): Named | undefined {
  const named = findAsset(files, pathname) ?? findPage(files, pathname)
  if (named !== undefined || !pathname.includes('//')) return named
  const single = pathname.replaceAll(/\/{2,}/g, '/')
  const meant = findAsset(files, single) ?? findPage(files, single)
  return meant?.kind === 'file' ? { kind: 'moved', to: meant.canonical } : meant
}

/** Returns the `404.html` of the path's folder, or of the nearest folder above it. */
export function findNotFoundPage(files: Files, pathname: string): File | undefined {
  const page = pagePathOfUrl(pathname)
  const treePath = page === undefined ? '' : treePathOf(page)
  const folder = treePath.startsWith(`${LONG_DIR}/`) ? '' : treePath.slice(0, Math.max(treePath.lastIndexOf('/'), 0))
  const found = files.nearestFile(folder, '404.html')
  return found && { treePath: found.path, oid: found.oid }
}

function findAsset(files: Files, pathname: string): Named | undefined {
  const treePath = assetPathOf(pathname)
  const file = treePath === undefined ? undefined : fileAt(files, treePath)
  return file && nameFile(pathname, file, [`/${encodePath(file.treePath)}`])
}

function findPage(files: Files, pathname: string): Named | undefined {
  const page = pagePathOfUrl(pathname)
  if (page === undefined) return undefined
  const file = fileAt(files, treePathOf(page))
  if (file !== undefined) {
    const canonical = canonicalOf(files, page)
    return nameFile(pathname, file, [canonical, literalOf(urlPathOf(page))])
  }
  const url = urlPathOf(page)
  const twin = pagePathOfUrl(url.endsWith('/') ? url.slice(0, -1) : `${url}/`)
  if (twin === undefined || fileAt(files, treePathOf(twin)) === undefined) return undefined
  return { kind: 'moved', to: urlPathOf(twin) }
}

/** The first form is the canonical URL. */
function nameFile(pathname: string, file: File, forms: readonly [string, ...string[]]): Named {
  const [canonical] = forms
  return forms.includes(pathname) ? { kind: 'file', file, canonical, forms } : { kind: 'moved', to: canonical }
}

/** Returns the clean URL, or the literal one if an exact file has the clean URL. */
function canonicalOf(files: Files, page: PagePath): string {
  const url = urlPathOf(page)
  const asset = assetPathOf(url)
  return asset !== undefined && fileAt(files, asset) !== undefined ? literalOf(url) : url
}

/** Returns the URL path that is the name of a page's file. */
export function literalOf(url: string): string {
  return url.endsWith('/') ? `${url}index.html` : `${url}.html`
}

function fileAt(files: Files, treePath: string): File | undefined {
  const entry = files.entry(treePath)
  return entry !== undefined && isFile(entry.mode) ? { treePath, oid: entry.oid } : undefined
}
