// The reviews of a site: what waits for the person, what the person made, and all.

import '../../styles/reviews.css'
import { useContext } from 'preact/hooks'
import { api, type ChangeRequest, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { Tabs } from '../../parts/lists/tabs.js'
import { Person } from '../../parts/rights/allowed.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { ReviewRow } from './review-row.js'
import { waitsFor } from './words.js'

const SHOWN = ['waiting', 'mine', 'all'] as const
type Shown = (typeof SHOWN)[number]

const LABELS: Readonly<Record<Shown, string>> = { waiting: 'Waits for me', mine: 'Mine', all: 'All' }
const QUERIES = {
  waiting: { state: 'review' },
  mine: { state: 'all', author: 'me' },
  all: { state: 'all' },
} as const

export function ReviewsScreen({ site }: { site: Site }) {
  const asked = useQuery().get('show')
  const shown = SHOWN.find((each) => each === asked) ?? 'waiting'
  const me = useContext(Person)
  const requests = useList<ChangeRequest>(`reviews ${site.id} ${shown}`, (cursor, signal) => {
    const params = { path: { id: site.id }, query: { ...QUERIES[shown], limit: 50, ...cursor } }
    return api.GET('/sites/{id}/change-requests', { params, signal })
  })
  useTitle('Reviews', nameOfSite(site))
  const isShown = (request: ChangeRequest) => shown !== 'waiting' || (me !== undefined && waitsFor(request, site, me))
  return (
    <>
      <h2 class="unseen">Reviews</h2>
      <Tabs
        label="Reviews"
        tabs={SHOWN.map((each) => ({
          to: `/sites/${site.slug}/reviews${each === 'waiting' ? '' : `?show=${each}`}`,
          label: LABELS[each],
          isShown: each === shown,
        }))}
      />
      <AwaitList of={requests} moreLabel="More requests" empty={<Nothing shown={shown} />}>
        {(entries) =>
          entries.some(isShown) ? (
            <ul class="reviews">
              {entries.filter(isShown).map((request) => (
                <ReviewRow key={request.id} site={site} request={request} />
              ))}
            </ul>
          ) : (
            <Nothing shown={shown} />
          )
        }
      </AwaitList>
    </>
  )
}

function Nothing({ shown }: { shown: Shown }) {
  if (shown === 'waiting')
    return (
      <EmptyState title="Nothing waits for you" icon="check">
        <p>What people and agents ask you to look at is listed here.</p>
      </EmptyState>
    )
  return (
    <EmptyState title={shown === 'mine' ? 'You have no drafts and reviews' : 'There are no drafts and reviews'}>
      <p>A draft begins when you edit a page. “Ask for review” shows it to others.</p>
    </EmptyState>
  )
}
