// Receives the objects of a push. A push on a site's first commit alone is joined to it. Such a site shows no branch to those who push,
// as a new repository elsewhere. So git takes the first push of any repository, and brings its whole history.

import { toSeconds } from '../../model/clock.js'
import { makerTrailers } from '../../model/commits/maker.js'
import { MAIN } from '../../repository/format/main-ref.js'
import { asFirstCommit, type FirstCommit, joinFirstPush } from '../../repository/pushing/first-push.js'
import { pushNote } from '../../repository/pushing/judge/push-messages.js'
import { type Quarantine, receivePack } from '../../repository/pushing/quarantine.js'
import type { AtSite } from '../context/call.js'
import { type AllowedPush, mainIn, type ReceivedPush } from './push.js'

const PULL = pushNote("your commits are kept, with one on top that has the site's id: git pull, then go on")

/** Receives the pack into quarantine; undefined if the push deletes refs only. */
export async function receiveObjects(push: AllowedPush): Promise<Quarantine | undefined> {
  const { commands, limits, pack, signal, site, store, uploads } = push
  if (commands.every(({ after }) => after === null)) return undefined
  store.reader.refused.refuseDeleted(site)
  return await receivePack(store.repositories.gitdir(site), pack, {
    maxBytes: limits.maxPushBytes,
    maxFileBytes: limits.maxFileBytes,
    checkSpace: (bytes) => uploads.checkSpace(bytes),
    signal,
  })
}

/** Returns the site's first commit if it has no other, and no tags. */
export function findFirstCommit({ store, site }: AtSite<'store'>): FirstCommit | undefined {
  const { objects, refs } = store.fetchSource(site)
  return refs.tags.length === 0 ? asFirstCommit(objects, refs.main) : undefined
}

/** Returns the push as one that goes on from the site's first commit, if it was made where no branch was shown. Throws PushRefused. */
export async function joinToFirst(push: AllowedPush, quarantine: Quarantine | undefined): Promise<ReceivedPush> {
  const asItIs = { ...push, quarantine, isJoined: false }
  const main = mainIn(push)
  if (main?.after == null || main.before !== null || quarantine === undefined) return asItIs
  const first = findFirstCommit(push)
  if (first === undefined) return asItIs
  const { repositories } = push.store
  const joined = await joinFirstPush({
    gitdir: repositories.gitdir(push.site),
    quarantine: quarantine.folder,
    first,
    pushed: main.after,
    author: push.principal.label,
    trailers: makerTrailers(push.principal),
    time: toSeconds(push.clock()),
    sign: repositories.sign,
  })
  const after = joined?.commit ?? main.after
  const commands = push.commands.map((command) =>
    command.ref === MAIN ? { ref: MAIN, before: first.oid, after } : command,
  )
  if (joined === undefined) return { ...asItIs, commands }
  const withOwn = { ...quarantine, ownPack: joined.pack }
  return { ...push, commands, quarantine: withOwn, isJoined: true, lines: [...push.lines, PULL] }
}
