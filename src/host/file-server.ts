// Serves the head of each site to the public, read only: one request, one snapshot, one file.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { FileSender } from './file-sender.js'
import { mediaTypeOf } from './media-type.js'
import { ISOLATION, sendFailure, sendPlainPage } from './plain-page.js'
import { type Resolution, resolve } from './resolution.js'
import type { FindView } from './site-view.js'

const NO_SITE = 'There is no site at this address.'
const NO_PAGE = 'This site has no page at this address. <a href="/">Go to its start page.</a>'
const GONE = 'What was at this address has been taken back.'

export interface FileServerParts {
  findView: FindView
  /** Bytes of bodies kept in memory. */
  cacheBytes: number
  logger: Pick<Logger, 'error'>
}

/** Handles a request for the site `label`; its URL is in origin form. Whatever fails stays with that site and request. */
export type FileServer = (request: IncomingMessage, response: ServerResponse, label: string) => void

export function createFileServer({ findView, cacheBytes, logger }: FileServerParts): FileServer {
  const sender = new FileSender(cacheBytes)

  async function serve(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response)
    const view = findView(label)
    if (view === undefined) return sendPlainPage(response, { status: 404, sentence: NO_SITE })
    const target = request.url ?? ''
    for (const [name, value] of Object.entries(view.fields)) response.setHeader(name, value)
    if (view.links !== undefined) response.setHeader('link', view.links(target))
    const found = resolve(view, target)
    switch (found.kind) {
      case 'file':
        return sender.send(request, response, view, found.file)
      case 'redirect':
        return sendRedirect(response, found)
      case 'generated':
        return sendGenerated(response, found)
      case 'gone':
        return sendPlainPage(response, { status: 410, sentence: GONE })
      case 'missing':
        return sendPlainPage(response, { status: 404, sentence: NO_PAGE })
    }
  }

  return (request, response, label) => {
    serve(request, response, label).catch((error: unknown) => {
      logger.error({ site: label, err: error }, 'a hosted page cannot be served')
      if (response.headersSent) response.destroy()
      else sendFailure(response, error)
    })
  }
}

function sendRedirect(response: ServerResponse, found: Extract<Resolution, { kind: 'redirect' }>): void {
  const { status, location, fields } = found
  const headers = { ...fields, ...ISOLATION, 'Cache-Control': 'public, max-age=0, must-revalidate', Location: location }
  response.writeHead(status, { ...headers, 'Content-Length': 0 }).end()
}

function sendGenerated(response: ServerResponse, found: Extract<Resolution, { kind: 'generated' }>): void {
  const { status, treePath, body } = found
  const headers = { ...ISOLATION, 'Content-Type': mediaTypeOf(treePath), 'Content-Length': body.length }
  response.writeHead(status, { ...headers, 'Cache-Control': 'public, max-age=0, must-revalidate' }).end(body)
}

function refuseMethod(response: ServerResponse): void {
  // The connection closes, so that a body nobody wants is not read to its end.
  const headers = { Allow: 'GET, HEAD', Connection: 'close' }
  sendPlainPage(response, { status: 405, sentence: 'Pages here can be read, and nothing else.', headers })
}
