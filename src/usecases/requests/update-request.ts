// Brings a change request up to date: merges main into its branch, in a commit that has main as its second parent.

import type { UpdatedRequestData } from '../../../schemas/change-request-acts.js'
import type { Call, SiteCall, Writing } from '../context/call.js'
import { findRequest, refuseClosed } from '../context/change-request.js'
import { changeSite, type Nothing, type Plan } from '../context/change-site.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { type Branch, type Chosen, conflictsOf, mergeIntoRequest, readHeads } from './merge-branches.js'

type Updating = SiteCall<Writing | 'longTasks'> & { site: Branch }

/**
 * Answers conflicts as data, and then changes nothing. For the paths in `ours` the request's version is kept, for those in `theirs` main's is
 * taken. Throws `change_request_closed` and `path_conflict`.
 */
export async function updateRequest(
  asked: Call<Writing | 'longTasks'>,
  input: ResourceId & Chosen,
): Promise<Result<UpdatedRequestData>> {
  const { site } = findRequest(asked, input.id)
  const call = { ...asked, site }
  const { data } = await changeSite<UpdatedRequestData>(call, {
    input,
    plan: () => planUpdate(call, input),
    answer: ({ commit }) => ({ data: { commit, changed: true, conflicts: [] } }),
    replay: ({ oid }) => ({ data: { commit: oid, changed: true, conflicts: [] } }),
  })
  return { data }
}

async function planUpdate(call: Updating, input: ResourceId & Chosen): Promise<Plan | Nothing<UpdatedRequestData>> {
  const { row, site } = findRequest(call, input.id)
  refuseClosed(row)
  const heads = await readHeads(call, site)
  const unchanged = { commit: heads.request, changed: false }
  if (heads.base === heads.main) return { nothing: { data: { ...unchanged, conflicts: [] } } }
  const merged = await mergeIntoRequest(call, site, heads, input)
  if (merged.conflicts.length > 0) return { nothing: { data: { ...unchanged, conflicts: conflictsOf(merged) } } }
  const subject = `Bring change request ${row.number} up to date`
  return { operation: { kind: 'merge-branch', prepared: merged.prepared, subject }, merged: heads.main }
}
