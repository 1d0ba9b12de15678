// Judges a push over HTTP before any of it belongs to the site: by the site's rules, its quotas, and the paths of the key.

import type { RefChange } from '../../git/objects/ref-change.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import { type ErrorCode, ServiceError } from '../../model/errors.js'
import { pathsNotAllowed } from '../../model/paths/path-scope.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { judgeByHook } from '../../repository/hooks/judge-by-hook.js'
import type { GitPlace } from '../../repository/pushing/judge/new-commits.js'
import { mainHasMoved, PushRefused, refusal, refusalOfRefs } from '../../repository/pushing/judge/push-messages.js'
import { refuseTags } from '../../repository/pushing/pushed-tags.js'
import { packsOf } from '../../repository/pushing/quarantine.js'
import type { PushReview, PushToReview } from '../../repository/pushing/review-push.js'
import { refusePushBeyond } from '../quotas/refuse-beyond.js'
import { type JudgedPush, mainIn, type ReceivedPush } from './push.js'

const MAX_LISTED_PATHS = 20
/** Longer packs are judged in a process of their own: that takes longer than a task may. */
const MAX_TASK_PACK_BYTES = 1024 * 1024

/** Throws PushRefused and ServiceError. */
export async function judgeReceived(push: ReceivedPush): Promise<JudgedPush> {
  const { commands, site, quarantine, store } = push
  const head = store.reader.advertisedRefs(site).main
  const main = mainIn(push)
  if (main !== undefined && main.before !== head) throw mainHasMoved()
  const { warnings, review } = await judgeChanges(push, commands)
  const place = placeOf(push)
  const tags = commands.filter(({ ref }) => ref !== MAIN)
  const byRef = await refuseTags(place, tags, main?.after ?? head)
  if (byRef.size > 0) throw refusalOfRefs(byRef, site.slug)
  const packs = packsOf(quarantine).map(({ path }) => path)
  const span = main?.after == null ? undefined : { gitdir: place.gitdir, before: head, after: main.after, packs }
  await refusePushBeyond(push, site.workspaceId, quarantine?.pack?.bytes ?? 0, span)
  return { ...push, head, review, lines: [...push.lines, ...warnings] }
}

/** Codes of a task that takes too long, by itself or on a busy machine: git judges the push then. */
const NOT_IN_TIME: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['too_costly', 'service_busy'])

export interface Judgement {
  warnings: readonly string[]
  review: PushReview | undefined
}

/** Judges changes of refs by the rules of the site and the paths of the key. Throws PushRefused and ServiceError. */
export async function judgeChanges(push: ReceivedPush, changes: readonly RefChange[]): Promise<Judgement> {
  const toReview = toReviewOf(push, changes)
  const judgement = (await judgeInTask(push, toReview)) ?? (await judgeApart(push, toReview))
  refusePaths(judgement.review, push.principal.paths)
  return judgement
}

/** Returns where git finds the pushed objects. */
export function placeOf({ site, store, quarantine }: ReceivedPush): GitPlace {
  return { gitdir: store.repositories.gitdir(site), quarantine: quarantine?.folder }
}

/** Judges a push that is probably small; undefined if it is not. */
async function judgeInTask(
  { site, quarantine, tasks }: ReceivedPush,
  toReview: PushToReview,
): Promise<Judgement | undefined> {
  if ((quarantine?.pack?.bytes ?? 0) > MAX_TASK_PACK_BYTES) return undefined
  const judged = await unlessNotInTime(() => tasks.run('judgeAndReview', toReview, site))
  if (judged !== undefined && 'refusal' in judged) throw new PushRefused(judged.refusal)
  return judged
}

async function judgeApart(push: ReceivedPush, toReview: PushToReview): Promise<Judgement> {
  const { gitdir, quarantine, changes } = toReview
  const { site, principal, signal, tasks } = push
  const newObjects = quarantine === undefined ? {} : { newObjects: quarantine }
  const warnings = await judgeByHook(gitdir, changes, { signal, niceness: SERVING_NICENESS, ...newObjects })
  const list = () => tasks.run('reviewPush', toReview, site)
  // The list of changes may be left out; the check of paths may not.
  return { warnings, review: await (principal.paths === undefined ? unlessNotInTime(list) : list()) }
}

async function unlessNotInTime<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && NOT_IN_TIME.has(error.code)) return undefined
    throw error
  }
}

function toReviewOf(push: ReceivedPush, changes: readonly RefChange[]): PushToReview {
  const { site, principal, limits } = push
  const { paths } = principal
  return {
    ...placeOf(push),
    changes,
    siteId: site.id,
    sizes: { maxHtmlBytes: limits.maxHtmlBytes, maxFileBytes: limits.maxFileBytes },
    ...(paths && { paths }),
  }
}

/** Throws PushRefused with the paths that the key may not write to. */
function refusePaths(review: PushReview | undefined, allowed: readonly string[] = []): void {
  const refused = review?.refused ?? []
  if (refused.length === 0) return
  const listed = refused.slice(0, MAX_LISTED_PATHS).map((path) => `  ${path}`)
  const more = refused.length > listed.length ? [`  and ${refused.length - listed.length} more`] : []
  throw new PushRefused([...refusal(pathsNotAllowed(refused, allowed).message).lines, ...listed, ...more])
}
