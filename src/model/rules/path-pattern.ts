// The paths that a rule applies to: text, placeholders (`/:year/:slug`), and one splat (`/news/*`). A match takes time
// proportional to the length of the pattern, for any path: no part of the path is copied or tried twice.

import { ServiceError } from '../errors.js'
import { decodePath } from '../paths/path-text.js'
import { LineRefused } from './rules-file.js'

/** The decoded text for each placeholder, or for `splat`. */
export type Captures = ReadonlyMap<string, string>

export interface PathPattern {
  /** The only path that it matches, without a slash at its end; undefined with placeholders or a splat. */
  fixed: string | undefined
  /** Names of its placeholders, and `splat`. */
  names: ReadonlySet<string>
  match(path: RulePath): Captures | undefined
}

/** A decoded path, and its segments without a slash at the end. */
export interface RulePath {
  /** Without a slash at the end; the root is ''. */
  text: string
  segments: readonly string[]
  /** Start of each segment in `text`. */
  starts: readonly number[]
  endsInSlash: boolean
}

/** A segment of a pattern: a text, or a placeholder. */
type Part = { text: string } | { name: string }

const PLACEHOLDER = /^:([A-Za-z]\w*)$/
const NOTHING: Captures = new Map()

/** Returns the path of a request for rules: decoded once, NFC. Undefined for a path that could be read in two ways. */
export function rulePathOf(pathname: string): RulePath | undefined {
  try {
    return splitPath(decodePath(pathname).normalize('NFC'))
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
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
  const path = rulePathOf(source)
  if (path === undefined) throw new LineRefused(`The path "${source}" is not well encoded.`)
  return path
}

function splitPath(decoded: string): RulePath {
  const endsInSlash = decoded.endsWith('/')
  const text = endsInSlash ? decoded.slice(0, -1) : decoded
  const segments = text === '' ? [] : text.slice(1).split('/')
  let start = 1
  const starts = segments.map(({ length }) => (start += length + 1) - length - 1)
  return { text, segments, starts, endsInSlash }
}

function partOf(segment: string): Part {
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
