// Loads the change requests that wait for the person, of all sites: reviews to approve, and drafts for which changes were asked.

import { api, type ChangeRequest } from '../../../api/client.js'
import { type LoadedList, useList } from '../../../api/use-list.js'

export function useWaitingRequests(): LoadedList<ChangeRequest> {
  return useList<ChangeRequest>('waiting requests', (cursor, signal) => {
    const params = { query: { waitingFor: 'me' as const, ...cursor } }
    return api.GET('/change-requests', { params, signal })
  })
}
