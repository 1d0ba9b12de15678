// A push over HTTP on its way (receive-push.ts). Each step adds what it found.

import type { RefChange } from '../../git/objects/ref-change.js'
import type { PushRequest } from '../../git/wire/push-request.js'
import type { Principal } from '../../model/principal.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { Quarantine } from '../../repository/pushing/quarantine.js'
import type { PushReview } from '../../repository/pushing/review-push.js'
import type { AtSite } from '../context/call.js'
import type { Proposal } from './proposal.js'
import type { PushOptions } from './push-options.js'

/** The parts of the service that a push uses. */
type Parts =
  | 'baseUrl'
  | 'catalog'
  | 'clock'
  | 'indexFollower'
  | 'limits'
  | 'longTasks'
  | 'newId'
  | 'pushLine'
  | 'siteDomain'
  | 'store'
  | 'tasks'
  | 'uploads'
  | 'usage'

/** Comes in at the door: its commands are read, its pack is not. */
export interface Push extends PushRequest, AtSite<Parts> {
  principal: Principal
  /** Finds the caller again, who must still be allowed to write, and the site. Throws as at the beginning of the request. */
  askAgain: () => Promise<Pick<Push, 'principal' | 'site'>>
  /** The bytes that follow the commands. */
  pack: AsyncIterable<Buffer>
  /** Whether the clone's history is cut off at a commit that main does not have. */
  isCutOff: boolean
  /** Aborts when the client has gone. */
  signal: AbortSignal
}

/** The pusher may change its refs. */
export interface AllowedPush extends Push, Pick<PushOptions, 'isDryRun' | 'message' | 'lines'> {
  /** Undefined if it changes main or tags. */
  proposal: Proposal | undefined
}

/** Its objects are in quarantine. */
export interface ReceivedPush extends AllowedPush {
  /** Undefined if it deletes refs only. */
  quarantine: Quarantine | undefined
  /** Whether a commit of the service joins the pushed history to the site's. */
  isJoined: boolean
}

/** It may enter. */
export interface JudgedPush extends ReceivedPush {
  /** The current main, on which the push was made. */
  head: string
  /** Changes of the push on main; undefined if it leaves main alone, or changes too much to be listed. */
  review: PushReview | undefined
}

export function mainIn({ commands }: Pick<Push, 'commands'>): RefChange | undefined {
  return commands.find(({ ref }) => ref === MAIN)
}
