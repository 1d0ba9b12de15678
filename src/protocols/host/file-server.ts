// Serves the views of sites to the public, read only: one request, one snapshot, one answer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FileFacts, fileFactsAt, type IndexInUse } from '../../indexing/last-changes.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import type { PictureForm } from '../../model/paths/picture-form.js'
import { AnswerCache } from './answer/answer-cache.js'
import { Bodies } from './answer/bodies.js'
import type { HeldBodies } from './answer/held-bodies.js'
import { FileSender, type FileSenderParts, type Source } from './answer/file-sender.js'
import { hasMarkdown, MarkdownPages, markdownContent, prefersMarkdown, type ReadMarkdown } from './answer/markdown.js'
import type { Span } from '../http/byte-range.js'
import { type Content, PreparedAnswer } from './answer/representation.js'
import { scanFields } from './answer/request-scan.js'
import type { FoundFile } from '../../repository/resolution/resolution.js'
import { cut, sourceOf } from './answer/pieces.js'
import { contentOfForm, Pictures, type PicturesParts } from './pictures/pictures.js'
import { bufferOf, type HostedReader } from './reading/hosted-reader.js'
import type { AnswerSearch } from './search/site-search.js'
import { generateFile } from './sitemap/generated-file.js'
import { refuseMethod, sendNoSite, sendOptions, sendUnfit, sendWithoutFile } from './answer/without-file.js'
import type { FindPastView, SiteView } from './views/site-view.js'

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
  /** Omitted if pictures are served as they are only. */
  pictures?: PicturesParts
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
  readonly #pictures: Pictures | undefined

  constructor(parts: FileServerParts) {
    const { cacheBytes, held, clock, admission, sender, addressOf, readMarkdown, pictures } = parts
    this.#parts = parts
    this.#answers = new AnswerCache(cacheBytes)
    this.#bodies = new Bodies(cacheBytes, held)
    this.#sender = new FileSender({ bodies: this.#bodies, clock, admission, sender, addressOf })
    this.#markdown = readMarkdown && new MarkdownPages(readMarkdown)
    this.#pictures = pictures && new Pictures(pictures)
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
        const form = this.#pictures?.formOf(view, target, answer.content)
        if (form !== undefined) return await this.#sendPicture(request, response, view, answer, form)
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
    await this.#sendMade(request, response, view, markdownContent(page.content, bytes), bytes, 'Accept')
  }

  /** Sends the picture itself if it has no other form at the moment. */
  async #sendPicture(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    picture: PreparedAnswer,
    form: PictureForm,
  ): Promise<void> {
    const found = (await this.#pictures?.find(view, picture.content.oid, form)) ?? 'as it is'
    if (found === 'as it is') return await this.#sendFile(request, response, view, picture)
    if (typeof found === 'string') return sendUnfit(response, picture, found)
    await this.#sendMade(request, response, view, contentOfForm(picture.content, form, found), found)
  }

  async #sendMade(
    request: IncomingMessage,
    response: ServerResponse,
    view: SiteView,
    content: Content,
    bytes: Buffer,
    vary?: 'Accept',
  ): Promise<void> {
    const options = this.#options(this.#factsOf(view, content.treePath), vary)
    const answer = new PreparedAnswer(view, request.url ?? '', content, options)
    await this.#sender.send(request, response, answer, sourceOf(content, bytes))
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

function wantsMarkdown({ headers }: IncomingMessage, view: SiteView, content: Content): boolean {
  return hasMarkdown(view, content) && prefersMarkdown(headers.accept)
}
