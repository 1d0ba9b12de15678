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

/** Answers requests for the views of one kind of host. */
export class FileServer {
  readonly #parts: FileServerParts
  readonly #answers: AnswerCache
  readonly #bodies: Bodies
  readonly #sender: FileSender
  readonly #markdown: MarkdownPages | undefined

  constructor(parts: FileServerParts) {
    const { cacheBytes, held, clock, admission, sender, addressOf, readMarkdown } = parts
    this.#parts = parts
    this.#answers = new AnswerCache(cacheBytes)
    this.#bodies = new Bodies(cacheBytes, held)
    this.#sender = new FileSender({ bodies: this.#bodies, clock, admission, sender, addressOf })
    this.#markdown = readMarkdown && new MarkdownPages(readMarkdown)
  }

  /**
   * Handles a request for the host `label`; its URL is in origin form. An answer from memory is sent at once. Throws the errors of finding
   * a view, and rejects with those of reading, mostly before anything is sent.
   */
  serve(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'OPTIONS') {
      refuseMethod(response)
      return undefined
    }
    const view = this.#parts.findView(label)
    return view instanceof Promise
      ? view.then((found) => this.#serveView(request, response, found))
      : this.#serveView(request, response, view)
  }

  #serveView(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView | undefined,
  ): Promise<void> | undefined {
    if (view === undefined) {
      sendNoSite(response)
      return undefined
    }
    if (request.method === 'OPTIONS') return this.#answerOptions(request, response, view)
    const kept = this.#answers.get(view, request.url ?? '')
    if (kept === undefined) return this.#readAndSend(request, response, view)
    if (wantsMarkdown(request, view, kept.content)) return this.#sendMarkdown(request, response, view, kept)
    if (this.#sender.sendKept(request, response, kept)) return undefined
    return this.#sendFile(request, response, view, kept)
  }

  async #answerOptions(request: IncomingMessage, response: ServerResponse, view: SiteView): Promise<void> {
    const target = request.url ?? ''
    const fields = await this.#parts.reader.preflight(view.toRead, target)
    if (!response.destroyed) sendOptions(response, view, target, fields)
  }

  /** Answers with what a reader finds. `toRead` may differ from that of the view. */
  async #readAndSend(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    toRead = view.toRead,
  ): Promise<void> {
    const target = request.url ?? ''
    const { resolution: found, size, body } = await this.#parts.reader.resolve(toRead, target, wantsBody(request, view))
    if (response.destroyed) return
    switch (found.kind) {
      case 'file': {
        const answer = this.#answers.get(view, target) ?? this.#prepare(view, target, found.file, size)
        this.#answers.keep(view, target, answer)
        if (wantsMarkdown(request, view, answer.content))
          return await this.#sendMarkdown(request, response, view, answer)
        return await this.#sendFile(request, response, view, answer, body && bufferOf(body))
      }
      case 'markdown':
        return await this.#sendMarkdown(request, response, view, this.#prepare(view, target, found.file, size))
      case 'generated':
        return await this.#sendGenerated(request, response, view, found.treePath)
      case 'search':
        return await this.#parts.search(request, response, view, this.#parts.addressOf(request))
      default:
        sendWithoutFile(response, view, target, found)
    }
  }

  /** Sends a generated file. If the site has none of that name, sends what it has at the address instead. */
  async #sendGenerated(request: IncomingMessage, response: ServerResponse, view: SiteView, name: string) {
    const made = await generateFile(view, name)
    if (made === undefined)
      return await this.#readAndSend(request, response, view, { ...view.toRead, generates: false })
    const { oid, size } = made
    const content = { siteId: view.site.id, treePath: name, oid, status: 200, fields: {}, size }
    const pieces = (span?: Span) => cut(made.pieces(), span)
    const source = { siteId: view.site.id, oid, size, read: () => made.read(), pieces }
    await this.#sender.send(
      request,
      response,
      new PreparedAnswer(view, request.url ?? '', content, this.#options()),
      source,
    )
  }

  /** Sends the page itself if there is no Markdown at the moment. */
  async #sendMarkdown(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    page: PreparedAnswer,
  ): Promise<void> {
    const bytes = await this.#markdown?.bytesOf(view, page.content.oid)
    if (bytes === undefined) return await this.#sendFile(request, response, view, page)
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
      this.#options(this.#factsOf(view, content.treePath), 'Accept'),
    )
    await this.#sender.send(request, response, answer, source)
  }

  /** `body`: the file, if it is read already. */
  async #sendFile(
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
      read: async () => body ?? (await this.#parts.reader.blob(view.toRead, oid)),
      pieces: (span) => this.#parts.reader.pieces(view.toRead, { oid, size }, span),
    }
    try {
      await this.#sender.send(request, response, answer, source)
    } catch (error) {
      // The blob may be damaged, and may be repaired while the head stays the same.
      this.#answers.drop(view, request.url ?? '')
      throw error
    }
  }

  #prepare(view: SiteView, target: string, file: FoundFile, size: number): PreparedAnswer {
    const siteId = view.site.id
    const content = { ...file, siteId, size }
    const vary = hasMarkdown(view, file) ? 'Accept' : undefined
    return new PreparedAnswer(
      view,
      target,
      content,
      this.#options(this.#factsOf(view, file.source ?? file.treePath), vary),
    )
  }

  /** Asks the index about a file of the head, which alone it knows. Nothing in a version is newer than its commit. */
  #factsOf(view: SiteView, treePath: string): FileFacts | 'unknown' | undefined {
    if (view.versionTime !== undefined) return { changedAt: view.versionTime }
    // Only the head's view has a sitemap.
    return view.sitemap && fileFactsAt(this.#parts, view.site.id, view.commit, treePath)
  }

  #options(facts?: FileFacts | 'unknown', vary?: 'Accept') {
    return {
      facts,
      largestEncoded: this.#bodies.largestKept,
      now: toSeconds(this.#parts.clock()),
      ...(vary && { vary }),
    }
  }
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
