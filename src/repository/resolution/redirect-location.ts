// Builds the Location of a redirect: the destination of its rule with the placeholders filled in. The result is a well-formed URI
// reference. If it begins with a slash, it never names another host.

import { encodePath } from '../../model/paths/path-text.js'
import { encodeCaptured } from '../../model/rules/path-pattern.js'
import type { MatchedRule } from './redirect-matcher.js'

/** Clients and proxies refuse a longer `Location`. */
const MAX_LOCATION_CHARACTERS = 8192

/** Returns undefined if the location is too long. Appends the query of the request unless the destination has one. */
export function locationOf({ rule, captures }: MatchedRule, query: string): string | undefined {
  const [, path = '', ownQuery, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rule.to) ?? []
  const location = [
    withoutHost(fill(path, captures, encodePath), rule.to),
    ownQuery === undefined ? passOn(query) : fill(ownQuery, captures, encodeURIComponent),
    fill(fragment, captures, encodeURIComponent),
  ].join('')
  return location.length > MAX_LOCATION_CHARACTERS ? undefined : location
}

/** Returns the query of a request as part of a location. `query` is as Node read it: one character for each byte. */
export function passOn(query: string): string {
  const encoded = query.replaceAll(
    /[^\x21-\x7e]|["<>\\^`{|}]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
  return query === '' ? '' : `?${encoded}`
}

/** Returns the percent-encoded path of the file that a rule shows in place. */
export function targetPathOf({ rule, captures }: MatchedRule): string {
  const [path = ''] = rule.to.split(/[?#]/, 1)
  return withoutHost(fill(path, captures, encodePath), rule.to)
}

function fill(text: string, captures: ReadonlyMap<string, string>, encode: (text: string) => string): string {
  // Pieces alternate between text and the name of a placeholder.
  const pieces = text.split(/:([A-Za-z]\w*)/)
  return pieces
    .map((piece, at) => {
      if (at % 2 === 0) return encodeUnsafe(piece)
      const value = captures.get(piece)
      return value === undefined ? `:${piece}` : encodeCaptured(value, encode)
    })
    .join('')
}

/** Removes extra slashes: a splat's text may begin with a slash, and two slashes at the start would name a host. */
function withoutHost(path: string, to: string): string {
  return to.startsWith('/') ? path.replace(/^\/+/, '/') : path
}

/** Keeps escapes and every character that a URI may hold. */
function encodeUnsafe(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
}
