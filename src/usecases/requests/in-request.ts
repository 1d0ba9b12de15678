// Runs a call in a change request: its site then stands for the request, so all that the call reads and writes is the request's.

import { MAX_TITLE_CHARACTERS } from '../../../schemas/change-requests.js'
import { ServiceError } from '../../model/errors.js'
import type { Call } from '../context/call.js'
import { findRequest, refuseClosed } from '../context/change-request.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { asAuthor } from '../protection/request-author.js'
import { beginRequest, dropBranch, type RequestParts } from './begin-request.js'

interface Input {
  /** The id of a request, `new`, or `draft`. */
  changeRequest: string
  siteId?: string
  dryRun?: boolean
  /** The page that a draft is of; undefined for one that the call makes. */
  id?: string
}

/** `isWrite`: a closed request refuses it. A dry run in a new request is one on main. Throws `site_mismatch`, and as `findRequest` does. */
export async function inRequest<C extends Call<RequestParts>>(
  call: C,
  input: Input,
  isWrite: boolean,
  run: (call: C) => Result | Promise<Result>,
): Promise<Result> {
  if (input.changeRequest === 'new')
    return input.dryRun === true ? await run(call) : (await inNewRequest(call, input, run)).result
  if (input.changeRequest === 'draft') return await inDraft(call, input, isWrite, run)
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

/**
 * Runs the call in the caller's open draft of the page. Without one, a write makes it, and a read is of main. Throws `conflict` if another call
 * makes one at the same moment.
 */
async function inDraft<C extends Call<RequestParts>>(
  call: C,
  input: Input,
  isWrite: boolean,
  run: (call: C) => Result | Promise<Result>,
): Promise<Result> {
  const site = siteOf(call, input.siteId)
  const pageId = input.id?.toLowerCase()
  const { changeRequests } = call.catalog
  const found =
    pageId === undefined ? undefined : await changeRequests.findDraft(site.id, asAuthor(call.principal), pageId)
  if (found !== undefined) return await inRequest(call, { ...input, changeRequest: found.id }, isWrite, run)
  if (input.dryRun === true || !isWrite) return await run(call)
  const known =
    pageId === undefined ? undefined : await call.indexFollower.read(site, ({ pages }) => pages.find(pageId))
  const { result, request } = await inNewRequest(call, input, run, { pageId, ...(known && { title: nameFor(known) }) })
  if (pageId === undefined && request !== undefined && isPage(result.data))
    await changeRequests.setPage(request, { pageId: result.data.id, title: nameFor(result.data) })
  return result
}

interface Named {
  path: string
  title: string | null
}

/** Names a draft after its page. */
function nameFor({ title, path }: Named): string {
  return (title || path).slice(0, MAX_TITLE_CHARACTERS)
}

function isPage(data: unknown): data is Named & { id: string } {
  return typeof data === 'object' && data !== null && 'id' in data && 'path' in data
}

/** Keeps the new request only if something was written to it, and then returns its id. */
async function inNewRequest<C extends Call<RequestParts>>(
  call: C,
  { siteId }: Input,
  run: (call: C) => Result | Promise<Result>,
  named: { title?: string | undefined; pageId?: string | undefined } = {},
): Promise<{ result: Result; request?: string }> {
  const site = siteOf(call, siteId)
  const { id } = await beginRequest({ ...call, site }, { isForWrite: true, ...named })
  const request = { ...site, request: id }
  const fork = call.store.reader.head(request)
  const isEmpty = () => call.store.reader.head(request) === fork
  try {
    const { changeRequest, ...result } = await run({ ...call, target: { ...call.target, site: request } })
    // A repeated answer names the request of the first one.
    if (changeRequest === undefined || (changeRequest === id && isEmpty())) return { result }
    return { result: { ...result, changeRequest }, request: changeRequest }
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
