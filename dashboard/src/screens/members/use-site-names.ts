// The slugs of the workspace's sites by their ids, so that screens can name the sites of a role.

import { api, dataOf, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'

/** Returns a function that words the sites of a role: `all sites`, or their slugs. */
export function useSiteNames(): (sites: readonly string[] | null) => string {
  const { data } = useLoaded<Site[]>('site names', async (signal) =>
    dataOf(await api.GET('/sites', { params: { query: { limit: 1000 } }, signal })),
  )
  return (sites) => {
    if (sites === null) return 'all sites'
    if (data === undefined) return '…'
    const slugs = sites.map((id) => data.find((site) => site.id === id)?.slug ?? 'a deleted site')
    return slugs.length === 0 ? 'no site' : slugs.join(', ')
  }
}
