// The path of a page and its file in a site's tree: a mapping that is one to one, both ways, by construction. A path is accepted only in a
// form that means itself when read again. A file is a page only if its name is exactly the encoding of its path.

import { createHash } from 'node:crypto'
import { ServiceError } from '../errors.js'
import { checkSegment, decodePath, refusePath } from './path-text.js'
import { encodeTreeName, isOwnPath, isPlainName, isRulesFile, withoutIgnored } from './tree-name.js'

declare const canonical: unique symbol

/**
 * A canonical path: NFC, begins with `/`, percent-decoded once; a folder's index page ends in `/`, no other path does.
 * A percent sign in it is written `%25`, so that the path means the same page when it is given to the service again.
 */
export type PagePath = string & { readonly [canonical]: true }

/** Code points of a path without its leading slash: the service adds a missing one (spec §8). */
const MAX_PATH_LENGTH = 2048

/** Bytes of one stored name and of a whole stored path; longer ones make `git clone` fail, so they are hashed. */
const MAX_NAME_BYTES = 255
const MAX_TREE_PATH_BYTES = 1024

/** The folder of pages whose stored path is too long; their sidecars hold the paths. */
export const LONG_DIR = '.long'

/** Returns the canonical form of a path from a client, encoded or not. Throws `invalid_path` with what to do instead. */
export function parsePagePath(input: string): PagePath {
  if (input === '') refusePath('The path is empty: give at least "/".')
  checkLength(input)
  const path = canonicalPathOf(input)
  checkLength(path)
  return path
}

/** Returns the file of a page, from the root of the tree: `about.html`, `docs/index.html`, `.long/<sha256 of the path>.html`. */
export function treePathOf(path: PagePath): string {
  const segments = decodePercentSigns(path).slice(1).split('/')
  const page = segments.pop() || 'index'
  const names = segments.map((segment) => encodeTreeName(segment, 'folder'))
  names.push(`${encodeTreeName(page, 'page')}.html`)
  const treePath = names.join('/')
  const fits = names.every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)
  if (fits && Buffer.byteLength(treePath) <= MAX_TREE_PATH_BYTES) return treePath
  return `${LONG_DIR}/${createHash('sha256').update(path).digest('hex')}.html`
}

/** Returns the page that a file is by its name; undefined for assets, reserved files, and `.long/`, where a sidecar has the path. */
export function pagePathOf(treePath: string): PagePath | undefined {
  if (!treePath.endsWith('.html')) return undefined
  const name = treePath.slice(0, -'.html'.length)
  if (isPlainPage(name)) return `/${name}` as PagePath
  const path = pagePathOfUrl(`/${treePath}`)
  return path !== undefined && treePathOf(path) === treePath ? path : undefined
}

/** Whether the file is a page, also one in `.long/`. */
export function isPageFile(treePath: string): boolean {
  return treePath.startsWith(`${LONG_DIR}/`) || pagePathOf(treePath) !== undefined
}

/** Returns the path of the page's URL, percent-encoded; it has one form. */
export function urlPathOf(path: PagePath): string {
  return encodeURI(decodePercentSigns(path))
}

/** Returns the page for the path of a request (no query), by its URL or a literal form: `/about`, `/about.html`. Never throws. */
export function pagePathOfUrl(pathname: string): PagePath | undefined {
  if (!pathname.startsWith('/')) return undefined
  return unlessRefused(() => canonicalPathOf(pathname))
}

/** Returns the file that the path of a request names literally, as `servedPathOf` does; undefined for pages. Never throws. */
export function assetPathOf(pathname: string): string | undefined {
  const treePath = servedPathOf(pathname)
  return treePath !== undefined && pagePathOf(treePath) === undefined ? treePath : undefined
}

/**
 * Returns the tree path that the path of a request names literally; undefined for files that are never served. Those have names that begin
 * with a dot (except in `.well-known/`), are `_redirects` or `_headers`, or lie in `collections/` and are not HTML. Never throws.
 */
export function servedPathOf(pathname: string): string | undefined {
  if (!pathname.startsWith('/')) return undefined
  const treePath = unlessRefused(() => decodePath(pathname.slice(1)))
  return treePath === undefined || isRulesFile(treePath) || isOwnPath(treePath) ? undefined : treePath
}

/** Returns a form that is equal for names that are one on some file system: case and composition folded, ignored code points removed. */
export function foldCase(name: string): string {
  // Upper case between two lower ones is full case folding in effect: ẞ, ß and ss are one, and so are ς and σ.
  // It merges a few names that no file system does (ﬁ and fi), which costs a refusal and never a page.
  return withoutIgnored(name).normalize('NFD').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/** Whether a file's name without `.html` is plainly its page's path. Fast, since a deploy has 20,000 files, each checked several times. */
function isPlainPage(name: string): boolean {
  const segments = name.split('/')
  return name.length < MAX_NAME_BYTES - '.html'.length && segments.at(-1) !== 'index' && segments.every(isPlainName)
}

function canonicalPathOf(text: string): PagePath {
  const decoded = decodePath(text).normalize('NFC')
  const [special] = /[?#]/.exec(decoded) ?? []
  if (special !== undefined) refusePath(`The path has "${special}" in it, encoded or not: leave it out.`)
  const segments = decoded.replace(/^\//, '').split('/')
  const last = segments.pop() ?? ''
  for (const segment of segments) checkSegment(segment)
  // With the plain names of pagePathOf, the only place where text becomes a canonical path.
  return `/${[...segments, pageNameOf(last)].join('/').replaceAll('%', '%25')}` as PagePath
}

/** Returns the last segment without `.html`; empty for a folder's index. */
function pageNameOf(last: string): string {
  if (last === '') return ''
  checkSegment(last)
  const name = last.endsWith('.html') ? last.slice(0, -'.html'.length) : last
  if (name === '' || name === '.' || name === '..') refusePath(`"${last}" names no page: write a name before ".html".`)
  if (name.endsWith('.html')) refusePath('The path ends in ".html" twice: write it once, or leave it out.')
  return name === 'index' ? '' : name
}

function decodePercentSigns(path: PagePath): string {
  return path.replaceAll('%25', '%')
}

/** Checks the length in code points, as JSON Schema counts. */
function checkLength(path: string): void {
  const length = path.length <= MAX_PATH_LENGTH ? path.length : Array.from(path.replace(/^\//, '')).length
  if (length > MAX_PATH_LENGTH) refusePath(`The path has ${length} characters: give at most ${MAX_PATH_LENGTH}.`)
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
