// Serves the views of sites to the public, read only: one request, one snapshot, one answer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type IndexInUse, type PageFacts, pageFactsAt } from '../indexing/last-changes.js'
import { type Clock, toSeconds } from '../model/clock.js'
import { AnswerCache } from './answer/answer-cache.js'
import { Bodies, bodyKeyOf } from './answer/bodies.js'
import type { HeldBodies } from './answer/held-bodies.js'
import { entityTagOf } from '../http/entity-tag.js'
import { FileSender, type FileSenderParts, type Source } from './answer/file-sender.js'
import { sendPlainPage } from './answer/plain-page.js'
import { hasMarkdown, MarkdownPages, markdownContent, prefersMarkdown, type ReadMarkdown } from './answer/markdown.js'
import type { Span } from '../http/byte-range.js'
import { type Content, joinFields, PreparedAnswer } from './answer/representation.js'
import { type FoundFile, type Resolution, resolve } from '../resolution/resolution.js'
import type { AnswerSearch } from './search/site-search.js'
import type { FindView, SiteView } from './views/site-view.js'

const NO_SITE = 'There is no site at this address.'
const NO_PAGE = 'This site has no page at this address. <a href="/">Go to its start page.</a>'
const GONE = 'The page at this address is no longer public.'
const METHODS = 'GET, HEAD, OPTIONS'
const EVERYTHING: Span = { start: 0, end: Infinity }

export interface FileServerParts extends IndexInUse, Pick<FileSenderParts, 'admission' | 'sender' | 'addressOf'> {
  findView: FindView
  /** Bytes of representations that may be kept in memory. */
  cacheBytes: number
  held: HeldBodies
  clock: Clock
  /** Omitted if pages are served as HTML only. */
  readMarkdown?: ReadMarkdown
  /** Answers visitors' searches. */
  search: AnswerSearch
}

/**
 * Handles a request for the host `label`; its URL is in origin form. Before anything is sent, throws Pending and the errors of
 * the views and the repository. Rejects if an answer fails later.
 */
export type FileServer = (
  request: IncomingMessage,
  response: ServerResponse,
  label: string,
) => Promise<void> | undefined

export function createFileServer(parts: FileServerParts): FileServer {
  const { findView, cacheBytes, held, clock, admission, addressOf, search } = parts
  const answers = new AnswerCache(cacheBytes)
  const bodies = new Bodies(cacheBytes, held)
  const sender = new FileSender({ bodies, clock, admission, sender: parts.sender, addressOf })
  const markdown = parts.readMarkdown && new MarkdownPages(parts.readMarkdown)

  function serve(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      answerOtherMethod(request, response)
      return undefined
    }
    const target = request.url ?? ''
    const view = findView(label)
    if (view === undefined) {
      sendPlainPage(response, { status: 404, sentence: NO_SITE })
      return undefined
    }
    const kept = answers.get(view, target)
    if (kept === undefined) return resolveAndSend(request, response, view)
    if (wantsMarkdown(request, view, kept.content)) return sendMarkdown(request, response, view, kept)
    if (sender.sendKept(request, response, kept)) return undefined
    return sendFile(request, response, view, kept)
  }

  function resolveAndSend(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
  ): Promise<void> | undefined {
    const target = request.url ?? ''
    const found = resolve(view, target)
    if (found.kind === 'file') {
      const answer = prepare(view, target, found.file)
      answers.keep(view, target, answer)
      if (wantsMarkdown(request, view, answer.content)) return sendMarkdown(request, response, view, answer)
      return sendFile(request, response, view, answer)
    }
    if (found.kind === 'markdown') {
      return sendMarkdown(request, response, view, prepare(view, target, found.file))
    }
    if (found.kind === 'generated') {
      const { content, source } = contentOf(view.site.id, found)
      return sender.send(request, response, new PreparedAnswer(view, target, content, options()), source)
    }
    if (found.kind === 'search') return search(request, response, view, addressOf(request))
    sendWithoutFile(response, view, target, found)
    return undefined
  }

  /** Sends the page itself if there is no Markdown at the moment. */
  async function sendMarkdown(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    page: PreparedAnswer,
  ): Promise<void> {
    const bytes = await markdown?.bytesOf(view, page.content.oid)
    if (bytes === undefined) return await sendFile(request, response, view, page)
    const content = markdownContent(page.content, bytes)
    const source = {
      ...content,
      read: async () => bytes,
      pieces: (span?: Span) => onePiece(bytes, span),
    }
    const facts = view.sitemap && pageFactsAt(parts, view.site.id, view.snapshot.commit, content.treePath)
    const answer = new PreparedAnswer(view, request.url ?? '', content, options(facts, 'Accept'))
    await sender.send(request, response, answer, source)
  }

  async function sendFile(request: IncomingMessage, response: ServerResponse, view: SiteView, answer: PreparedAnswer) {
    try {
      await sender.send(request, response, answer, sourceOf(view, answer.content))
    } catch (error) {
      // The blob may be damaged, and may be repaired while the head stays the same.
      answers.drop(view, request.url ?? '')
      throw error
    }
  }

  function prepare(view: SiteView, target: string, file: FoundFile): PreparedAnswer {
    const { site, snapshot } = view
    const { id: siteId } = site
    const kept = bodies.get(bodyKeyOf(siteId, entityTagOf(file.oid, 'identity')))
    const content = { ...file, siteId, size: kept?.length ?? snapshot.size(file.oid) }
    // The index knows only the head, and only the head's view has a sitemap.
    const page = view.sitemap && pageFactsAt(parts, site.id, snapshot.commit, file.treePath)
    return new PreparedAnswer(view, target, content, options(page, hasMarkdown(view, file) ? 'Accept' : undefined))
  }

  function options(page?: PageFacts | 'unknown', vary?: 'Accept') {
    return { page, largestEncoded: bodies.largestKept, now: toSeconds(clock()), ...(vary && { vary }) }
  }

  return serve
}

function sourceOf({ site, snapshot }: SiteView, { oid, size }: Content): Source {
  return { siteId: site.id, oid, size, read: () => snapshot.load(oid), pieces: (span) => snapshot.pieces(oid, span) }
}

function contentOf(siteId: string, found: Extract<Resolution, { kind: 'generated' }>) {
  const { oid, size, treePath, status } = found
  const content = { siteId, treePath, oid, status, fields: {}, size }
  const pieces = (span?: Span) => cut(found.pieces(), span)
  return { content, source: { siteId, oid, size, read: () => found.read(), pieces } }
}

/** Yields the bytes of the span from pieces that begin at 0. */
async function* cut(pieces: AsyncIterable<Buffer>, { start, end }: Span = EVERYTHING): AsyncGenerator<Buffer> {
  let at = 0
  for await (const piece of pieces) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, piece.length)]
    at += piece.length
    if (from < to) yield piece.subarray(from, to)
    if (at >= end) return
  }
}

async function* onePiece(body: Buffer, { start, end }: Span = EVERYTHING): AsyncGenerator<Buffer> {
  yield body.subarray(start, end)
}

function wantsMarkdown({ headers }: IncomingMessage, view: SiteView, content: Content): boolean {
  return hasMarkdown(view, content) && prefersMarkdown(headers.accept)
}

function sendWithoutFile(
  response: ServerResponse,
  view: SiteView,
  target: string,
  found: Extract<Resolution, { kind: 'redirect' | 'gone' | 'missing' }>,
): void {
  if (found.kind === 'redirect') return sendRedirect(response, found, joinFields(view, target, found.fields))
  const [status, sentence] = found.kind === 'gone' ? [410, GONE] : [404, NO_PAGE]
  sendPlainPage(response, { status, sentence, headers: joinFields(view, target, {}) })
}

function sendRedirect(
  response: ServerResponse,
  { status, location }: Extract<Resolution, { kind: 'redirect' }>,
  fields: Readonly<Record<string, string>>,
): void {
  const caching = { 'cache-control': 'public, max-age=0, must-revalidate' }
  response.writeHead(status, { ...caching, ...fields, location, 'content-length': '0' }).end()
}

function answerOtherMethod(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'OPTIONS') return void response.writeHead(204, { allow: METHODS }).end()
  // Closing the connection avoids reading the request's body.
  const headers = { allow: METHODS, connection: 'close' }
  sendPlainPage(response, { status: 405, sentence: 'Pages can only be read here: send GET or HEAD.', headers })
}
