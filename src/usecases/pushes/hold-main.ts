// Keeps main still for clients about to push, one at a time. On a site with constant writes, main would otherwise move between the moment
// when a client learns the head and its push.

import type { Site } from '../../catalog/site.js'
import { makerNameOf } from '../../model/commits/maker.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../context/services.js'

type Parts = Pick<Services, 'store' | 'pushLine'>

/** Waits for the pusher's turn, and for main to hold still. Called before the head is told to a client about to push. */
export async function expectPush({ store, pushLine }: Parts, site: Site, principal: Principal): Promise<void> {
  await pushLine.take(site, makerNameOf(principal))
  await store.refMover.expect(site)
}

/** Does the same before the head is told to a client that fetches, if its last push was refused: it may be rebasing. */
export async function expectPushAgain(parts: Parts, site: Site, principal: Principal | undefined): Promise<void> {
  if (principal !== undefined && parts.pushLine.hasTried(site, makerNameOf(principal)))
    await expectPush(parts, site, principal)
}
