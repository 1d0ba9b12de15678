// Finds links that lead nowhere: tests paths against a site, and lists the broken links of pages that a change writes.

import { LRUCache } from 'lru-cache'
import type { DryRunData } from '../../../schemas/pages.js'
import type { FileChange } from '../../model/commits/facts.js'
import { rulePathOf } from '../../model/rules/path-pattern.js'
import { parseRedirects, REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../../model/rules/rules-file.js'
import { cutToBytes } from '../../model/text-parts.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { findFile } from '../../repository/resolution/find-file.js'
import { formerLead } from '../../repository/resolution/former-lead.js'
import { readLinks } from './document-links.js'
import { startCpuBound } from '../../threads/cpu-bound.js'

export type LinkWarning = DryRunData['warnings'][number]

/** Bytes of a target in a warning: a target may be as long as its page. */
export const MAX_TARGET_BYTES = 8_192
export const MAX_LINK_WARNINGS = 50
/** CPU time after which the search stops. */
const MAX_SEARCH_MS = 100
const GENERATED = new Set(['/robots.txt', '/sitemap.xml'])
/** Targets whose answer is remembered. */
const MAX_KNOWN_TARGETS = 50_000

export interface BrokenLinks {
  warnings: LinkWarning[]
  /** False if something was not looked at. */
  isComplete: boolean
}

/**
 * Returns the broken links of changed documents, in the site with the change. Stops after 100 ms of CPU time or 50 warnings. With `lost`, it
 * leaves out links that a document had before, unless their target is among `lost`.
 */
export function findBrokenLinks(
  after: Snapshot,
  changed: readonly FileChange[],
  lost?: ReadonlySet<string>,
): BrokenLinks {
  const warnings: LinkWarning[] = []
  const isOver = startCpuBound(MAX_SEARCH_MS)
  const leads = targetsOf(after)
  let isComplete = true
  for (const { treePath, before, after: file } of changed) {
    const read = file && readLinks(after, treePath, file.oid)
    if (!read) continue
    const { path, links } = read
    isComplete &&= links?.isComplete === true
    const known = lost === undefined || before === null ? undefined : readLinks(after, treePath, before)?.links?.paths
    for (const target of links?.paths.keys() ?? []) {
      if (known?.has(target) === true && lost?.has(target) !== true) continue
      if (warnings.length >= MAX_LINK_WARNINGS || isOver()) return { warnings, isComplete: false }
      if (!leads(target)) warnings.push(brokenLink(path, target))
    }
  }
  return { warnings, isComplete }
}

export function brokenLink(path: string, target: string): LinkWarning {
  return {
    code: 'broken_link',
    path,
    message: `The link to ${cutToBytes(target, MAX_TARGET_BYTES)} would lead nowhere.`,
  }
}

/** Whether a former address leads somewhere. */
function isLed(lead: ReturnType<typeof formerLead>): boolean {
  return lead !== undefined && !('gone' in lead)
}

/** Returns the rules of a file. A file that is too long has none, as for visitors. */
function redirectsIn(snapshot: Snapshot, oid: string) {
  const bytes = snapshot.blobWithin(oid, MAX_RULES_FILE_BYTES)
  return bytes === undefined ? [] : parseRedirects(bytes).rules
}

/**
 * Returns a test whether a URL path leads somewhere: to a file, a page, another spelling of their URLs or a generated file. Redirects and
 * former addresses lead somewhere too.
 */
export function targetsOf(snapshot: Snapshot): (pathname: string) => boolean {
  const entry = snapshot.entry(REDIRECTS_FILE)
  const rules = isFile(entry?.mode) && entry !== undefined ? redirectsIn(snapshot, entry.oid) : []
  const isRuled = (pathname: string) => {
    const path = rulePathOf(pathname)
    return rules.some(({ from }) => from.match(path) !== undefined)
  }
  const leads = (pathname: string) =>
    GENERATED.has(pathname) ||
    findFile(snapshot, pathname) !== undefined ||
    isRuled(pathname) ||
    isLed(formerLead(snapshot, pathname, { isRuled }))
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN_TARGETS, memoMethod: leads })
  return (pathname) => known.memo(pathname)
}
