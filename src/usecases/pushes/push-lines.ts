// The lines that a pusher reads on the terminal, after `remote:`.

import { contentUrlOf, type PublicAddress, siteUrlOf } from '../../model/hosts/site-url.js'
import type { PushReview } from '../../repository/pushing/review-push.js'
import type { JudgedPush } from './judge-received.js'
import { mainIn, type Push } from './push.js'

const SHORT = 10
const MAX_WARNINGS = 20

/** Returns the judge's warnings, and lines on what was published, or would be, and how to undo it. */
export function linesOf(
  address: PublicAddress,
  push: Push,
  { warnings, review }: JudgedPush,
  isDryRun: boolean,
): string[] {
  const main = mainIn(push)
  if (main?.before == null || main.after === null) return [...warnings]
  const { slug } = push.site
  const url = siteUrlOf(address, slug)
  const head = isDryRun ? `would publish at ${url}/` : `published at ${url}/`
  if (review === undefined) return [...warnings, `palimpsest: ${head}`, '  (too many changes to list)']
  const { changes, changeCount, wrongPages } = review
  const wrong = wrongPages.slice(0, MAX_WARNINGS).map((page) => `palimpsest: warning: ${page}`)
  // Rules files have no URL.
  const urlOf = (treePath: string) => contentUrlOf(address, slug, treePath) ?? treePath
  const listed = changes.map(({ kind, treePath }) => `  ${kind.padEnd(9)} ${urlOf(treePath)}`)
  const more = changeCount > changes.length ? [`  and ${changeCount - changes.length} more`] : []
  const nothing = changeCount === 0 ? ['  no page and no file changed'] : []
  const isUndone = !isDryRun && review.undo !== 'nothing'
  const undo = isUndone ? [`palimpsest: to undo it: ${undoCommand(main.before, main.after, review)}`] : []
  return [...warnings, ...wrong, `palimpsest: ${head}`, ...listed, ...more, ...nothing, ...undo]
}

/** Returns the command that undoes the push. */
function undoCommand(before: string, after: string, { commits, undo }: PushReview): string {
  const [from, to] = [before, after].map((oid) => oid.slice(0, SHORT))
  if (undo === 'restore')
    return `git restore --source=${from} --staged --worktree :/ && git commit -m "Undo ${to}" && git push`
  return `git revert --no-edit ${commits === 1 ? to : `${from}..${to}`} && git push`
}
