// The way in: one port for everything, and the Host decides which door a request goes through.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPreviewLabel } from '../model/hosts/preview-label.js'
import { createFileServer, type FileServerParts } from './file-server.js'
import { createHostParser, originForm } from '../http/host-name.js'
import { sendFailure, sendPlainPage } from './answer/plain-page.js'
import { routeByHost } from '../http/route-by-host.js'
import type { FindView } from './views/site-view.js'
import type { TimeGate } from './time-gate.js'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface DoorParts extends FileServerParts {
  address: { baseUrl: string; siteDomain: string }
  baseHosts: readonly string[]
  timeGate: TimeGate
  /** What a preview's label shows; left out where another process has the previews, which `base` leads to. */
  findPreview?: FindView
  /** Takes what is for the base door: API, tools, dashboard, health. It must not reject. */
  base: RequestHandler
}

/** The handler of all requests. Whoever takes one finds its URL in origin form, and its Host already checked. */
export function createDoor({
  address,
  baseHosts,
  timeGate,
  findPreview,
  base,
  ...parts
}: DoorParts): (request: IncomingMessage, response: ServerResponse) => void {
  const routeOf = routeByHost({ ...address, baseHosts })
  const parseHost = createHostParser()
  const serveFile = createFileServer(parts)
  const servePreview = findPreview && createFileServer({ ...parts, findView: findPreview, cacheBytes: 0 })

  function serveSite(request: IncomingMessage, response: ServerResponse, label: string): void {
    try {
      if (isPreviewLabel(label)) return showPreview(request, response, label)
      if (timeGate(request, response, label)) return
    } catch (error) {
      parts.logger.error({ site: label, err: error }, 'what a host name shows cannot be read')
      return sendFailure(response, error)
    }
    serveFile(request, response, label)
  }

  function showPreview(request: IncomingMessage, response: ServerResponse, label: string): void {
    if (findPreview === undefined || servePreview === undefined) return void base(request, response)
    if (findPreview(label) !== undefined) return servePreview(request, response, label)
    sendPlainPage(response, { status: 410, sentence: 'This preview is over. Make it again.' })
  }

  return (request, response) => {
    // The parser lets HTTP/0.9 and 2.0 pass as if they were 1.1.
    if (request.httpVersionMajor !== 1) return refuseVersion(response)
    const host = parseHost(request.rawHeaders, request.url ?? '')
    const url = originForm(request.url ?? '')
    if (host === undefined || url === undefined) return refuseHost(response)
    request.url = url
    const route = routeOf(host)
    if (route.to === 'base') base(request, response)
    else if (route.to === 'site') serveSite(request, response, route.label)
    else sendPlainPage(response, { status: 404, sentence: 'Nothing is served under this host name.' })
  }
}

function refuseHost(response: ServerResponse): void {
  const sentence = 'The request must have exactly one valid Host field, and an absolute target must name the same host.'
  sendPlainPage(response, { status: 400, sentence, headers: { connection: 'close' } })
}

/** RFC 9110 §15.6.6. */
function refuseVersion(response: ServerResponse): void {
  const headers = { connection: 'close' }
  sendPlainPage(response, { status: 505, sentence: 'Requests here are of HTTP/1.1 or HTTP/1.0.', headers })
}
