// Lists and counts the change requests of all sites that the caller sees.

import type { ChangeRequestData, RequestCountData } from '../../../schemas/change-requests.js'
import type { ChangeRequest } from '../../catalog/requests/change-requests.js'
import type { WorkspacePage } from '../../catalog/requests/request-lists.js'
import { ageOf } from '../../catalog/row-age.js'
import type { Site } from '../../catalog/site.js'
import { isTrouble, ServiceError } from '../../model/errors.js'
import { holdsScope } from '../../model/rights/scopes.js'
import type { Call, Finding } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { type LongList, readSlice } from '../context/slice.js'
import { visibleSite } from '../context/target.js'
import { asAuthor } from '../protection/request-author.js'
import { toRequestsData } from '../requests/request-data.js'
import { statesOf } from '../requests/requests.js'
import { waitsFor } from './waits-for.js'

const LIST = 'change-requests of the workspace'
/** More are not counted: a badge shows "99+". */
const MAX_COUNTED = 100

interface Filter {
  state?: string
  author?: 'me'
  waitingFor?: 'me'
}

/** Lists the newest first. Those of a site that cannot be read now are left out, so that it hides no others. */
export async function listRequestsOfWorkspace(
  call: Call<Finding>,
  input: SliceInput & Filter,
): Promise<Result<ChangeRequestData[]>> {
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice(LIST, listOf(call, input), slice)
  const shown = new Map<string, ChangeRequestData>()
  for (const siteId of new Set(rows.map((row) => row.siteId))) {
    const ofSite = rows.filter((row) => row.siteId === siteId)
    for (const data of await showOf(call, siteId, ofSite)) shown.set(data.id, data)
  }
  return { data: rows.flatMap(({ id }) => shown.get(id) ?? []), nextCursor }
}

/** Counts those that wait for the caller. */
export async function countWaiting(call: Call<Finding>): Promise<Result<RequestCountData>> {
  const { rows } = await readSlice(LIST, listOf(call, { waitingFor: 'me' }), { limit: MAX_COUNTED })
  return { data: { waitingForMe: rows.length } }
}

function listOf(call: Call<Finding>, { state, author, waitingFor }: Filter): LongList<ChangeRequest> {
  const { catalog, principal, target } = call
  const own = asAuthor(principal)
  const isOwn = author === 'me' || !holdsScope(target.scopes, 'write')
  const page: Omit<WorkspacePage, 'before' | 'limit'> = {
    states: statesOf(state),
    author: isOwn ? own : undefined,
    waiting: waitingFor === undefined ? undefined : own,
  }
  const sites = new Map<string, Site | undefined>()
  const siteOf = (id: string) => {
    if (!sites.has(id)) sites.set(id, visibleSite(call, id))
    return sites.get(id)
  }
  return {
    read: (before, limit) => catalog.requestLists.list(target.workspace.id, { ...page, before, limit }),
    keyOf: ageOf,
    isWanted(row) {
      const site = siteOf(row.siteId)
      return site !== undefined && (waitingFor === undefined || waitsFor(call, row, site))
    },
  }
}

async function showOf(
  call: Call<Finding>,
  siteId: string,
  rows: readonly ChangeRequest[],
): Promise<ChangeRequestData[]> {
  const site = visibleSite(call, siteId)
  if (site === undefined) return []
  try {
    const found = rows.map((row) => ({ row, site: { ...site, request: row.id } }))
    return await toRequestsData({ ...call, site }, found)
  } catch (error) {
    if (error instanceof ServiceError && isTrouble(error.code)) return []
    throw error
  }
}
