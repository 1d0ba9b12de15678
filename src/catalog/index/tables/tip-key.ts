// The key of the rows that hold a site's pages as of its newest commit, and what a leap to them is.

import type { CommitFacts, PageLeap } from '../../../model/facts.js'

/** The number of a version that a leap passed over: how many there were is not known yet. */
export const UNCOUNTED = 0

const SEPARATOR = '/'

export function tipKeyOf(siteId: string): string {
  return `${siteId}${SEPARATOR}tip`
}

/** The id of the site whose rows have this key. */
export function siteIdOf(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key
}

export function isLeap(facts: CommitFacts): facts is PageLeap {
  return 'isLeap' in facts
}
