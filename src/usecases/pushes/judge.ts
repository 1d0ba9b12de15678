// Judges a push before any of it belongs to the site: is it complete, do the site's rules allow it, and may the key write to the changed
// paths?

import { GitFailed, type GitOptions, runGit } from '../../git/command.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import { ServiceError } from '../../model/errors.js'
import { pathsNotAllowed } from '../../model/paths/path-scope.js'
import { MAIN } from '../../store/format/main-ref.js'
import { judgePush, PushRefused } from '../../store/hooks/judge-push.js'
import { refuseTags } from '../../store/pushing/pushed-tags.js'
import { allocationLimitOf, type Quarantine } from '../../store/pushing/quarantine.js'
import type { PushToReview, ReviewedPush } from '../../store/pushing/review-push.js'
import type { Services } from '../context/services.js'
import { MOVED, type ReceivedPush, refusalsOf, type Refusals } from './push.js'

export interface Judged {
  /** The current main, on which the push was made. */
  head: string
  warnings: readonly string[]
  /** Changes of the push on main; undefined if it leaves main alone, or changes too much to be listed. */
  review: ReviewedPush | undefined
}

const MAX_LISTED_PATHS = 20
/** Git judges a longer pack directly: it takes long anyway. */
const MAX_PLAIN_PACK_BYTES = 1024 * 1024

/** Throws PushRefused and ServiceError. */
export async function judge(
  services: Services,
  push: ReceivedPush,
  quarantine: Quarantine | undefined,
): Promise<Judged | Refusals> {
  const { commands, site, signal } = push
  const { store, limits } = services
  const gitdir = store.repositories.gitdir(site)
  const head = store.advertisedRefs(site).main
  const main = commands.find(({ ref }) => ref === MAIN)
  if (main !== undefined && main.before !== head) throw new PushRefused([MOVED])
  const plain = await reviewIfPlain(services, push, quarantine)
  if (plain !== undefined) return { head, warnings: [], review: plain }
  const git: GitOptions = {
    signal,
    maxAllocationBytes: allocationLimitOf(limits),
    niceness: SERVING_NICENESS,
    ...(quarantine && { newObjects: quarantine.folder }),
  }
  await checkConnected(gitdir, push, git)
  const warnings = await judgePush(gitdir, commands, git)
  const tags = commands.filter(({ ref }) => ref !== MAIN)
  const byRef = await refuseTags(gitdir, tags, main?.after ?? head, quarantine?.folder)
  if (byRef.size > 0) return refusalsOf(byRef)
  if (main?.after == null) return { head, warnings, review: undefined }
  return { head, warnings, review: await review(services, push, quarantine, { before: head, after: main.after }) }
}

/** Checks that the push or the existing refs hold all objects that a ref will reach. */
async function checkConnected(gitdir: string, { commands }: ReceivedPush, git: GitOptions): Promise<void> {
  const tips = commands.flatMap(({ after }) => (after === null ? [] : [`${after}\n`]))
  if (tips.length === 0) return
  try {
    const args = ['rev-list', '--objects', '--stdin', '--not', '--all', '--quiet']
    await runGit(gitdir, args, { ...git, input: [Buffer.from(tips.join(''))] })
  } catch (error) {
    if (!(error instanceof GitFailed) || error.exitCode === undefined) throw error
    throw new PushRefused([
      'palimpsest: refused: the push lacks objects that its commits name. Push from a complete clone: git fsck finds what is missing.',
    ])
  }
}

/** Reviews a push of main alone that needs no other judge (plain-push.ts); returns undefined for all others. */
async function reviewIfPlain(
  { store, tasks, limits }: Services,
  { site, principal, commands }: ReceivedPush,
  quarantine: Quarantine | undefined,
): Promise<ReviewedPush | undefined> {
  const [main] = commands
  if (commands.length > 1 || main?.ref !== MAIN || main.before === null || main.after === null) return undefined
  if ((quarantine?.pack?.bytes ?? 0) > MAX_PLAIN_PACK_BYTES) return undefined
  const span = { before: main.before, after: main.after }
  const sizes = { maxHtmlBytes: limits.maxHtmlBytes, maxFileBytes: limits.maxFileBytes }
  try {
    const input = { ...toReview(store, site, principal, quarantine, span), sizes }
    return allowed(await tasks.run('reviewPlainPush', input, site))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'too_costly') return undefined
    throw error
  }
}

/** Throws PushRefused with the paths that the key may not write to. */
async function review(
  { store, tasks }: Services,
  { site, principal }: ReceivedPush,
  quarantine: Quarantine | undefined,
  span: { before: string; after: string },
): Promise<ReviewedPush | undefined> {
  try {
    return allowed(await tasks.run('reviewPush', toReview(store, site, principal, quarantine, span), site))
  } catch (error) {
    // The list of changes may be left out; the check of paths may not.
    if (principal.paths === undefined && error instanceof ServiceError && error.code === 'too_costly') return undefined
    throw error
  }
}

function toReview(
  store: Services['store'],
  site: ReceivedPush['site'],
  { paths }: ReceivedPush['principal'],
  quarantine: Quarantine | undefined,
  span: { before: string; after: string },
): PushToReview {
  const packs = quarantine?.pack === undefined ? [] : [quarantine.pack.path]
  return { siteId: site.id, gitdir: store.repositories.gitdir(site), ...span, packs, ...(paths && { paths }) }
}

function allowed<T extends ReviewedPush | undefined>(reviewed: T): T {
  if (reviewed === undefined || reviewed.refused.length === 0) return reviewed
  const { refused } = reviewed
  const listed = refused.slice(0, MAX_LISTED_PATHS).map((path) => `  ${path}`)
  const more = refused.length > listed.length ? [`  and ${refused.length - listed.length} more`] : []
  throw new PushRefused([`palimpsest: refused: ${pathsNotAllowed(refused).message}`, ...listed, ...more])
}
