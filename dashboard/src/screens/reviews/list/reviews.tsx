// The reviews of a site: what waits for the person, what the person made, what is published later, and all.

import '../../../styles/reviews.css'
import { api, type ChangeRequest, type Site } from '../../../api/client.js'
import { useList } from '../../../api/use-list.js'
import { useQuery } from '../../../browser/router.js'
import { useTitle } from '../../../browser/title.js'
import { nameOfSite } from '../../../format.js'
import { Tabs } from '../../../parts/lists/tabs.js'
import { AwaitList } from '../../../parts/states/await.js'
import { EmptyState } from '../../../parts/states/empty-state.js'
import { NothingWaits } from './nothing-waits.js'
import { ReviewRow } from './review-row.js'
import { Scheduled } from './scheduled.js'
import { useWaitingRequests } from './use-waiting-requests.js'

const SHOWN = ['waiting', 'mine', 'scheduled', 'all'] as const
type Shown = (typeof SHOWN)[number]

const LABELS: Readonly<Record<Shown, string>> = {
  waiting: 'Waits for me',
  mine: 'Mine',
  scheduled: 'Scheduled',
  all: 'All',
}

export function ReviewsScreen({ site }: { site: Site }) {
  const asked = useQuery().get('show')
  const shown = SHOWN.find((each) => each === asked) ?? 'waiting'
  useTitle('Reviews', nameOfSite(site))
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
      {shown === 'waiting' && <Waiting site={site} />}
      {shown === 'scheduled' && <Scheduled site={site} />}
      {(shown === 'mine' || shown === 'all') && <OfSite site={site} isMine={shown === 'mine'} />}
    </>
  )
}

function Waiting({ site }: { site: Site }) {
  return (
    <AwaitList of={useWaitingRequests()} moreLabel="More requests" empty={<NothingWaits />}>
      {(entries) => {
        const here = entries.filter(({ siteId }) => siteId === site.id)
        return here.length === 0 ? <NothingWaits /> : <Rows site={site} requests={here} />
      }}
    </AwaitList>
  )
}

function OfSite({ site, isMine }: { site: Site; isMine: boolean }) {
  const requests = useList<ChangeRequest>(`reviews ${site.id} ${isMine}`, (cursor, signal) => {
    const query = { state: 'all', ...(isMine && { author: 'me' as const }), limit: 50, ...cursor } as const
    return api.GET('/sites/{id}/change-requests', { params: { path: { id: site.id }, query }, signal })
  })
  return (
    <AwaitList of={requests} moreLabel="More requests" empty={<Nothing isMine={isMine} />}>
      {(entries) => <Rows site={site} requests={entries} />}
    </AwaitList>
  )
}

function Rows({ site, requests }: { site: Site; requests: readonly ChangeRequest[] }) {
  return (
    <ul class="reviews">
      {requests.map((request) => (
        <ReviewRow key={request.id} site={site} request={request} />
      ))}
    </ul>
  )
}

function Nothing({ isMine }: { isMine: boolean }) {
  return (
    <EmptyState title={isMine ? 'You have no drafts and reviews' : 'There are no drafts and reviews'}>
      <p>A draft begins when you edit a page. “Ask for review” shows it to others.</p>
    </EmptyState>
  )
}
