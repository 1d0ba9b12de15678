// Redirects a request with a date to the host of the site's version at that date. The original resource is its own TimeGate and
// answers 302 (RFC 7089 §4.1.1).

import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseHttpDate } from '../http/http-date.js'
import { targetUrlOf } from '../../model/hosts/site-url.js'
import { versionLabelOf } from '../../model/hosts/version-label.js'
import { ISOLATION, sendPlainPage } from './answer/plain-page.js'
import { hasField } from './answer/request-scan.js'
import { type HostedSite, linkToOriginal, type ViewParts } from './views/site-view.js'

/**
 * Answers a request with `Accept-Datetime`, and resolves to whether it did. Returns undefined at once if the request is not for a TimeGate.
 */
export type TimeGate = (
  request: IncomingMessage,
  response: ServerResponse,
  label: string,
) => Promise<boolean> | undefined

/** The gate throws `site_unreadable` and `site_busy`. */
export function createTimeGate({ address, sites, store, reader }: ViewParts): TimeGate {
  async function answer(request: IncomingMessage, response: ServerResponse, site: HostedSite): Promise<boolean> {
    const field = request.headers['accept-datetime']
    const time = typeof field === 'string' ? parseHttpDate(field) : undefined
    if (time === undefined) {
      const sentence = 'Accept-Datetime must be a date such as <code>Sat, 21 Nov 2026 10:00:00 GMT</code>.'
      sendPlainPage(response, { status: 400, sentence, headers: { vary: 'Accept-Datetime' } })
      return true
    }
    const commit = await reader.asOf(site, store.head(site), time)
    if (commit === undefined) return false
    const target = request.url ?? '/'
    response
      .writeHead(302, {
        ...ISOLATION,
        Location: targetUrlOf(address, versionLabelOf({ commit, slug: site.slug }), target),
        Vary: 'Accept-Datetime',
        Link: linkToOriginal(address, site.slug, target, 'original timegate'),
        'Cache-Control': 'public, max-age=0, must-revalidate',
        'Cache-Tag': `site-${site.id}`,
        'Content-Length': 0,
      })
      .end()
    return true
  }

  return (request, response, label) => {
    if (!hasField(request.rawHeaders, 'accept-datetime')) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const site = sites.findBySlug(label)
    return site?.publicHistory === true ? answer(request, response, site) : undefined
  }
}
