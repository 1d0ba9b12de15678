// Lands a push over HTTP that was judged: main moves in the site's queue, behind no other write, and tags follow.

import { GitFailed } from '../../git/command.js'
import { toSeconds } from '../../model/clock.js'
import { makerNameOf } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { MainMove } from '../../repository/protocol/ref-moves.js'
import type { PackToInstall } from '../../repository/protocol/write.js'
import { mainHasMoved } from '../../repository/pushing/judge/push-messages.js'
import { moveTags } from '../../repository/pushing/pushed-tags.js'
import { packsOf } from '../../repository/pushing/quarantine.js'
import { allowPush } from './allow-push.js'
import { type JudgedPush, mainIn } from './push.js'

const NOT_SET = 'git could not set the tag: another tag has its name as a folder, or it was changed meanwhile'

/**
 * Asks for the rights again, then moves main and tags. Returns why its tags could not be set; null if they are set. Throws PushRefused if
 * main has moved meanwhile, and as `askAgain` and `allowPush` if the rights have ended.
 */
export async function landPush(push: JudgedPush): Promise<string | null> {
  allowPush({ ...push, ...(await push.askAgain()) })
  const { site, head, principal, pushLine, store } = push
  const main = mainIn(push)
  const packs = packsOf(push.quarantine)
  // In a log, the objects of tags travel with the tags.
  if (main !== undefined || (packs.length > 0 && !store.refMover.isLogged))
    await moveMain(push, { expected: head, next: main?.after ?? head, packs })
  if (main !== undefined) pushLine.leave(site, principal)
  return await setTags(push, main === undefined ? packs : [])
}

/** Records the push, then moves main. The record comes first, so that a crash in between omits no push. */
async function moveMain(
  { site, principal, message, store, catalog, clock }: JudgedPush,
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
  if (!isLanded) throw mainHasMoved()
}

async function setTags(
  { site, commands, principal, store, clock }: JudgedPush,
  packs: readonly PackToInstall[],
): Promise<string | null> {
  const changes = commands.filter(({ ref }) => ref !== MAIN)
  if (changes.length === 0) return null
  try {
    if (!store.refMover.isLogged) {
      await moveTags(store.repositories.gitdir(site), changes)
      store.maintenance.requestIfDue(site)
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
