// Finds the file of a site that answers for a request's path, and the file's canonical URL. Finds only regular files that are not
// reserved. A symbolic link answers as a copy of what it leads to would.

import {
  assetPathOf,
  LONG_DIR,
  type PagePath,
  pagePathOf,
  pagePathOfUrl,
  servedPathOf,
  treePathOf,
  urlPathOf,
} from '../../model/paths/page-path.js'
import { encodePath } from '../../model/paths/path-text.js'
import { isFile } from '../format/file-mode.js'
import type { Snapshot } from '../reading/snapshot.js'
import type { WalkedEntry } from '../format/walked-folders.js'

const NOT_ASCII = /[^\0-\x7f]/
/** The most folders to look into for other spellings of one path: a tree of a few objects can hold endless ones. */
const MAX_FORMS = 8

export type Files = Pick<Snapshot, 'linkedEntry' | 'nearestFile'>

export interface File {
  treePath: string
  oid: string
  /** The tree path of its content, if symbolic links led to it. */
  source?: string
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
 * Finds the file of a path. An exact file wins over a page's clean URL. A page answers at its clean URL and at its literal form; so does
 * any `.html` that is no page by its name. A missing, extra or doubled slash, another percent-encoding and another Unicode normal form
 * redirect to the canonical URL. Returns undefined if no file matches.
 */
export function findFile(files: Files, pathname: string): Named | undefined {
  const named = findSpelled(files, pathname)
  if (named !== undefined || !pathname.includes('//')) return named
  const meant = findSpelled(files, pathname.replaceAll(/\/{2,}/g, '/'))
  return meant?.kind === 'file' ? { kind: 'moved', to: meant.canonical } : meant
}

/** Returns the `404.html` of the path's folder, or of the nearest folder above it. Names that no folder has count as missing ones. */
export function findNotFoundPage(files: Files, pathname: string): File | undefined {
  const folders = pathname.split('/').slice(0, -1)
  // With no such name, the path has empty segments or segments of dots: the root answers.
  const index = indexOf(folders) ?? indexOf(folders.slice(0, Math.max(folders.findIndex(isNoName), 0)))
  const treePath = index === undefined ? '' : treePathOf(index)
  const folder = treePath.startsWith(`${LONG_DIR}/`) ? '' : treePath.slice(0, Math.max(treePath.lastIndexOf('/'), 0))
  const found = files.nearestFile(folder, '404.html')
  return found && fileOf(found.path, found.entry)
}

function indexOf(folders: readonly string[]): PagePath | undefined {
  return pagePathOfUrl(`${folders.join('/')}/`)
}

/** Whether no folder has the name, decoded or not. Segments of dots lead elsewhere. */
function isNoName(segment: string): boolean {
  return !/^\.*$/.test(segment) && pagePathOfUrl(`/${segment}/`) === undefined
}

function findSpelled(files: Files, pathname: string): Named | undefined {
  return (
    findAsset(files, pathname) ?? findPage(files, pathname) ?? findHtml(files, pathname) ?? findTwin(files, pathname)
  )
}

/** Finds the file that the path names literally. A page is none. */
function findAsset(files: Files, pathname: string): Named | undefined {
  const file = assetAt(files, pathname)
  return file && nameFile(pathname, file, formsOf(files, file))
}

function findPage(files: Files, pathname: string): Named | undefined {
  const page = pagePathOfUrl(pathname)
  const file = page && fileAt(files, treePathOf(page))
  if (page === undefined || file === undefined) return undefined
  return nameFile(pathname, file, [canonicalOf(files, page), literalOf(urlPathOf(page))])
}

/** Finds a `.html` that is no page by its name, without its ending: `tags/c#/index.html` at `/tags/c%23/`. */
function findHtml(files: Files, pathname: string): Named | undefined {
  const file = assetAt(files, literalOf(pathname))
  return file && nameFile(pathname, file, formsOf(files, file))
}

/** Finds what answers with one slash more or less at the end. */
function findTwin(files: Files, pathname: string): Named | undefined {
  const page = pagePathOfUrl(pathname)
  const url = page === undefined ? cleanOf(pathname) : urlPathOf(page)
  const twin = url.endsWith('/') ? url.slice(0, -1) : `${url}/`
  const twinPage = pagePathOfUrl(twin)
  if (twinPage !== undefined && fileAt(files, treePathOf(twinPage)) !== undefined)
    return { kind: 'moved', to: urlPathOf(twinPage) }
  const html = findHtml(files, twin)
  return html?.kind === 'file' ? { kind: 'moved', to: html.canonical } : html
}

/** The first form is the canonical URL. Browsers leave some characters as they are that are encoded in it (URL Standard §1.3). */
function nameFile(pathname: string, file: File, forms: readonly [string, ...string[]]): Named {
  const [canonical] = forms
  const encoded = pathname.replaceAll(/[[\]^|]/g, encodeURIComponent)
  return forms.includes(encoded) ? { kind: 'file', file, canonical, forms } : { kind: 'moved', to: canonical }
}

/** Returns the clean URL, or the literal one if an exact file has the clean URL. */
function canonicalOf(files: Files, page: PagePath): string {
  const url = urlPathOf(page)
  const asset = assetPathOf(url)
  return asset !== undefined && fileAt(files, asset) !== undefined ? literalOf(url) : url
}

/** Returns the URLs of a file that is no page; the canonical one first. A `.html` has a clean one, unless something else has it. */
function formsOf(files: Files, { treePath }: File): readonly [string, ...string[]] {
  const literal = `/${encodePath(treePath)}`
  const clean = cleanOf(literal)
  const isTaken = clean === literal || assetAt(files, clean) !== undefined || findPage(files, clean) !== undefined
  return isTaken ? [literal] : [clean, literal]
}

/** Returns the URL path that is the name of a page's file. */
export function literalOf(url: string): string {
  return url.endsWith('/') ? `${url}index.html` : `${url}.html`
}

function cleanOf(url: string): string {
  return url.replace(/(?:(?<=\/)index)?\.html$|(?<=\/)index$/, '')
}

/** Returns the file at a path in any Unicode normal form, the given one first; undefined for a page. */
function assetAt(files: Files, pathname: string): File | undefined {
  const treePath = servedPathOf(pathname)
  if (treePath === undefined) return undefined
  const file = fileAt(files, treePath) ?? fileInOtherForm(files, treePath)
  return file !== undefined && pagePathOf(file.treePath) === undefined ? file : undefined
}

function fileInOtherForm(files: Files, treePath: string): File | undefined {
  if (!NOT_ASCII.test(treePath)) return undefined
  let found = ['']
  for (const name of treePath.split('/')) {
    const forms = [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])]
    found = found
      .flatMap((folder) => forms.map((form) => (folder === '' ? form : `${folder}/${form}`)))
      .filter((path) => files.linkedEntry(path) !== undefined)
      .slice(0, MAX_FORMS)
    if (found.length === 0) return undefined
  }
  return found.map((path) => fileAt(files, path)).find((file) => file !== undefined)
}

function fileAt(files: Files, treePath: string): File | undefined {
  const entry = files.linkedEntry(treePath)
  return entry !== undefined && isFile(entry.mode) ? fileOf(treePath, entry) : undefined
}

function fileOf(treePath: string, { oid, way }: WalkedEntry): File {
  return way === undefined ? { treePath, oid } : { treePath, oid, source: way.path }
}
