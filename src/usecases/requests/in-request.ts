// Runs a call in a change request: its site then stands for the request, so all that the call reads and writes is the request's.

import { ServiceError } from '../../model/errors.js'
import type { Call } from '../context/call.js'
import { findRequest, refuseClosed } from '../context/change-request.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { beginRequest, dropBranch, type RequestParts } from './begin-request.js'

interface Input {
  /** The id of a request, or `new`. */
  changeRequest: string
  siteId?: string
  dryRun?: boolean
}

/** `isWrite`: a closed request refuses it. A dry run in a new request is one on main. Throws `site_mismatch`, and as `findRequest` does. */
export async function inRequest<C extends Call<RequestParts>>(
  call: C,
  input: Input,
  isWrite: boolean,
  run: (call: C) => Result | Promise<Result>,
): Promise<Result> {
  if (input.changeRequest === 'new')
    return input.dryRun === true ? await run(call) : await inNewRequest(call, input, run)
  const { row, site } = findRequest({ ...call, target: { ...call.target, site: undefined } }, input.changeRequest)
  if (call.target.site !== undefined && call.target.site.id !== site.id) throw mismatch()
  if (isWrite) refuseClosed(row)
  return await run({ ...call, target: { ...call.target, site } })
}

/** Refuses a list of everything: lists are of what is live. Throws `invalid_query`. */
export function refuseListOfAll(input: { changeRequest?: string; path?: string; prefix?: string; id?: string }): void {
  const { changeRequest, path, prefix, id } = input
  if (changeRequest === undefined || path !== undefined || prefix !== undefined || id !== undefined) return
  throw new ServiceError(
    'invalid_query',
    `Lists are of what is live. GET /change-requests/${changeRequest}/changes lists what this change request changes; name a path here to read it.`,
  )
}

/** Keeps the new request only if something was written to it. */
async function inNewRequest<C extends Call<RequestParts>>(
  call: C,
  { siteId }: Input,
  run: (call: C) => Result | Promise<Result>,
): Promise<Result> {
  const site = siteOf(call, siteId)
  const { id } = await beginRequest({ ...call, site }, { isForWrite: true })
  const request = { ...site, request: id }
  const fork = call.store.reader.head(request)
  const isEmpty = () => call.store.reader.head(request) === fork
  try {
    const { changeRequest, ...result } = await run({ ...call, target: { ...call.target, site: request } })
    // A repeated answer names the request of the first one.
    return changeRequest === undefined || (changeRequest === id && isEmpty()) ? result : { ...result, changeRequest }
  } finally {
    if (isEmpty()) {
      await call.catalog.changeRequests.remove(id)
      await dropBranch({ ...call, site: request })
    }
  }
}

function mismatch(): ServiceError {
  return new ServiceError(
    'site_mismatch',
    'The header x-service-site-id and the change request name different sites: send one.',
  )
}
