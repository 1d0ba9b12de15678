// Links to a site's past for people without a key: signed and expiring, so that nothing needs to be kept.

import type { LinkData } from '../../../schemas/sites.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { signLink } from '../../model/hosts/version-label.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import type { RequestContext } from '../context/request-context.js'
import { findSite } from '../context/target.js'

/** Seconds. */
const DEFAULT_LIFE = 24 * 60 * 60

/** Throws `version_not_found` for what is no commit of main's first-parent history. */
export async function createLink(
  services: Services,
  context: RequestContext,
  input: ResourceId & { commit: string; expiresIn?: number },
): Promise<Result<LinkData>> {
  const site = findSite(services, context, input.id)
  return await services.idempotency.once(context, { site, input }, async () => {
    const [commit] = await services.indexFollower.read(site, (index) =>
      index.commits.findByPrefix(site.id, input.commit),
    )
    if (commit === undefined) {
      throw new ServiceError('version_not_found', 'There is no such commit: GET /sites/{id}/commits lists them.')
    }
    const expiresAt = toSeconds(services.clock()) + (input.expiresIn ?? DEFAULT_LIFE)
    const label = signLink(services.catalog.linkSecret, { siteId: site.id, commit, expiresAt })
    const data = { url: `${siteUrlOf(services, label)}/`, expiresAt: toTimestamp(expiresAt) }
    return { result: { data, created: true, location: data.url }, committed: false }
  })
}
