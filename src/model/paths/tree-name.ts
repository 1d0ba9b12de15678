// The stored form of one path segment: a name that git, HFS+, APFS, NTFS and Windows all take for plain text.
// Characters that any of them could interpret are percent-encoded, and `%` always is, so that no two segments share a name.

/** Kind of a stored segment: a folder's name, or a page's name before its `.html`. */
export type NameKind = 'folder' | 'page'

/** Code points that HFS+ ignores when it compares names (git: `next_hfs_char` in utf8.c). */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** `:` opens a stream on NTFS, Windows refuses the others, and a short (8.3) name has a digit after `~`: `git~1`. */
const MEANINGFUL = /[%<>:"|*]|~(?=\d)/g

/** A leading dot hides a file or makes it git's or ours; Windows drops a trailing dot or space. */
const DOT_OR_SPACE_AT_AN_END = /^[. ]|[. ]$/g

/** A name that opens a device on Windows, with any text after its first dot. With its first letter encoded it does not. */
export const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i

/** A page's file ends in `.html`, so no folder may: neither ever takes the place of the other. */
const PAGE_SUFFIX = /\.(?=html$)/

/** Letters, digits, `-` and `_`, if the name does not begin like a device's. */
const PLAIN = /^(?!con|prn|aux|nul|com|lpt)[a-z\d_-]+$/i

/** Rules of the site: files of the tree that are never served. */
const RULES_FILES: ReadonlySet<string> = new Set(['_redirects', '_headers'])

/** Returns the stored name of `segment` (decoded, NFC, no control characters, `/` or backslash; a page's without `.html`). */
export function encodeTreeName(segment: string, kind: NameKind): string {
  if (isPlainName(segment)) return segment
  const encoded = encodeVisible(segment, kind)
  return needsIgnoredEncoded(segment, kind) ? encoded.replace(IGNORED_BY_HFS, percentEncode) : encoded
}

/** Whether no rule changes the name. A fast check: most names are plain, and a request may have thousands of segments. */
export function isPlainName(segment: string): boolean {
  return PLAIN.test(segment)
}

/**
 * Whether a tree path is the service's own. Its name begins with a dot (except in `.well-known/`), or it lies in `collections/` and is not
 * HTML. Such files are never served, nor reached as files.
 */
export function isOwnPath(treePath: string): boolean {
  if (treePath.startsWith('collections/') && !treePath.endsWith('.html')) return true
  const segments = treePath.replace(/^\.well-known\//, '').split('/')
  return segments.some((segment) => segment === '' || segment.startsWith('.'))
}

export function isRulesFile(treePath: string): boolean {
  return RULES_FILES.has(treePath)
}

/** Returns the name as HFS+ compares it, before case: without the code points it ignores. */
export function withoutIgnored(name: string): string {
  return name.replace(IGNORED_BY_HFS, '')
}

function encodeVisible(segment: string, kind: NameKind): string {
  let name = segment.replace(MEANINGFUL, percentEncode).replace(DOT_OR_SPACE_AT_AN_END, percentEncode)
  if (kind === 'folder') name = name.replace(PAGE_SUFFIX, percentEncode)
  return DEVICE.test(name) ? name.replace(/^./, percentEncode) : name
}

/** Whether ignored code points hide a name with a meaning, as in `.g<U+200C>it`; elsewhere they stay readable. */
function needsIgnoredEncoded(segment: string, kind: NameKind): boolean {
  const seen = withoutIgnored(segment)
  return seen !== segment && (seen === '' || encodeVisible(seen, kind) !== seen)
}

function percentEncode(char: string): string {
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
