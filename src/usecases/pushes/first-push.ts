// Puts a push on a site's first commit. Such a site shows no branch to those who push, as a new repository elsewhere: so git takes the
// first push of any repository, and brings its whole history.

import type { Site } from '../../catalog/site.js'
import { toSeconds } from '../../model/clock.js'
import { makerTrailers } from '../../model/commits/maker.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { isBlank, joinFirstPush } from '../../repository/pushing/first-push.js'
import type { Quarantine } from '../../repository/pushing/quarantine.js'
import type { Services } from '../context/services.js'
import { mainIn, type Push } from './push.js'

export interface OnFirstCommit {
  push: Push
  quarantine: Quarantine | undefined
  /** Whether a commit of the service joins the pushed history to the site's. */
  isJoined: boolean
  /** Lines for the person who pushes. */
  lines: readonly string[]
}

const PULL = "palimpsest: your commits are kept, with one on top that has the site's id: git pull, then go on"

/** Returns the head if the site has its first commit alone, and no tags. */
export function findFirstCommit({ store }: Pick<Services, 'store'>, site: Site): string | undefined {
  const { main, tags } = store.advertisedRefs(site)
  return tags.length === 0 && isBlank(store.fetchSource(site).objects, main) ? main : undefined
}

/** Returns the push as one that goes on from the site's first commit, if it was made where no branch was shown. Throws PushRefused. */
export async function onFirstCommit(
  services: Services,
  push: Push,
  quarantine: Quarantine | undefined,
): Promise<OnFirstCommit> {
  const asItIs = { push, quarantine, isJoined: false, lines: [] }
  const main = mainIn(push)
  if (main?.after == null || main.before !== null || quarantine === undefined) return asItIs
  const first = findFirstCommit(services, push.site)
  if (first === undefined) return asItIs
  const joined = await joinFirstPush({
    gitdir: services.store.repositories.gitdir(push.site),
    quarantine: quarantine.folder,
    first,
    pushed: main.after,
    author: push.principal.label,
    trailers: makerTrailers(push.principal),
    time: toSeconds(services.clock()),
  })
  const after = joined?.commit ?? main.after
  const commands = push.commands.map((command) =>
    command.ref === MAIN ? { ref: MAIN, before: first, after } : command,
  )
  if (joined === undefined) return { ...asItIs, push: { ...push, commands } }
  const withOwn = { ...quarantine, ownPack: joined.pack }
  return { push: { ...push, commands }, quarantine: withOwn, isJoined: true, lines: [PULL] }
}
