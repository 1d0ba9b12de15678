// Makes the answer to a push over HTTP: an outcome for each ref, and the lines that the pusher reads after `remote:`.

import { GitFailed } from '../../git/command.js'
import type { PushReport } from '../../git/wire/push-report.js'
import { ServiceError } from '../../model/errors.js'
import { contentUrlOf, siteUrlOf } from '../../model/hosts/site-url.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { asRefusal, pushNote, pushWarning, refusal } from '../../repository/pushing/judge/push-messages.js'
import type { PushedChange, PushReview } from '../../repository/pushing/review-push.js'
import { type JudgedPush, mainIn, type Push } from './push.js'

const SHORT = 10
const MAX_WARNINGS = 20
export const DRY_RUN = 'dry run: it would be taken; nothing was changed'

/** Reports a push that landed, or would. `tagRefusal` says why its tags could not be set. */
export function reportTaken(push: JudgedPush, tagRefusal: string | null): PushReport {
  const outcomeOf = (ref: string) => (ref === MAIN ? null : tagRefusal)
  return {
    unpackError: null,
    refs: push.commands.map(({ ref }) => ({ ref, refusal: push.isDryRun ? DRY_RUN : outcomeOf(ref) })),
    lines: linesOf(push),
  }
}

/** Reads the rest of the push, and reports why all its refs are refused: one refuses the others. Rejects with faults of the service. */
export async function reportRefused(push: Push, error: unknown): Promise<PushReport> {
  // Overrides git's words: the repository was taken away while git read it.
  const refused = isDeleted(push) ? refusal('this site was deleted.') : asRefusal(error)
  if (refused === undefined) throw faultOf(error)
  await readAndDrop(push)
  const { byRef, lines } = refused
  const reason = byRef.size === 0 ? 'see the lines above' : 'refused with another ref of this push'
  return {
    unpackError: null,
    refs: push.commands.map(({ ref }) => ({ ref, refusal: byRef.get(ref) ?? reason })),
    lines,
  }
}

/** Returns the error of a push that is not to blame. A git that the system did not start may start soon. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof GitFailed) || !error.isNotStarted) return error
  return Object.assign(new ServiceError('service_busy', 'The system did not start git. Push again in a second.'), {
    cause: error,
  })
}

/** Returns what the steps had to say, what was published or would be, and how to undo it. */
function linesOf(push: JudgedPush): string[] {
  const { review, isDryRun, lines } = push
  const main = mainIn(push)
  if (main?.before == null || main.after === null) return [...lines]
  const url = siteUrlOf(push, push.site.slug)
  const head = pushNote(isDryRun ? `would publish at ${url}/` : `published at ${url}/`)
  const listed = listChanges(push, head, ({ kind }) => kind)
  // The clone lacks the commit that joins its history to the site's.
  const isUndone = review !== undefined && !isDryRun && !push.isJoined && review.undo !== 'nothing'
  const undo = isUndone ? [pushNote(`to undo it: ${undoCommand(main.before, main.after, review)}`)] : []
  return [...lines, ...listed, ...undo]
}

/** Lists faults of the pages, then what the push changes below `head`. `wordOf` says how. */
export function listChanges(
  push: Pick<JudgedPush, 'baseUrl' | 'siteDomain' | 'site' | 'review'>,
  head: string,
  wordOf: (change: PushedChange) => string,
): string[] {
  const { site, review } = push
  if (review === undefined) return [head, '  (too many changes to list)']
  const { changes, changeCount, wrongPages } = review
  const wrong = wrongPages.slice(0, MAX_WARNINGS).map(pushWarning)
  // Rules files have no URL.
  const urlOf = (treePath: string) => contentUrlOf(push, site.slug, treePath) ?? treePath
  const listed = changes.map((change) => `  ${wordOf(change).padEnd(9)} ${urlOf(change.treePath)}`)
  const more = changeCount > changes.length ? [`  and ${changeCount - changes.length} more`] : []
  const nothing = changeCount === 0 ? ['  no page and no file changed'] : []
  return [...wrong, head, ...listed, ...more, ...nothing]
}

/** Returns the command that undoes the push. */
function undoCommand(before: string, after: string, { commits, undo }: PushReview): string {
  const [from, to] = [before, after].map((oid) => oid.slice(0, SHORT))
  if (undo === 'restore')
    return `git restore --source=${from} --staged --worktree :/ && git commit -m "Undo ${to}" && git push`
  return `git revert --no-edit ${commits === 1 ? to : `${from}..${to}`} && git push`
}

function isDeleted({ store, site }: Push): boolean {
  try {
    store.reader.refused.refuseDeleted(site)
    return false
  } catch {
    return true
  }
}

/** Reads the rest, because git reads no answer before it has sent everything. Throws `payload_too_large` if there is no end. */
async function readAndDrop({ pack, limits: { maxPushBytes: maxBytes } }: Push): Promise<void> {
  let bytes = 0
  for await (const chunk of pack) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ServiceError('payload_too_large', `The push is larger than ${maxBytes} bytes.`)
  }
}
