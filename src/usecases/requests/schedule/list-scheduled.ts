// Lists the change requests of a site that have a time, in the order of times.

import type { ChangeRequestData } from '../../../../schemas/change-requests.js'
import type { ScheduledPlace } from '../../../catalog/requests/schedules.js'
import { holdsScope } from '../../../model/rights/scopes.js'
import type { Call } from '../../context/call.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../../context/input.js'
import type { Result } from '../../context/result.js'
import { firstOf, invalidCursor, readCursor } from '../../context/slice.js'
import { findSite } from '../../context/target.js'
import { asAuthor } from '../../protection/request-author.js'
import { toRequestsData } from '../request-data.js'

const LIST = 'scheduled-requests'

/** Lists those that the caller may see. Those that are held keep their place. */
export async function listScheduled(
  asked: Call<'catalog' | 'indexFollower' | 'store'>,
  input: ResourceId & SliceInput & { author?: 'me' },
): Promise<Result<ChangeRequestData[]>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { limit = DEFAULT_LIMIT, cursor } = input
  const isOwn = input.author === 'me' || !holdsScope(call.target.scopes, 'write')
  const rows = await call.catalog.schedules.list(call.site.id, {
    limit: limit + 1,
    ...(isOwn && { author: asAuthor(call.principal) }),
    ...(cursor !== undefined && { after: placeIn(readCursor(LIST, cursor)) }),
  })
  const { rows: shown, nextCursor } = firstOf(LIST, rows, (row) => `${row.publishAt} ${row.number}`, limit)
  return {
    data: await toRequestsData(
      call,
      shown.map((row) => ({ row, site: { ...call.site, request: row.id } })),
    ),
    nextCursor,
  }
}

function placeIn(key: string): Omit<ScheduledPlace, 'siteId'> {
  const [publishAt = '', number = ''] = key.split(' ')
  if (Number.isSafeInteger(Number(number)) && number !== '') return { publishAt, number: Number(number) }
  throw invalidCursor()
}
