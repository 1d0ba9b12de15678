// Reads the rules of a site, once for each blob that holds them and each snapshot that is served.

import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../model/errors.js'
import { HEADERS_FILE, type HeaderRule, parseHeaders } from '../../model/rules/headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../../model/rules/rules-file.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { RedirectMatcher } from './redirect-matcher.js'

export interface SiteRules {
  redirects: RedirectMatcher
  headers: readonly HeaderRule[]
}

type Files = Pick<Snapshot, 'siteId' | 'entry' | 'blob' | 'size'>

const NO_REDIRECTS = new RedirectMatcher([])
const NO_HEADERS: readonly HeaderRule[] = []

/** Source bytes of compiled rules in memory; the rules take about eight times as much. */
const CACHE_SOURCE_BYTES = 4 * 1024 * 1024

/** By site and oid: sites share nothing, so that no site can answer with the bytes of another (SHA-1 collisions). */
const compiled = new LRUCache<string, { redirects?: RedirectMatcher; headers?: readonly HeaderRule[] }>({
  maxSize: CACHE_SOURCE_BYTES,
})
const ofSnapshot = new WeakMap<Files, SiteRules>()

export function rulesOf(snapshot: Files): SiteRules {
  const known = ofSnapshot.get(snapshot)
  if (known !== undefined) return known
  let isComplete = true
  const readIfPresent = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      // A rules file that the repository lacks is left out; the pages are served without it.
      if (!(error instanceof ServiceError) || error.code !== 'site_unreadable') throw error
      isComplete = false
      return undefined
    }
  }
  const redirects = readIfPresent(() =>
    read(snapshot, REDIRECTS_FILE, 'redirects', (bytes) => new RedirectMatcher(parseRedirects(bytes).rules)),
  )
  const headers = readIfPresent(() => read(snapshot, HEADERS_FILE, 'headers', (bytes) => parseHeaders(bytes).rules))
  const rules = { redirects: redirects ?? NO_REDIRECTS, headers: headers ?? NO_HEADERS }
  // A missing blob may be restored under the same head.
  if (isComplete) ofSnapshot.set(snapshot, rules)
  return rules
}

/** A blob may be both files, so its rules are cached by kind. */
function read<K extends 'redirects' | 'headers'>(
  snapshot: Files,
  path: string,
  kind: K,
  parse: (bytes: Buffer) => SiteRules[K],
): SiteRules[K] | undefined {
  const entry = snapshot.entry(path)
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const key = `${snapshot.siteId}/${entry.oid}`
  const kept = compiled.get(key) ?? {}
  const known = kept[kind] as SiteRules[K] | undefined
  if (known !== undefined) return known
  const size = snapshot.size(entry.oid)
  if (size > MAX_RULES_FILE_BYTES) return undefined
  const rules = parse(snapshot.blob(entry.oid))
  compiled.set(key, { ...kept, [kind]: rules }, { size: size + 1 })
  return rules
}
