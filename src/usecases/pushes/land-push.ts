// Lands a push over HTTP that was judged: main moves in the site's queue, behind no other write, and tags follow.

import { GitFailed } from '../../git/command.js'
import type { PushReport } from '../../git/wire/push-report.js'
import { toSeconds } from '../../model/clock.js'
import { makerNameOf } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { MainMove } from '../../repository/protocol/ref-moves.js'
import type { PackToInstall } from '../../repository/protocol/write.js'
import { refusal } from '../../repository/pushing/judge/push-refused.js'
import { moveTags } from '../../repository/pushing/pushed-tags.js'
import { packsOf, type Quarantine } from '../../repository/pushing/quarantine.js'
import type { Services } from '../context/services.js'
import type { JudgedPush } from './judge-received.js'
import { mainIn, MOVED, type Push } from './push.js'
import { linesOf } from './push-lines.js'

const NOT_SET = 'git could not set the tag: another tag has its name as a folder, or it was changed meanwhile'

/** `message` is kept with the record of the push. Throws PushRefused if main has moved meanwhile. */
export async function landPush(
  services: Services,
  push: Push,
  message: string | null,
  quarantine: Quarantine | undefined,
  judged: JudgedPush,
): Promise<PushReport> {
  const { indexFollower, pushLine, store } = services
  const { site, principal, commands } = push
  const main = mainIn(push)
  const packs = packsOf(quarantine)
  // In a log, the objects of tags travel with the tags.
  if (main !== undefined || (packs.length > 0 && !store.refMover.isLogged))
    await moveMain(services, push, message, { expected: judged.head, next: main?.after ?? judged.head, packs })
  services.usage.sizes.noteMoved(site)
  if (main !== undefined) {
    pushLine.leave(site, makerNameOf(principal))
    // Runs after the answer. The next read that needs the index reports a failure.
    setImmediate(() => void indexFollower.catchUp(site).catch(() => undefined))
  }
  const tagRefusal = await setTags(services, push, main === undefined ? packs : [])
  return {
    unpackError: null,
    refs: commands.map(({ ref }) => ({ ref, refusal: ref === MAIN ? null : tagRefusal })),
    lines: linesOf(services, push, judged, false),
  }
}

/** Records the push, then moves main. The record comes first, so that a crash in between omits no push. */
async function moveMain(
  { store, catalog, clock }: Services,
  { site, principal }: Push,
  message: string | null,
  move: Pick<MainMove, 'expected' | 'next' | 'packs'>,
): Promise<void> {
  const maker = makerNameOf(principal)
  const { expected: before, next: after } = move
  const author = principal.label
  const recorded =
    before === after ? undefined : await catalog.pushes.add({ siteId: site.id, before, after, maker, author, message })
  let isLanded = true
  try {
    const outcome = await store.refMover.moveMain(site, {
      ...move,
      time: toSeconds(clock()),
      by: `${author} (${maker})`,
    })
    isLanded = outcome === 'done'
  } catch (error) {
    isLanded = error instanceof ServiceError && error.code === 'outcome_unknown'
    throw error
  } finally {
    if (!isLanded && recorded !== undefined) await catalog.pushes.remove(recorded)
  }
  if (!isLanded) throw refusal(MOVED)
}

/** Returns why the tags could not be set; null if they are set. */
async function setTags(
  { store, clock }: Services,
  { site, commands, principal }: Push,
  packs: readonly PackToInstall[],
): Promise<string | null> {
  const changes = commands.filter(({ ref }) => ref !== MAIN)
  if (changes.length === 0) return null
  try {
    if (!store.refMover.isLogged) {
      await moveTags(store.repositories.gitdir(site), changes)
      store.maintainIfDue(site)
      return null
    }
    const by = `${principal.label} (${makerNameOf(principal)})`
    const outcome = await store.refMover.moveTags(site, { changes, packs, time: toSeconds(clock()), by })
    return outcome === 'done' ? null : NOT_SET
  } catch (error) {
    if (error instanceof GitFailed) return NOT_SET
    // Main may have moved: the report must still say so.
    if (error instanceof ServiceError) return error.message
    throw error
  }
}
