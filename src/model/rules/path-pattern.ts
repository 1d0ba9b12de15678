// The paths that a rule is for: text, placeholders (`/:year/:slug`), and one splat (`/news/*`). The time of a match
// is proportional to the length of the path, whatever the pattern: nothing is tried twice.

import { ServiceError } from '../errors.js'
import { decodePath } from '../paths/path-text.js'
import { LineRefused } from './rules-file.js'

/** The decoded text that each placeholder, or `splat`, stands for. */
export type Captures = ReadonlyMap<string, string>

export interface PathPattern {
  /** The one path it is for, without a slash at its end; undefined where it has placeholders or a splat. */
  fixed: string | undefined
  /** The names of its placeholders, and `splat`. */
  names: ReadonlySet<string>
  match(path: RulePath): Captures | undefined
}

/** A decoded path, and its segments without a slash at the end. */
export interface RulePath {
  /** Without a slash at the end; the root is ''. */
  text: string
  segments: readonly string[]
  endsInSlash: boolean
}

const PLACEHOLDER = /^:([A-Za-z]\w*)$/
const NOTHING: Captures = new Map()

/** The path of a request as rules see it: decoded once, NFC. Undefined for one that could be read in two ways. */
export function rulePathOf(pathname: string): RulePath | undefined {
  try {
    return splitPath(decodePath(pathname).normalize('NFC'))
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Throws LineRefused with what to do. A slash at the end says nothing: `/about` and `/about/` are one pattern. */
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
  return { fixed: undefined, names, match: ({ segments }) => matchSegments(path.segments, segments) }
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
  return { text, segments: text === '' ? [] : text.slice(1).split('/'), endsInSlash }
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

/** `/news/*`, `/*.jpg`, `/a/*\/b`: segments are compared from both ends, then the text next to the splat; the splat stands for the rest. */
function splatPattern(before: string, after: string, names: Set<string>): PathPattern {
  const first = before.slice(1).split('/')
  const prefix = first.pop() ?? ''
  const [suffix = '', ...last] = after.split('/')
  const match = (path: RulePath): Captures | undefined => {
    const { segments } = path
    const middle = segments.slice(first.length, segments.length - last.length).join('/')
    const isAlone = segments.length === first.length && prefix === '' && after === ''
    if (!isAlone && segments.length <= first.length + last.length) return undefined
    if (middle.length < prefix.length + suffix.length) return undefined
    if (!middle.startsWith(prefix) || !middle.endsWith(suffix)) return undefined
    const head = matchSegments(first, segments.slice(0, first.length))
    const tail = head && matchSegments(last, segments.slice(segments.length - last.length))
    if (tail === undefined) return undefined
    const splat = middle.slice(prefix.length, middle.length - suffix.length)
    // A splat at the end of the path keeps the slash there.
    const slash = after === '' && !isAlone && path.endsInSlash ? '/' : ''
    return new Map([...head!, ...tail, ['splat', splat + slash]])
  }
  return { fixed: undefined, names: names.add('splat'), match }
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Captures | undefined {
  if (pattern.length !== segments.length) return undefined
  let captures: Map<string, string> | undefined
  for (const [at, wanted] of pattern.entries()) {
    const segment = segments[at]!
    const [, name] = PLACEHOLDER.exec(wanted) ?? []
    if (name === undefined ? wanted !== segment : segment === '') return undefined
    if (name !== undefined) (captures ??= new Map()).set(name, segment)
  }
  return captures ?? NOTHING
}
