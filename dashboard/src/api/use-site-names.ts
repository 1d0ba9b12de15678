// The names of the workspace's sites by their ids. A screen loads them at once, and hands them to its tables.

import { nameOfSite } from '../format.js'
import { api, type Site, sliceOf } from './client.js'
import { useLoaded } from './use-loaded.js'

/** Words the sites of a role, a key or an agent: `all sites`, or their names. */
export type SiteNames = (ids: readonly string[] | null) => string

/** One request lists so many sites. */
const MOST_SITES = 1000

export function useSiteNames(): SiteNames {
  const { data } = useLoaded('names of sites', async (signal) =>
    sliceOf<Site>(await api.GET('/sites', { params: { query: { limit: MOST_SITES } }, signal })),
  )
  return (ids) => {
    if (ids === null) return 'all sites'
    if (data === undefined) return '…'
    const unlisted = data.nextCursor === null ? 'a deleted site' : 'another site'
    const names = ids.map((id) => {
      const site = data.entries.find((each) => each.id === id)
      return site === undefined ? unlisted : nameOfSite(site)
    })
    return names.length === 0 ? 'no site' : names.join(', ')
  }
}
