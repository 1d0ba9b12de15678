// On a site that is written to all the time, main would move between the moment in which a client learns the head and its push. So main
// holds still for whoever comes to push, one at a time.

import type { Site } from '../../catalog/sites.js'
import { makerNameOf } from '../../model/commits/maker.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../context/services.js'

type Parts = Pick<Services, 'store' | 'pushLine'>

/** Before the head is told to somebody who comes to push: waits for its turn, and for main to hold still. */
export async function expectPush({ store, pushLine }: Parts, site: Site, principal: Principal): Promise<void> {
  await pushLine.take(site, makerNameOf(principal))
  await store.pushes.expect(site)
}

/** Before the head is told to somebody who fetches: a push that was refused is being rebased, maybe. */
export async function expectPushAgain(parts: Parts, site: Site, principal: Principal | undefined): Promise<void> {
  if (principal !== undefined && parts.pushLine.hasTried(site, makerNameOf(principal)))
    await expectPush(parts, site, principal)
}
