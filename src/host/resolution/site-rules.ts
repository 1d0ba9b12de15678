// The rules of a site, read once for each blob they are in and each snapshot that is looked at.

import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../model/errors.js'
import { HEADERS_FILE, type HeaderRule, parseHeaders } from '../../model/rules/headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { LONGEST_RULES_FILE } from '../../model/rules/rules-file.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { RedirectMatcher } from './redirect-matcher.js'

export interface SiteRules {
  redirects: RedirectMatcher
  headers: readonly HeaderRule[]
}

type Files = Pick<Snapshot, 'entry' | 'blob' | 'size'>

const NO_REDIRECTS = new RedirectMatcher([])
const NO_HEADERS: readonly HeaderRule[] = []

/** Bytes of source whose rules are kept in memory, where they take some eight times as much. */
const KEPT_BYTES = 4 * 1024 * 1024

/** By oid: what an oid stands for never changes. */
const compiled = new LRUCache<string, { redirects?: RedirectMatcher; headers?: readonly HeaderRule[] }>({
  maxSize: KEPT_BYTES,
})
const ofSnapshot = new WeakMap<Files, SiteRules>()

export function rulesOf(snapshot: Files): SiteRules {
  const known = ofSnapshot.get(snapshot)
  if (known !== undefined) return known
  let isWhole = true
  const readIfWhole = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      // A tree may name a file that the repository lacks: its rules are left out, and the pages are served.
      if (!(error instanceof ServiceError) || error.code !== 'site_unreadable') throw error
      isWhole = false
      return undefined
    }
  }
  const redirects = readIfWhole(() =>
    read(snapshot, REDIRECTS_FILE, 'redirects', (bytes) => new RedirectMatcher(parseRedirects(bytes).rules)),
  )
  const headers = readIfWhole(() => read(snapshot, HEADERS_FILE, 'headers', (bytes) => parseHeaders(bytes).rules))
  const rules = { redirects: redirects ?? NO_REDIRECTS, headers: headers ?? NO_HEADERS }
  // What is missing may be put back under the same head.
  if (isWhole) ofSnapshot.set(snapshot, rules)
  return rules
}

/** The same blob may be both files, so what was made of it is kept by kind. */
function read<K extends 'redirects' | 'headers'>(
  snapshot: Files,
  path: string,
  kind: K,
  parse: (bytes: Buffer) => SiteRules[K],
): SiteRules[K] | undefined {
  const entry = snapshot.entry(path)
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const kept = compiled.get(entry.oid) ?? {}
  const known = kept[kind] as SiteRules[K] | undefined
  if (known !== undefined) return known
  const size = snapshot.size(entry.oid)
  if (size > LONGEST_RULES_FILE) return undefined
  const rules = parse(snapshot.blob(entry.oid))
  compiled.set(entry.oid, { ...kept, [kind]: rules }, { size: size + 1 })
  return rules
}
