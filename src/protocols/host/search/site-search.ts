// Answers `/_search?q=` with results from the site's own pages, if the site's owner enabled search. A task does the searching; this
// thread only writes the answer.

import { createHash } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Admission } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import { retryAfterOf } from '../../../admission/refused.js'
import { prefersNamed } from '../../http/accept.js'
import { evaluate } from '../../http/conditions.js'
import { type Clock, toSeconds } from '../../../model/clock.js'
import { ServiceError } from '../../../model/errors.js'
import { parsePagePath, urlPathOf } from '../../../model/paths/page-path.js'
import { sendPlainPage } from '../answer/plain-page.js'
import { joinFields, REVALIDATE } from '../answer/representation.js'
import type { HostedReader } from '../reading/hosted-reader.js'
import type { SiteView } from '../views/site-view.js'
import { type Hit, renderSearchPage, type SearchResults } from './search-page.js'

export interface SiteSearchParts {
  /** Returns the best pages first. Throws ServiceErrors if the index does not catch up within a second, or if too many searches wait. */
  search: (
    site: SiteView['site'],
    query: { q: string; from: number; limit: number },
  ) => Promise<{ hits: (Omit<Hit, 'href'> & { path: string; blob: string })[]; isMore: boolean }>
  reader: Pick<HostedReader, 'resolveAll'>
  /** Whether only keys may read these bytes. */
  withdrawals: { has(siteId: string, blob: string): boolean }
  admission: Admission
  clock: Clock
}

/** Answers a GET or HEAD request; `address` is the visitor's. Rejects on a defect of the service. */
export type AnswerSearch = (
  request: IncomingMessage,
  response: ServerResponse,
  view: SiteView,
  address: string,
) => Promise<void>

const HITS = 20
const MAX_PAGES = 50
const MAX_QUERY_CHARACTERS = 500
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function createSiteSearch(parts: SiteSearchParts): AnswerSearch {
  const { search, reader, withdrawals, admission, clock } = parts

  async function find(view: SiteView, q: string, page: number): Promise<SearchResults> {
    if (q === '') return { q, page, hits: [], isMore: false }
    const { hits, isMore } = await search(view.site, { q, from: (page - 1) * HITS, limit: HITS })
    const hrefs = hits.map(({ path }) => urlPathOf(parsePagePath(path)))
    const answers = await reader.resolveAll(view.toRead, hrefs)
    // Rules may hide a page, and its bytes may be withdrawn.
    const shown = hits.flatMap(({ blob, title, lines }, at) => {
      const [href = '', found] = [hrefs[at], answers[at]]
      const isShown = found?.kind === 'file' && found.file.oid === blob && !withdrawals.has(view.site.id, blob)
      return isShown ? [{ href, title, lines }] : []
    })
    return { q, page, hits: shown, isMore: isMore && page < MAX_PAGES }
  }

  /** Counts a search. Returns 0 if it is allowed, otherwise the whole seconds until one is. */
  async function secondsUntilAllowed(siteId: string, address: string): Promise<number> {
    const ofAddress = await admission.rate('searches-of-address').take(address)
    // A visitor past its own limit uses up nothing of the site's.
    const state = ofAddress?.isOver === true ? ofAddress : await admission.rate('searches-of-site').take(siteId)
    return state?.isOver === true ? state.resetSeconds : 0
  }

  return async (request, response, view, address) => {
    const { q, page } = readQuery(request.url ?? '')
    const isJson = prefersNamed(request.headers.accept, 'application/json', 'text/html')
    if (q.length > MAX_QUERY_CHARACTERS)
      return refuse(response, isJson, 400, `Search for at most ${MAX_QUERY_CHARACTERS} characters.`)
    const waitSeconds = q === '' ? 0 : await secondsUntilAllowed(view.site.id, address)
    if (waitSeconds > 0) return refuse(response, isJson, 429, RATES['searches-of-site'].message, waitSeconds)
    try {
      const results = await find(view, q, page)
      send(request, response, view, isJson ? toJson(results) : toHtml(results), toSeconds(clock()))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      refuse(
        response,
        isJson,
        503,
        'This site cannot be searched at the moment. Try again shortly.',
        retryAfterOf(error),
      )
    }
  }
}

interface Body {
  type: string
  text: string
}

function toJson({ q, page, hits, isMore }: SearchResults): Body {
  const found = hits.map(({ href, title, lines }) => ({
    url: href,
    title,
    lines: lines.map(({ text, ranges }) => ({ text, ranges })),
  }))
  const text = JSON.stringify({ q, hits: found, nextPage: isMore ? page + 1 : null })
  return { type: 'application/json; charset=utf-8', text }
}

function toHtml(results: SearchResults): Body {
  return { type: 'text/html; charset=utf-8', text: renderSearchPage(results) }
}

/** Ignores all other parameters. */
function readQuery(target: string): { q: string; page: number } {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'))
  const page = Number(/^\d{1,2}$/.exec(query.get('page') ?? '')?.[0] ?? 1)
  return { q: (query.get('q') ?? '').trim(), page: Math.min(Math.max(page, 1), MAX_PAGES) }
}

function send(request: IncomingMessage, response: ServerResponse, view: SiteView, body: Body, now: number): void {
  const bytes = Buffer.from(body.text)
  const tag = `"${createHash('sha1').update(bytes).digest('hex')}"`
  const joined = joinFields(view, request.url ?? '', { 'content-security-policy': POLICY })
  const fields = {
    ...joined,
    etag: tag,
    vary: ['Accept', joined['vary']].filter(Boolean).join(', '),
    'cache-control': REVALIDATE,
    'x-robots-tag': 'noindex',
  }
  switch (evaluate(request.headers, { tag, lastModified: undefined }, now)) {
    case 'unmodified':
      return void response.writeHead(304, fields).end()
    case 'failed':
      return sendPlainPage(response, { status: 412, sentence: 'The results have changed since you fetched them.' })
    case 'send':
      response.writeHead(200, { ...fields, 'content-type': body.type, 'content-length': bytes.length })
      response.end(bytes)
  }
}

function refuse(
  response: ServerResponse,
  isJson: boolean,
  status: number,
  sentence: string,
  retryAfter?: number,
): void {
  const headers = {
    vary: 'Accept',
    'x-robots-tag': 'noindex',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
  if (!isJson) return sendPlainPage(response, { status, sentence, headers })
  const bytes = Buffer.from(JSON.stringify({ error: { status, title: STATUS_CODES[status], message: sentence } }))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(bytes)
}
