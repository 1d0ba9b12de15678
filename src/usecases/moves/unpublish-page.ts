// Unpublishes a page. Its address then answers 404, 410 or with a redirect, until something is published there.

import type { PageData } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { isTarget } from '../../repository/format/former-address.js'
import { placeInSite } from '../../repository/resolution/own-place.js'
import type { AtSite, Call, Changing } from '../context/call.js'
import { conditionOf, type Conditions, type DryRunInput, type ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { changePage } from '../pages/change-page.js'
import { findPage } from '../pages/find-page.js'

export interface LeavesInput {
  gone?: boolean
  redirectTo?: string
}

/** Handles DELETE: visitors no longer get the page; its versions stay, and a rollback publishes it again. */
export async function unpublishPage(
  call: Call<Changing>,
  input: ResourceId & Conditions & DryRunInput & LeavesInput,
): Promise<Result<PageData>> {
  const page = await findPage(call, input.id)
  const leaves = leavesOf({ ...call, site: page.site }, input)
  const operation = { kind: 'unpublish-page', page: page.known, ...leaves, ...conditionOf(input) } as const
  return await changePage(call, page, { operation, input })
}

/** Returns the answer at the page's address, to be spread into an operation. Throws `invalid_query` for both, and for no path and no URL. */
export function leavesOf(
  call: AtSite<'baseUrl' | 'siteDomain'>,
  { gone, redirectTo }: LeavesInput,
): { leaves?: { gone: true } | { to: string } } {
  if (redirectTo === undefined) return gone === true ? { leaves: { gone } } : {}
  if (gone === true)
    throw new ServiceError('invalid_query', 'Send either "gone" or "redirectTo": an address has one answer.')
  const to = targetOf(siteUrlOf(call, call.site.slug), redirectTo)
  if (to === undefined)
    throw new ServiceError(
      'invalid_query',
      '"redirectTo" must be a path of the site that begins with one "/", or a URL of http or https.',
      [{ field: '/redirectTo', message: 'is no path and no URL' }],
    )
  return { leaves: { to } }
}

/** Returns the target as it is stored: encoded, and as a path if it is a URL of the site itself. */
function targetOf(origin: string, text: string): string | undefined {
  if (!/^(?:\/(?![/\\])|https?:\/\/)/i.test(text) || !URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  const place = placeInSite(origin, text)
  const to = place === undefined ? url.href : place + url.hash
  return isTarget(to) ? to : undefined
}
