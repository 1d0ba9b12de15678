// Serves the views of sites to the public, read only: one request, one snapshot, one answer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FileFacts, fileFactsAt, type IndexInUse } from '../../indexing/last-changes.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import { AnswerCache } from './answer/answer-cache.js'
import { Bodies } from './answer/bodies.js'
import type { HeldBodies } from './answer/held-bodies.js'
import { FileSender, type FileSenderParts, type Source } from './answer/file-sender.js'
import { hasMarkdown, MarkdownPages, markdownContent, prefersMarkdown, type ReadMarkdown } from './answer/markdown.js'
import type { Span } from '../http/byte-range.js'
import { type Content, PreparedAnswer } from './answer/representation.js'
import { scanFields } from './answer/request-scan.js'
import type { FoundFile } from '../../repository/resolution/resolution.js'
import { bufferOf, type HostedReader } from './reading/hosted-reader.js'
import type { AnswerSearch } from './search/site-search.js'
import { generateFile } from './sitemap/generated-file.js'
import { refuseMethod, sendNoSite, sendOptions, sendWithoutFile } from './answer/without-file.js'
import type { FindPastView, SiteView } from './views/site-view.js'

const EVERYTHING: Span = { start: 0, end: Infinity }

export interface FileServerParts extends IndexInUse, Pick<FileSenderParts, 'admission' | 'sender' | 'addressOf'> {
  findView: FindPastView
  /** Reads what is not in memory. */
  reader: HostedReader
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
 * Handles a request for the host `label`; its URL is in origin form. An answer from memory is sent at once. Throws the errors of finding
 * a view, and rejects with those of reading, mostly before anything is sent.
 */
type FileServer = (request: IncomingMessage, response: ServerResponse, label: string) => Promise<void> | undefined

export function createFileServer(parts: FileServerParts): FileServer {
  const { findView, reader, cacheBytes, held, clock, admission, addressOf, search } = parts
  const answers = new AnswerCache(cacheBytes)
  const bodies = new Bodies(cacheBytes, held)
  const sender = new FileSender({ bodies, clock, admission, sender: parts.sender, addressOf })
  const markdown = parts.readMarkdown && new MarkdownPages(parts.readMarkdown)

  function serve(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'OPTIONS') {
      refuseMethod(response)
      return undefined
    }
    const view = findView(label)
    return view instanceof Promise
      ? view.then((found) => serveView(request, response, found))
      : serveView(request, response, view)
  }

  function serveView(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView | undefined,
  ): Promise<void> | undefined {
    if (view === undefined) {
      sendNoSite(response)
      return undefined
    }
    if (request.method === 'OPTIONS') return answerOptions(request, response, view)
    const kept = answers.get(view, request.url ?? '')
    if (kept === undefined) return readAndSend(request, response, view)
    if (wantsMarkdown(request, view, kept.content)) return sendMarkdown(request, response, view, kept)
    if (sender.sendKept(request, response, kept)) return undefined
    return sendFile(request, response, view, kept)
  }

  async function answerOptions(request: IncomingMessage, response: ServerResponse, view: SiteView): Promise<void> {
    const target = request.url ?? ''
    const fields = await reader.preflight(view.toRead, target)
    if (!response.destroyed) sendOptions(response, view, target, fields)
  }

  /** Answers with what a reader finds. `toRead` may differ from that of the view. */
  async function readAndSend(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    toRead = view.toRead,
  ): Promise<void> {
    const target = request.url ?? ''
    const { resolution: found, size, body } = await reader.resolve(toRead, target, wantsBody(request, view))
    if (response.destroyed) return
    switch (found.kind) {
      case 'file': {
        const answer = answers.get(view, target) ?? prepare(view, target, found.file, size)
        answers.keep(view, target, answer)
        if (wantsMarkdown(request, view, answer.content)) return await sendMarkdown(request, response, view, answer)
        return await sendFile(request, response, view, answer, body && bufferOf(body))
      }
      case 'markdown':
        return await sendMarkdown(request, response, view, prepare(view, target, found.file, size))
      case 'generated':
        return await sendGenerated(request, response, view, found.treePath)
      case 'search':
        return await search(request, response, view, addressOf(request))
      default:
        sendWithoutFile(response, view, target, found)
    }
  }

  /** Sends a generated file. If the site has none of that name, sends what it has at the address instead. */
  async function sendGenerated(request: IncomingMessage, response: ServerResponse, view: SiteView, name: string) {
    const made = await generateFile(view, name)
    if (made === undefined) return await readAndSend(request, response, view, { ...view.toRead, generates: false })
    const { oid, size } = made
    const content = { siteId: view.site.id, treePath: name, oid, status: 200, fields: {}, size }
    const pieces = (span?: Span) => cut(made.pieces(), span)
    const source = { siteId: view.site.id, oid, size, read: () => made.read(), pieces }
    await sender.send(request, response, new PreparedAnswer(view, request.url ?? '', content, options()), source)
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
    const answer = new PreparedAnswer(
      view,
      request.url ?? '',
      content,
      options(factsOf(view, content.treePath), 'Accept'),
    )
    await sender.send(request, response, answer, source)
  }

  /** `body`: the file, if it is read already. */
  async function sendFile(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    answer: PreparedAnswer,
    body?: Buffer,
  ) {
    const { siteId, oid, size } = answer.content
    const source: Source = {
      siteId,
      oid,
      size,
      read: async () => body ?? (await reader.blob(view.toRead, oid)),
      pieces: (span) => reader.pieces(view.toRead, { oid, size }, span),
    }
    try {
      await sender.send(request, response, answer, source)
    } catch (error) {
      // The blob may be damaged, and may be repaired while the head stays the same.
      answers.drop(view, request.url ?? '')
      throw error
    }
  }

  function prepare(view: SiteView, target: string, file: FoundFile, size: number): PreparedAnswer {
    const siteId = view.site.id
    const content = { ...file, siteId, size }
    const vary = hasMarkdown(view, file) ? 'Accept' : undefined
    return new PreparedAnswer(view, target, content, options(factsOf(view, file.source ?? file.treePath), vary))
  }

  /** Asks the index about a file of the head, which alone it knows. Nothing in a version is newer than its commit. */
  function factsOf(view: SiteView, treePath: string): FileFacts | 'unknown' | undefined {
    if (view.versionTime !== undefined) return { changedAt: view.versionTime }
    // Only the head's view has a sitemap.
    return view.sitemap && fileFactsAt(parts, view.site.id, view.commit, treePath)
  }

  function options(facts?: FileFacts | 'unknown', vary?: 'Accept') {
    return { facts, largestEncoded: bodies.largestKept, now: toSeconds(clock()), ...(vary && { vary }) }
  }

  return serve
}

/** Whether a file is sent whole: not to HEAD, to a range, or to a visitor who may have it. Markdown is made from the repository. */
function wantsBody(request: IncomingMessage, view: SiteView): boolean {
  const { ifNoneMatch, hasOtherCondition } = scanFields(request.rawHeaders)
  const isConditional = ifNoneMatch !== undefined || hasOtherCondition
  return (
    request.method === 'GET' && !isConditional && !(view.markdown === true && prefersMarkdown(request.headers.accept))
  )
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
