// The rules that need no objects: which refs a push may change, and how many.

import type { RefChange } from '../../../git/objects/ref-change.js'
import { MAIN } from '../../format/main-ref.js'
import { refusal } from './push-messages.js'

/** Most refs in one push: git starts a hook three times for each. */
export const MAX_PUSH_REFS = 100
/** Each listing of commits and each fetch looks through all tags. */
const MAX_TAGS = 10_000
const TAGS = 'refs/tags/'
const REPLACEMENTS = 'refs/replace/'
const PROPOSALS = 'refs/for/'

const OVER_HTTP =
  'changes are proposed over HTTP: git push <URL of the site> HEAD:refs/for/main. A push by path takes main and tags.'
export const TOO_MANY_REFS = `a push may change at most ${MAX_PUSH_REFS} refs. Push them a part at a time.`

/** `countTags` returns how many tags the site has. Throws PushRefused. */
export function checkRefs(changes: readonly RefChange[], countTags: () => number): void {
  if (changes.length > MAX_PUSH_REFS) throw refusal(TOO_MANY_REFS)
  for (const { ref, after } of changes) {
    if (after === null && ref === MAIN) throw refusal('main is the site and cannot be deleted.')
    if (after !== null && ref.startsWith(REPLACEMENTS))
      throw refusal('replacements of objects (git replace) are not accepted.')
    if (after !== null && isProposal(ref)) throw refusal(OVER_HTTP)
  }
  const more = moreTags(changes)
  if (more <= 0) return
  const tags = countTags()
  if (tags + more > MAX_TAGS)
    throw refusal(`the site has ${tags} tags: at most ${MAX_TAGS} are accepted. Delete some first: git push --delete.`)
}

/** Returns how many tags more there would be. */
function moreTags(changes: readonly RefChange[]): number {
  let more = 0
  for (const { ref, before, after } of changes) {
    if (!isTag(ref)) continue
    if (before === null) more += 1
    if (after === null) more -= 1
  }
  return more
}

/** Whether a push to the ref proposes changes. No repository keeps such a ref. */
export function isProposal(ref: string): boolean {
  return ref.startsWith(PROPOSALS)
}

export function isTag(ref: string): boolean {
  return ref.startsWith(TAGS)
}
