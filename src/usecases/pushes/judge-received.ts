// Judges a push over HTTP before any of it belongs to the site: do the site's rules allow it, and may the key write to the changed paths?

import { SERVING_NICENESS } from '../../git/priority.js'
import { ServiceError } from '../../model/errors.js'
import { pathsNotAllowed } from '../../model/paths/path-scope.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { judgeByHook } from '../../repository/hooks/judge-by-hook.js'
import { PushRefused, refusal, refusalOfRefs } from '../../repository/pushing/judge/push-refused.js'
import { refuseTags } from '../../repository/pushing/pushed-tags.js'
import type { Quarantine } from '../../repository/pushing/quarantine.js'
import type { PushReview, PushToReview } from '../../repository/pushing/review-push.js'
import type { Services } from '../context/services.js'
import { mainIn, MOVED, type Push } from './push.js'

export interface JudgedPush {
  /** The current main, on which the push was made. */
  head: string
  /** Lines for the person who pushes. */
  warnings: readonly string[]
  /** Changes of the push on main; undefined if it leaves main alone, or changes too much to be listed. */
  review: PushReview | undefined
}

const MAX_LISTED_PATHS = 20
/** Longer packs are judged in a process of their own: that takes longer than a task may. */
const MAX_TASK_PACK_BYTES = 1024 * 1024

/** Throws PushRefused and ServiceError. */
export async function judgeReceived(
  services: Services,
  push: Push,
  quarantine: Quarantine | undefined,
): Promise<JudgedPush> {
  const { commands, site } = push
  const { store } = services
  const head = store.advertisedRefs(site).main
  const main = mainIn(push)
  if (main !== undefined && main.before !== head) throw refusal(MOVED)
  const toReview = toReviewOf(services, push, quarantine)
  const judged =
    (await judgeInTask(services, push, quarantine, toReview)) ?? (await judgeApart(services, push, toReview))
  refusePaths(judged.review, push.principal.paths)
  const tags = commands.filter(({ ref }) => ref !== MAIN)
  const byRef = await refuseTags(toReview.gitdir, tags, main?.after ?? head, quarantine?.folder)
  if (byRef.size > 0) throw refusalOfRefs(byRef)
  return { head, ...judged }
}

/** Judges a push that is probably small; undefined if it is not. */
async function judgeInTask(
  { tasks }: Services,
  { site }: Push,
  quarantine: Quarantine | undefined,
  toReview: PushToReview,
): Promise<Omit<JudgedPush, 'head'> | undefined> {
  if ((quarantine?.pack?.bytes ?? 0) > MAX_TASK_PACK_BYTES) return undefined
  const judged = await unlessTooCostly(() => tasks.run('judgeAndReview', toReview, site))
  if (judged !== undefined && 'refusal' in judged) throw new PushRefused(judged.refusal)
  return judged
}

async function judgeApart({ tasks }: Services, push: Push, toReview: PushToReview): Promise<Omit<JudgedPush, 'head'>> {
  const { gitdir, quarantine } = toReview
  const { commands, site, principal, signal } = push
  const newObjects = quarantine === undefined ? {} : { newObjects: quarantine }
  const warnings = await judgeByHook(gitdir, commands, { signal, niceness: SERVING_NICENESS, ...newObjects })
  const list = () => tasks.run('reviewPush', toReview, site)
  // The list of changes may be left out; the check of paths may not.
  return { warnings, review: await (principal.paths === undefined ? unlessTooCostly(list) : list()) }
}

async function unlessTooCostly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'too_costly') return undefined
    throw error
  }
}

function toReviewOf(
  { store, limits }: Services,
  { site, commands, principal: { paths } }: Push,
  quarantine: Quarantine | undefined,
): PushToReview {
  return {
    gitdir: store.repositories.gitdir(site),
    quarantine: quarantine?.folder,
    changes: commands,
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
