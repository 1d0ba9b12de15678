// Sends who asks for a site as of a date on to the host of that version (RFC 7089 §4.1.1: a time gate that is the original
// itself and answers 302).

import type { IncomingMessage, ServerResponse } from 'node:http'
import { versionLabelOf } from '../model/hosts/version-label.js'
import type { SiteReader } from '../store/reading/site-reader.js'
import type { Snapshot } from '../store/reading/snapshot.js'
import { parseHttpDate } from '../http/http-date.js'
import { ISOLATION, sendPlainPage } from './answer/plain-page.js'
import { hasField } from './answer/request-scan.js'
import type { HostedSite } from './views/site-view.js'

export interface TimeGateParts {
  findSite: (slug: string) => HostedSite | undefined
  store: Pick<SiteReader, 'snapshot'>
  /** The site's head as of a time in seconds; the oldest commit for times before it. */
  findCommitAsOf: (head: Snapshot, time: number) => string | undefined
  linkOriginal: (slug: string, target: string, relation: string) => string
  /** Absolute, for a label below the site domain. */
  urlOf: (label: string, target: string) => string
}

/** Answers a request with `Accept-Datetime`; false when it is none of the time gate's business. */
export type TimeGate = (request: IncomingMessage, response: ServerResponse, label: string) => boolean

/** Throws `site_unreadable` and `site_busy`. */
export function createTimeGate(parts: TimeGateParts): TimeGate {
  const { findSite, store, findCommitAsOf, linkOriginal, urlOf } = parts
  return (request, response, label) => {
    if (!hasField(request.rawHeaders, 'accept-datetime')) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const field = request.headers['accept-datetime']
    const site = findSite(label)
    if (site?.publicHistory !== true) return false
    const time = typeof field === 'string' ? parseHttpDate(field) : undefined
    if (time === undefined) {
      const sentence = 'Accept-Datetime must be a date such as <code>Sat, 21 Nov 2026 10:00:00 GMT</code>.'
      sendPlainPage(response, { status: 400, sentence, headers: { vary: 'Accept-Datetime' } })
      return true
    }
    const commit = findCommitAsOf(store.snapshot(site), time)
    if (commit === undefined) return false
    const target = request.url ?? '/'
    response
      .writeHead(302, {
        ...ISOLATION,
        Location: urlOf(versionLabelOf({ commit, slug: site.slug }), target),
        Vary: 'Accept-Datetime',
        Link: linkOriginal(site.slug, target, 'original timegate'),
        'Cache-Control': 'public, max-age=0, must-revalidate',
        'Cache-Tag': `site-${site.id}`,
        'Content-Length': 0,
      })
      .end()
    return true
  }
}
