// Sends the answers that have no file of the site: redirects, refusals, and what is missing.

import type { ServerResponse } from 'node:http'
import { crossOriginIn } from '../../../repository/resolution/header-fields.js'
import type { Resolution } from '../../../repository/resolution/resolution.js'
import type { Unfit } from '../../../model/paths/picture-form.js'
import type { SiteView } from '../views/site-view.js'
import { sendPlainPage } from './plain-page.js'
import { joinFields, type PreparedAnswer } from './representation.js'

const NO_SITE = 'There is no site at this address.'
const NO_PAGE = 'This site has no page at this address. <a href="/">Go to its start page.</a>'
const NO_START = 'This site has no start page yet.'
const GONE = 'The page at this address is no longer public.'
const UNFIT: Readonly<Record<Unfit, string>> = {
  'too large': 'This picture is too large to be made smaller. Ask for it without a query.',
  unreadable: 'This file cannot be read as a picture. Ask for it without a query.',
}
const METHODS = 'GET, HEAD, OPTIONS'

export function sendNoSite(response: ServerResponse): void {
  sendPlainPage(response, { status: 404, sentence: NO_SITE })
}

export function sendWithoutFile(
  response: ServerResponse,
  view: SiteView,
  target: string,
  found: Extract<Resolution, { kind: 'redirect' | 'gone' | 'missing' }>,
): void {
  const headers = joinFields(view, target, found.fields)
  if (found.kind === 'redirect') return sendRedirect(response, found, headers)
  const [status, sentence] = found.kind === 'gone' ? [410, GONE] : [404, isOfStart(target) ? noStart(view) : NO_PAGE]
  sendPlainPage(response, { status, sentence, headers })
}

/** Leads its people to the dashboard, which asks who they are. */
function noStart({ firstPageUrl }: SiteView): string {
  return firstPageUrl === undefined
    ? NO_START
    : `${NO_START} Is it yours? <a href="${firstPageUrl}">Write it in the dashboard.</a>`
}

function isOfStart(target: string): boolean {
  return /^\/(?:\?|$)/.test(target)
}

function sendRedirect(
  response: ServerResponse,
  { status, location }: Extract<Resolution, { kind: 'redirect' }>,
  fields: Readonly<Record<string, string>>,
): void {
  const caching = { 'cache-control': 'public, max-age=0, must-revalidate' }
  response.writeHead(status, { ...caching, ...fields, location, 'content-length': '0' }).end()
}

/** Answers OPTIONS, also as the preflight of a page of another origin (Fetch §4.8). `fields`: those that the rules set. */
export function sendOptions(
  response: ServerResponse,
  view: SiteView,
  target: string,
  fields: Readonly<Record<string, string>>,
): void {
  response.writeHead(204, { allow: METHODS, ...crossOriginIn(joinFields(view, target, fields)) }).end()
}

/** Refuses a smaller form of a picture that can have none. */
export function sendUnfit(
  response: ServerResponse,
  { viewFields }: Pick<PreparedAnswer, 'viewFields'>,
  unfit: Unfit,
): void {
  sendPlainPage(response, { status: 422, sentence: UNFIT[unfit], headers: viewFields })
}

export function refuseMethod(response: ServerResponse): void {
  // Closing the connection avoids reading the request's body.
  const headers = { allow: METHODS, connection: 'close' }
  sendPlainPage(response, { status: 405, sentence: 'Pages can only be read here: send GET or HEAD.', headers })
}
