// Lists the reviews that wait for the person in all sites.

import '../../styles/reviews.css'
import { useContext } from 'preact/hooks'
import { api, type ChangeRequest, type Me, type Site, sliceOf } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useTitle } from '../../browser/title.js'
import { formatCount } from '../../format.js'
import { Person } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { ReviewRow } from './review-row.js'
import { waitsFor } from './words.js'

/** Each site takes a request: more of them are asked on their own screens. */
const MAX_SITES = 40
const OF_EACH = 20

interface Waiting {
  site: Site
  request: ChangeRequest
}

interface Found {
  waiting: readonly Waiting[]
  /** Sites that were not asked. */
  left: number
}

export function AllReviewsScreen() {
  const me = useContext(Person)
  const found = useLoaded<Found>('reviews of all sites', async (signal) => await findWaiting(me, signal))
  useTitle('Reviews')
  return (
    <>
      <h1>Reviews</h1>
      <Await of={found}>
        {({ waiting, left }) => (
          <>
            {waiting.length === 0 && (
              <EmptyState title="Nothing waits for you" icon="check">
                <p>What people and agents ask you to look at is listed here.</p>
              </EmptyState>
            )}
            <ul class="reviews">
              {waiting.map(({ site, request }) => (
                <ReviewRow key={request.id} site={site} request={request} isOfMany />
              ))}
            </ul>
            {left > 0 && <p class="hint">{formatCount(left, 'more site')}: open a site to see what waits there.</p>}
          </>
        )}
      </Await>
    </>
  )
}

async function findWaiting(me: Me | undefined, signal: AbortSignal): Promise<Found> {
  if (me === undefined) return { waiting: [], left: 0 }
  const { entries: sites } = sliceOf<Site>(await api.GET('/sites', { params: { query: { limit: 1000 } }, signal }))
  const lists = await Promise.all(
    sites.slice(0, MAX_SITES).map(async (site) => {
      const params = { path: { id: site.id }, query: { state: 'review', limit: OF_EACH } as const }
      const { entries } = sliceOf<ChangeRequest>(await api.GET('/sites/{id}/change-requests', { params, signal }))
      return entries.filter((request) => waitsFor(request, site, me)).map((request) => ({ site, request }))
    }),
  )
  const waiting = lists.flat().toSorted((a, b) => (a.request.updatedAt < b.request.updatedAt ? 1 : -1))
  return { waiting, left: Math.max(0, sites.length - MAX_SITES) }
}
