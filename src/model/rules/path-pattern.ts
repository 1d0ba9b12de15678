// The paths that a rule applies to: text, placeholders (`/:year/:slug`), and one splat (`/news/*`). A match takes time
// proportional to the length of the pattern, for any path: no part of the path is copied or tried twice.

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../errors.js'
import { decodePath } from '../paths/path-text.js'
import { LineRefused } from './rules-file.js'

/** The text for each placeholder, or for `splat`, as in a RulePath. `encodeCaptured` makes it a part of a URL. */
export type Captures = ReadonlyMap<string, string>

export interface PathPattern {
  /** The only path that it matches, without a slash at its end; undefined with placeholders or a splat. */
  fixed: string | undefined
  /** Names of its placeholders, and `splat`. */
  names: ReadonlySet<string>
  match(path: RulePath): Captures | undefined
}

/**
 * A path decoded once, NFC, and its segments without a slash at the end. A segment that could be read in two ways, or holds what no name
 * may, keeps its escapes.
 */
export interface RulePath {
  /** Without a slash at the end; the root is ''. */
  text: string
  segments: readonly string[]
  /** Start of each segment in `text`. */
  starts: readonly number[]
  endsInSlash: boolean
}

/** A text, or the name of a placeholder. */
export type Part = { text: string } | { name: string }

const PLACEHOLDER = /^:([A-Za-z]\w*)$/
const NOTHING: Captures = new Map()
/** Begins an escape that stays one. Decoded text has no control character, so the two cannot be confused. */
const ESCAPE = '\0'
/** Characters that `encodeURI` encodes, and a percent sign that begins no escape. */
const NOT_IN_URLS = /%(?![0-9A-Fa-f]{2})|[^!#$%&-;=?-Z_a-z~]/gu

/** Returns the path of a request for rules. Every path has one. */
export function rulePathOf(pathname: string): RulePath {
  const whole = decoded(pathname)
  return splitPath((whole ?? pathname.split('/').map(decodedOrKept).join('/')).normalize('NFC'))
}

/** Encodes captured text, or the text of a pattern, for a URL. Escapes that were not decoded are as the request has them. */
export function encodeCaptured(text: string, encode: (text: string) => string): string {
  return text.split(ESCAPE).map(encode).join('%')
}

/** Returns undefined for text that is refused in the paths of pages and files. */
function decoded(text: string): string | undefined {
  try {
    return decodePath(text)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Returns the segment decoded, or with its escapes. A percent sign that begins no escape stands for itself. Fast: a path may have 2,048. */
function decodedOrKept(segment: string): string {
  const escaped = segment.toWellFormed().replaceAll(NOT_IN_URLS, encodeURIComponent)
  const bytes = escaped.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const buffer = Buffer.from(bytes, 'latin1')
  const text = isUtf8(buffer) ? buffer.toString() : undefined
  if (text !== undefined && !/[/\\\p{Cc}]/u.test(text)) return text
  return escaped.replaceAll(/%(..)/g, (_, hex: string) => ESCAPE + hex.toUpperCase())
}

/** Parses a pattern. Throws LineRefused with what to do. A slash at the end has no meaning: `/about` and `/about/` are one pattern. */
export function parsePathPattern(source: string): PathPattern {
  if (!source.startsWith('/')) throw new LineRefused(`The path "${source}" must begin with "/".`)
  const path = readSource(source)
  const splat = path.text.indexOf('*')
  if (splat !== path.text.lastIndexOf('*')) throw new LineRefused('A path takes a single "*".')
  const names = namesIn(path.segments)
  if (splat >= 0) return splatPattern(path.text.slice(0, splat), path.text.slice(splat + 1), names)
  if (names.size === 0) {
    return { fixed: path.text, names, match: ({ text }) => (text === path.text ? NOTHING : undefined) }
  }
  const parts = path.segments.map(partOf)
  const match = ({ segments }: RulePath) =>
    segments.length === parts.length ? matchParts(parts, segments, 0) : undefined
  return { fixed: undefined, names, match }
}

function readSource(source: string): RulePath {
  if (/[?#]/.test(source)) throw new LineRefused('A path has no "?" and no "#": write name=value after the path.')
  if (source.includes('//')) throw new LineRefused('A path has no empty segment: write one "/" between names.')
  if (/%(?![0-9a-f]{2})|\\/i.test(source))
    throw new LineRefused(`The path "${source}" is not well encoded: write %25 for "%", and %5C for a backslash.`)
  return rulePathOf(source)
}

function splitPath(path: string): RulePath {
  const endsInSlash = path.endsWith('/')
  const text = endsInSlash ? path.slice(0, -1) : path
  const segments = text === '' ? [] : text.slice(1).split('/')
  let start = 1
  const starts = segments.map(({ length }) => (start += length + 1) - length - 1)
  return { text, segments, starts, endsInSlash }
}

/** Reads `:name`, or a text. */
export function partOf(segment: string): Part {
  const [, name] = PLACEHOLDER.exec(segment) ?? []
  return name === undefined ? { text: segment } : { name }
}

function namesIn(segments: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const segment of segments) {
    const [, name] = PLACEHOLDER.exec(segment) ?? []
    if (name === undefined) continue
    if (names.has(name) || name === 'splat') throw new LineRefused(`The placeholder ":${name}" can stand only once.`)
    names.add(name)
  }
  return names
}

/** Makes `/news/*`, `/*.jpg`, `/a/*\/b`. Compares segments from both ends, then the text next to the splat; the splat is the rest. */
function splatPattern(before: string, after: string, names: Set<string>): PathPattern {
  const first = before.slice(1).split('/').map(partOf)
  const prefix = textOf(first.pop())
  const [suffix = '', ...rest] = after.split('/')
  const last = rest.map(partOf)
  const match = (path: RulePath): Captures | undefined => {
    const { text, segments, starts } = path
    const isAlone = segments.length === first.length && prefix === '' && after === ''
    if (!isAlone && segments.length <= first.length + last.length) return undefined
    const start = starts[first.length] ?? text.length
    const end = last.length === 0 ? text.length : (starts[segments.length - last.length] ?? 0) - 1
    if (end - start < prefix.length + suffix.length) return undefined
    if (!text.startsWith(prefix, start) || !text.endsWith(suffix, end)) return undefined
    const head = matchParts(first, segments, 0)
    const tail = head && matchParts(last, segments, segments.length - last.length)
    if (tail === undefined) return undefined
    const splat = text.slice(start + prefix.length, end - suffix.length)
    // A splat at the end of the path keeps the slash there.
    const slash = after === '' && !isAlone && path.endsInSlash ? '/' : ''
    return new Map([...head!, ...tail, ['splat', splat + slash]])
  }
  return { fixed: undefined, names: names.add('splat'), match }
}

/** Returns the text of a segment. A segment with a splat has no placeholder. */
function textOf(part: Part | undefined): string {
  if (part === undefined) return ''
  return 'text' in part ? part.text : `:${part.name}`
}

/** Matches the segments from `from` on, as many as there are parts. */
function matchParts(parts: readonly Part[], segments: readonly string[], from: number): Captures | undefined {
  let captures: Map<string, string> | undefined
  for (const [at, part] of parts.entries()) {
    const segment = segments[from + at]
    if ('text' in part) {
      if (part.text !== segment) return undefined
    } else if (segment === undefined || segment === '') return undefined
    else (captures ??= new Map()).set(part.name, segment)
  }
  return captures ?? NOTHING
}
