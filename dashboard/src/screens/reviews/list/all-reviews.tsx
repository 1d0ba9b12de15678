// Lists the reviews that wait for the person in all sites.

import '../../../styles/reviews.css'
import { api, type Site, sliceOf } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import { useTitle } from '../../../browser/title.js'
import { AwaitList } from '../../../parts/states/await.js'
import { NothingWaits } from './nothing-waits.js'
import { ReviewRow } from './review-row.js'
import { useWaitingRequests } from './use-waiting-requests.js'

/** One request lists so many sites. */
const MAX_SITES = 1000

export function AllReviewsScreen() {
  const requests = useWaitingRequests()
  const { data: sites } = useLoaded(
    'sites of reviews',
    async (signal) =>
      sliceOf<Site>(await api.GET('/sites', { params: { query: { limit: MAX_SITES } }, signal })).entries,
  )
  useTitle('Reviews')
  const siteOf = (id: string) => sites?.find((site) => site.id === id)
  return (
    <>
      <h1>Reviews</h1>
      <AwaitList of={requests} moreLabel="More requests" empty={<NothingWaits />}>
        {(entries) => (
          <ul class="reviews">
            {entries.map((request) => {
              const site = siteOf(request.siteId)
              return site && <ReviewRow key={request.id} site={site} request={request} isOfMany />
            })}
          </ul>
        )}
      </AwaitList>
    </>
  )
}
