// A push over HTTP in progress.

import type { Site } from '../../catalog/site.js'
import type { RefChange } from '../../git/objects/ref-change.js'
import type { PushRequest } from '../../git/wire/push-request.js'
import type { Principal } from '../../model/principal.js'
import { MAIN } from '../../repository/format/main-ref.js'

export interface Push extends PushRequest {
  site: Site
  principal: Principal
  /** Finds the caller again, as of now. */
  authenticate: () => Promise<Principal | undefined>
  /** The bytes that follow the commands. */
  pack: AsyncIterable<Buffer>
  /** Whether the clone's history is cut off at a commit that main does not have. */
  isCutOff: boolean
  /** Aborts when the client has gone. */
  signal: AbortSignal
}

/** The reason if main is not where the client saw it. */
export const MOVED = 'main has moved meanwhile: git pull --rebase, then push again.'

export function mainIn({ commands }: Push): RefChange | undefined {
  return commands.find(({ ref }) => ref === MAIN)
}
