// The entry of every request. Each process opens one port; the Host field decides whether a request is for a hosted site or the base host.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { countedAddressOf } from '../http/counted-address.js'
import { inNetworks } from '../../model/hosts/networks.js'
import { clientAddressOf } from '../http/trusted-proxies.js'
import { createHostParser, originForm } from '../http/host-name.js'
import { routeByHost } from '../http/route-by-host.js'
import type { IndexInUse } from '../../indexing/last-changes.js'
import type { Logger } from 'pino'
import { ServiceError } from '../../model/errors.js'
import { isPreviewLabel } from '../../model/hosts/preview-label.js'
import { elsewhere } from '../../model/machine-prefix.js'
import type { Previews } from '../../repository/reading/previews.js'
import { HeldBodies } from './answer/held-bodies.js'
import { sendFailure, sendPlainPage } from './answer/plain-page.js'
import { sendNoSite } from './answer/without-file.js'
import { BodySender } from './answer/send-body.js'
import { FileServer, type FileServerParts } from './file-server.js'
import { createLinkGate } from './link-gate.js'
import { Misdirected, sendMisdirected } from './misdirected.js'
import { isTooLong } from './target-bounds.js'
import { createTimeGate } from './time-gate.js'
import { createHeadViews } from './views/head-view.js'
import { createOldViews, type MayBeOld } from './views/old-view.js'
import { createPreviewViews } from './views/preview-view.js'
import { createRequestViews } from './views/request-view.js'
import type { ViewParts } from './views/site-view.js'
import { createVersionViews } from './views/version-view.js'

const ELSEWHERE = { status: 503, sentence: elsewhere('preview').message, headers: { 'retry-after': '1' } }

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface HostRouterParts
  extends ViewParts,
    IndexInUse,
    Omit<FileServerParts, 'findView' | 'held' | 'sender' | 'addressOf'> {
  trustedProxies: readonly string[]
  logger: Pick<Logger, 'error'>
  /** Further names of the base host. */
  baseHosts: readonly string[]
  /** Omitted in a process without previews: requests for previews are then misdirected. */
  previews?: Pick<Previews, 'find' | 'isElsewhere'>
  /** Resolves once this machine has everything that any machine has answered. Hosted pages wait for it. */
  untilCurrent?: () => Promise<void>
  /** Called if `untilCurrent` fails. */
  mayServeStale?: MayBeOld
  /** Handles requests for the base host: API, tools, dashboard, health. It must not reject. */
  base: RequestHandler
}

/** Creates the handler of all requests. The handlers behind it get a URL in origin form and a valid Host field. */
export function createHostRouter(parts: HostRouterParts): (request: IncomingMessage, response: ServerResponse) => void {
  const { address, admission, baseHosts, base, previews, logger, untilCurrent, mayServeStale } = parts
  const routeOf = routeByHost({ ...address, baseHosts })
  const parseHost = createHostParser()
  const timeGate = createTimeGate(parts)
  const linkGate = createLinkGate(parts)
  const findHead = createHeadViews(parts)
  const findRequest = createRequestViews(parts)
  const findVersion = createVersionViews(parts)
  const isTrusted = inNetworks(parts.trustedProxies)
  const served = {
    ...parts,
    sender: new BodySender(admission.gate('pieces')),
    held: new HeldBodies(admission.memory.of('visitors')),
    addressOf: (request: IncomingMessage) => countedAddressOf(clientAddressOf(request, isTrusted) ?? ''),
  }
  const files = new FileServer({
    ...served,
    findView: (label) => findHead(label) ?? findRequest(label) ?? findVersion(label),
  })
  const findOld = mayServeStale && createOldViews(findHead, mayServeStale)
  const oldFiles = findOld && new FileServer({ ...served, findView: findOld, cacheBytes: 0 })
  const findPreview = previews && createPreviewViews({ ...parts, previews })
  const previewFiles = findPreview && new FileServer({ ...served, findView: findPreview, cacheBytes: 0 })

  /** Serves a site. A failure affects only that site and request. */
  function serveSite(request: IncomingMessage, response: ServerResponse, label: string, answer = answerSite): void {
    try {
      answer(request, response, label)?.catch((error: unknown) => fail(response, label, error))
    } catch (error) {
      fail(response, label, error)
    }
  }

  function serveCurrentSite(request: IncomingMessage, response: ServerResponse, label: string): void {
    if (untilCurrent === undefined) return serveSite(request, response, label)
    untilCurrent().then(
      () => response.destroyed || serveSite(request, response, label),
      (error: unknown) => response.destroyed || serveOldSite(request, response, label, error),
    )
  }

  function serveOldSite(request: IncomingMessage, response: ServerResponse, label: string, reason: unknown): void {
    serveSite(request, response, label, () => {
      if (oldFiles === undefined || findOld?.(label) === undefined) throw reason
      return oldFiles.serve(request, response, label)
    })
  }

  function answerSite(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> | undefined {
    if (isPreviewLabel(label)) return showPreview(request, response, label)
    if (linkGate(request, response, label)) return undefined
    const gate = timeGate(request, response, label)
    if (gate === undefined) return files.serve(request, response, label)
    return gate.then((isAnswered) => (isAnswered ? undefined : files.serve(request, response, label)))
  }

  function fail(response: ServerResponse, label: string, error: unknown): void {
    if (error instanceof Misdirected) return sendMisdirected(response)
    if (error instanceof ServiceError && error.code === 'site_not_found' && !response.headersSent)
      return sendNoSite(response)
    logger.error({ site: label, err: error }, 'a hosted page cannot be served')
    if (response.headersSent) response.destroy()
    else sendFailure(response, error)
  }

  function showPreview(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> | undefined {
    if (findPreview === undefined || previewFiles === undefined) throw new Misdirected()
    if (findPreview(label) !== undefined) return previewFiles.serve(request, response, label)
    if (previews?.isElsewhere(label) === true) sendPlainPage(response, ELSEWHERE)
    else sendPlainPage(response, { status: 410, sentence: 'This preview has expired. Make a new one.' })
    return undefined
  }

  return (request, response) => {
    // Node's parser accepts HTTP/0.9 and 2.0 as if they were 1.1.
    if (request.httpVersionMajor !== 1) return refuseVersion(response)
    if (isPlainProbe(request)) return void base(request, response)
    const host = parseHost(request.rawHeaders, request.url ?? '')
    const url = originForm(request.url ?? '')
    if (host === undefined || url === undefined) return refuseHost(response)
    request.url = url
    const route = routeOf(host)
    if (route.to === 'base') base(request, response)
    else if (route.to === 'site' && isTooLong(url)) refuseTarget(response)
    else if (route.to === 'site') serveCurrentSite(request, response, route.label)
    else sendPlainPage(response, { status: 404, sentence: 'Nothing is served under this host name.' })
  }
}

/** Whether a health check in HTTP/1.0 names no host, as that version allows. Some proxies send such checks by default. */
function isPlainProbe({ httpVersionMinor, headers, url }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers.host === undefined && (url === '/healthz' || url === '/readyz')
}

function refuseHost(response: ServerResponse): void {
  const sentence = 'The request must have exactly one valid Host field, and an absolute target must name the same host.'
  sendPlainPage(response, { status: 400, sentence, headers: { connection: 'close' } })
}

function refuseTarget(response: ServerResponse): void {
  const sentence = 'This URL is too long.'
  sendPlainPage(response, { status: 414, sentence, headers: { connection: 'close' } })
}

/** Refuses other HTTP versions (RFC 9110 §15.6.6). */
function refuseVersion(response: ServerResponse): void {
  const headers = { connection: 'close' }
  sendPlainPage(response, { status: 505, sentence: 'This server speaks HTTP/1.1 and HTTP/1.0.', headers })
}
