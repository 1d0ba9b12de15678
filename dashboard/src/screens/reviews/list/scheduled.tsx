// Lists by day the change requests of a site that are published at a time, the next one first.

import '../../../styles/history.css'
import { api, type ChangeRequest, type Site } from '../../../api/client.js'
import { useList } from '../../../api/use-list.js'
import { AwaitList } from '../../../parts/states/await.js'
import { EmptyState } from '../../../parts/states/empty-state.js'
import { ByDay } from '../../history/by-day.js'
import { ReviewRow } from './review-row.js'

export function Scheduled({ site }: { site: Site }) {
  const requests = useList<ChangeRequest>(`scheduled ${site.id}`, (cursor, signal) => {
    const query = { scheduled: true as const, limit: 50, ...cursor }
    return api.GET('/sites/{id}/change-requests', { params: { path: { id: site.id }, query }, signal })
  })
  const none = (
    <EmptyState title="Nothing is published later">
      <p>“Publish at…” on a draft or a review sets a day and a time.</p>
    </EmptyState>
  )
  return (
    <AwaitList of={requests} moreLabel="More requests" empty={none}>
      {(entries) => (
        <ByDay entries={entries} timeOf={({ publishAt, updatedAt }) => publishAt ?? updatedAt}>
          {(request) => <ReviewRow key={request.id} site={site} request={request} />}
        </ByDay>
      )}
    </AwaitList>
  )
}
