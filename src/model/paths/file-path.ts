// The path of a file: its literal name in the tree with a slash before it, never encoded and never normalised (design §7).
// Every name in a tree can be read and removed; a new name must mean the same on every system that checks it out.

import { isPageFile, pagePathOf } from './page-path.js'
import { encodePath, refusePath } from './path-text.js'
import { DEVICE, isOwnPath, isRulesFile, withoutIgnored } from './tree-name.js'

/** Bytes of one name and of a whole tree path: longer ones make `git clone` fail. */
const MAX_NAME_BYTES = 255
const MAX_TREE_PATH_BYTES = 1024

/** Windows and NTFS give these a meaning, or refuse them in names; the last two end the path of a URL. */
const MEANINGFUL = /[<>:"|*?#]/
/** The short (8.3) names that NTFS gives to `.git`, `.gitmodules`, `.gitattributes`, `.gitignore` and `.mailmap`. */
const SHORT_DOT_NAME = /^(?:gi|ma)[0-9a-z]{0,4}~[0-9]/i
/** Names of eight characters that git takes for such short names, since it compares only what is before the tilde (path.c). */
const NUMBERED_DOT_NAME = /^(?:~[1-9][0-9]{6}|[gm]~[1-9][0-9]{5})$/i

const OF_RECORDS = 'The folder collections/ holds records, and no other files but pages: use another folder.'

/** Returns the tree path of an existing file: any name that a tree can hold. Throws `invalid_path`. */
export function treePathOfFile(path: string): string {
  const treePath = path.replace(/^\//, '')
  if (treePath === '') refusePath('The path is empty: name a file, such as /img/logo.svg.')
  for (const name of treePath.split('/')) {
    if (name === '') refusePath('The path has an empty segment: write one "/" where it has several in a row.')
    if (name === '.' || name === '..') refusePath(`The path has the segment "${name}": write it without.`)
    if (name.includes('\0')) refusePath('The path has a NUL character: leave it out.')
  }
  return treePath
}

/** Returns the tree path of a file that may be created. Throws `invalid_path` with the reason. */
export function treePathOfNewFile(path: string): string {
  const treePath = treePathOfServedFile(path)
  const reason = whyNotPortable(treePath)
  if (reason !== undefined) refusePath(reason)
  return treePath
}

/** Returns the tree path of a file that clones can hold and sites can serve. Throws `invalid_path` with the reason. */
export function treePathOfServedFile(path: string): string {
  const treePath = treePathOfFile(path)
  if (Buffer.byteLength(treePath) > MAX_TREE_PATH_BYTES)
    refusePath(`The path has more than ${MAX_TREE_PATH_BYTES} bytes: shorten it.`)
  const names = treePath.split('/')
  for (const [depth, name] of names.entries()) {
    const isWellKnown = depth === 0 && name === '.well-known' && names.length > 1
    const reason = isWellKnown ? undefined : whyNotServed(name)
    if (reason !== undefined) refusePath(`The name "${name}" ${reason}`)
  }
  if (treePath === 'collections' || isOwnPath(treePath)) refusePath(OF_RECORDS)
  return treePath
}

/** Returns why a file that a site can serve does not mean the same on every system; undefined if it does. */
export function whyNotPortable(treePath: string): string | undefined {
  const names = treePath.split('/')
  if (isLikeCollections(names[0] ?? '')) return OF_RECORDS
  for (const name of names) {
    const reason = whyAmbiguous(name)
    if (reason !== undefined) return `The name "${name}" ${reason}`
  }
  return undefined
}

/**
 * Whether the path names a file as the API means it: no page, and no file of the service's own. Those have a name that begins with a dot
 * (except in `.well-known/`), or lie in `collections/` and are not HTML.
 */
export function isFilePath(treePath: string): boolean {
  return !isOwnPath(treePath) && pagePathOf(treePath) === undefined
}

/** Whether it is a page or a file: content of the site, not data of the service. */
export function isContentPath(treePath: string): boolean {
  return isPageFile(treePath) || isFilePath(treePath)
}

/** Returns the path of the file's URL, percent-encoded; undefined for rules, which are never served. */
export function urlPathOfFile(treePath: string): string | undefined {
  return isRulesFile(treePath) ? undefined : `/${encodePath(treePath)}`
}

/** Returns the end of a sentence that begins with the name; undefined if clones can hold it and sites can serve it. */
function whyNotServed(name: string): string | undefined {
  if (/\p{Surrogate}/u.test(name)) return 'has half of a surrogate pair: send whole characters.'
  if (/\p{Cc}/u.test(name)) return 'has a control character: leave it out.'
  if (name.includes('\\')) return 'has a backslash in it, which no URL can hold: leave it out.'
  const seen = withoutIgnored(name)
  if (seen.startsWith('.')) return 'begins with a dot: only .well-known/ may.'
  if (SHORT_DOT_NAME.test(seen) || NUMBERED_DOT_NAME.test(seen))
    return 'is a Windows short name of a git file: choose another.'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `has more than ${MAX_NAME_BYTES} bytes: shorten it.`
  return undefined
}

/** Returns the end of a sentence that begins with the name; undefined if the name means the same everywhere. */
function whyAmbiguous(name: string): string | undefined {
  if (name.normalize('NFC') !== name) return 'is not in Unicode normal form C: macOS would store it under another name.'
  const [special] = MEANINGFUL.exec(name) ?? []
  if (special !== undefined) return `has "${special}" in it, which Windows or URLs give a meaning: leave it out.`
  if (/[. ]$/.test(name)) return 'ends in a dot or a space, which Windows drops: leave it out.'
  const seen = withoutIgnored(name)
  if (seen === '') return 'has no visible character: choose another.'
  return DEVICE.test(seen) ? 'opens a device on Windows: choose another.' : undefined
}

/** Whether macOS and Windows would take the name for `collections`. */
function isLikeCollections(name: string): boolean {
  return withoutIgnored(name).toLowerCase() === 'collections'
}
