// Refuses a change request that would open beyond the number that may be open, in a site and of one author there.

import { OPEN_REQUESTS, refuseRequests } from '../../admission/quotas.js'
import type { Catalog } from '../../catalog/catalog.js'
import { authorOf, type ChangeRequest } from '../../catalog/requests/change-requests.js'

/** Throws `too_many_change_requests`. The catalog counts again as it opens one: this says which limit is reached. */
export async function refuseTooMany(
  { changeRequests }: Pick<Catalog, 'changeRequests'>,
  request: Pick<ChangeRequest, 'siteId' | 'madeBy' | 'userId'>,
): Promise<void> {
  refuseRequests(OPEN_REQUESTS.author, await changeRequests.countOpen(request.siteId, authorOf(request)))
  refuseRequests(OPEN_REQUESTS.site, await changeRequests.countOpen(request.siteId))
}
