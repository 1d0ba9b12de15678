// Reads the rules of a site, once for each blob that holds them and each served snapshot.

import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../model/errors.js'
import { HEADERS_FILE, type HeaderRule, parseHeaders } from '../../model/rules/headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES, type WrongLine } from '../../model/rules/rules-file.js'
import { linesOfTooLong, linesToTell } from '../../model/rules/wrong-lines.js'
import { isFile } from '../format/file-mode.js'
import type { Snapshot } from '../reading/snapshot.js'
import { RedirectMatcher } from './redirect-matcher.js'

export interface SiteRules {
  redirects: RedirectMatcher
  headers: readonly HeaderRule[]
}

type Files = Pick<Snapshot, 'siteId' | 'entry' | 'blob' | 'size'>

const NO_REDIRECTS = new RedirectMatcher([])
const NO_HEADERS: readonly HeaderRule[] = []

/** Limit for the source bytes of compiled rules in memory; the rules themselves take about eight times as much. */
const CACHE_SOURCE_BYTES = 4 * 1024 * 1024

/** By site and oid. Sites share nothing: a SHA-1 collision must not show one site the bytes of another. */
const compiled = new LRUCache<string, { redirects?: RedirectMatcher; headers?: readonly HeaderRule[] }>({
  maxSize: CACHE_SOURCE_BYTES,
})
const ofSnapshot = new WeakMap<Files, SiteRules>()

/** Returns the rules of a snapshot. */
export function rulesOf(snapshot: Files): SiteRules {
  const known = ofSnapshot.get(snapshot)
  if (known !== undefined) return known
  let isComplete = true
  const readIfPresent = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      // If the repository lacks a rules file's blob, the pages are served without that file.
      if (!(error instanceof ServiceError) || error.code !== 'site_unreadable') throw error
      isComplete = false
      return undefined
    }
  }
  const redirects = readIfPresent(() => read(snapshot, REDIRECTS_FILE, 'redirects', compileRedirects))
  const headers = readIfPresent(() => read(snapshot, HEADERS_FILE, 'headers', compileHeaders))
  const rules = { redirects: redirects ?? NO_REDIRECTS, headers: headers ?? NO_HEADERS }
  // A missing blob may be restored while the head stays the same.
  if (isComplete) ofSnapshot.set(snapshot, rules)
  return rules
}

/** Returns the ignored lines of one rules file, and those that apply with a warning. */
export function linesToTellIn(
  files: Omit<Files, 'siteId'>,
  path: string,
): { wrong: WrongLine[]; warnings: WrongLine[] } {
  const entry = files.entry(path)
  if (entry === undefined || !isFile(entry.mode)) return { wrong: [], warnings: [] }
  const size = files.size(entry.oid)
  return size > MAX_RULES_FILE_BYTES ? linesOfTooLong(size) : linesToTell(path, files.blob(entry.oid))
}

function compileRedirects(bytes: Buffer): RedirectMatcher {
  return new RedirectMatcher(parseRedirects(bytes).rules)
}

function compileHeaders(bytes: Buffer): readonly HeaderRule[] {
  return parseHeaders(bytes).rules
}

/** Reads one rules file. The same blob may be both files, so its rules are cached by kind. */
function read<K extends 'redirects' | 'headers'>(
  snapshot: Files,
  path: string,
  kind: K,
  compile: (bytes: Buffer) => SiteRules[K],
): SiteRules[K] | undefined {
  const entry = snapshot.entry(path)
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const key = `${snapshot.siteId}/${entry.oid}`
  const kept = compiled.get(key) ?? {}
  const known = kept[kind] as SiteRules[K] | undefined
  if (known !== undefined) return known
  const size = snapshot.size(entry.oid)
  if (size > MAX_RULES_FILE_BYTES) return undefined
  const rules = compile(snapshot.blob(entry.oid))
  compiled.set(key, { ...kept, [kind]: rules }, { size: size + 1 })
  return rules
}
