// The lines that a pusher reads on the terminal, after `remote:`.

import type { Site } from '../../catalog/sites.js'
import { contentUrlOf, type PublicAddress, siteUrlOf } from '../../model/hosts/site-url.js'
import type { ReviewedPush } from '../../store/pushing/review-push.js'

const SHORT = 10
const MAX_WARNINGS = 20

/** Returns lines on what was published, or would be, and how to undo it. */
export function linesOf(
  address: PublicAddress,
  site: Site,
  { before, after }: { before: string; after: string },
  review: ReviewedPush | undefined,
  isDryRun: boolean,
): string[] {
  const url = siteUrlOf(address, site.slug)
  const head = isDryRun ? `would publish at ${url}/` : `published at ${url}/`
  if (review === undefined) return [`palimpsest: ${head}`, '  (very much changed: it is not listed here)']
  const { changes, changeCount, wrongPages } = review
  const warnings = wrongPages.slice(0, MAX_WARNINGS).map((wrong) => `palimpsest: warning: ${wrong}`)
  // Rules files have no URL.
  const urlOf = (treePath: string) => contentUrlOf(address, site.slug, treePath) ?? treePath
  const listed = changes.map(({ kind, treePath }) => `  ${kind.padEnd(9)} ${urlOf(treePath)}`)
  const more = changeCount > changes.length ? [`  and ${changeCount - changes.length} more`] : []
  const nothing = changeCount === 0 ? ['  no page and no file changed'] : []
  const undo = isDryRun ? [] : [`palimpsest: to undo it: ${undoCommand(before, after, review)}`]
  return [...warnings, `palimpsest: ${head}`, ...listed, ...more, ...nothing, ...undo]
}

/** Returns the command that undoes the push. A merge cannot be reverted with it: it has no single parent. */
function undoCommand(before: string, after: string, { commits, hasMerge }: ReviewedPush): string {
  const [from, to] = [before, after].map((oid) => oid.slice(0, SHORT))
  if (hasMerge) return `git restore --source=${from} --staged --worktree :/ && git commit -m "Undo ${to}" && git push`
  return `git revert --no-edit ${commits === 1 ? to : `${from}..${to}`} && git push`
}
