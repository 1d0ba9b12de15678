// Sends a prepared answer: evaluates conditions and ranges, chooses the coding, and takes bytes from memory or the repository.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_PIECE_BYTES } from '../../model/bytes.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { type Coding, createNegotiator, type Preference } from '../../http/accept-encoding.js'
import { streamBlob } from './blob-stream.js'
import type { Blob, Bodies } from './bodies.js'
import { type Span, selectSpan } from '../../http/byte-range.js'
import { allowsRange, evaluate } from '../../http/conditions.js'
import { namesTag } from '../../http/entity-tag.js'
import { sendPlainPage } from './plain-page.js'
import type { PreparedAnswer } from './representation.js'
import { scanFields } from './request-scan.js'
import { sendBody } from './send-body.js'
import type { StreamShares } from './stream-shares.js'

/** Larger blobs are streamed and never read into memory. */
export const STREAM_ABOVE_BYTES = 16 * 1024 * 1024

/** Where the bytes of an answer come from. */
export interface Source extends Blob {
  /** The same bytes, or a span of them, in pieces. Throws `site_unreadable`; before the first piece where the blob is damaged. */
  pieces(span?: Span): AsyncGenerator<Buffer>
}

export interface FileSenderParts {
  bodies: Bodies
  clock: Clock
  streams: StreamShares
  /** The visitor's address, as it is counted. */
  addressOf: (request: IncomingMessage) => string
}

export class FileSender {
  readonly #bodies: Bodies
  readonly #clock: Clock
  readonly #negotiate = createNegotiator()
  readonly #shares: StreamShares
  readonly #addressOf: (request: IncomingMessage) => string

  constructor(parts: FileSenderParts) {
    this.#bodies = parts.bodies
    this.#clock = parts.clock
    this.#shares = parts.streams
    this.#addressOf = parts.addressOf
  }

  /** Answers from memory and returns true; false for ranges, for conditions other than If-None-Match, and for what is not cached. */
  sendKept(request: IncomingMessage, response: ServerResponse, answer: PreparedAnswer): boolean {
    const { acceptEncoding, ifNoneMatch, hasOtherCondition } = scanFields(request.rawHeaders)
    if (hasOtherCondition) return false
    const coding = answer.codingFor(this.#negotiate(acceptEncoding).coding)
    // A 304 needs no body, cached or not.
    if (ifNoneMatch !== undefined && answer.content.status === 200 && namesTag(ifNoneMatch, answer.tagOf(coding))) {
      response.writeHead(304, answer.unmodifiedHead(coding)).end()
      return true
    }
    const representation = answer.known(coding)
    if (representation === undefined) return false
    const isHead = request.method === 'HEAD'
    const body = isHead ? undefined : this.#bodies.get(representation.bodyKey)
    if (body === undefined && !isHead) return false
    response.writeHead(answer.content.status, representation.head)
    if (body === undefined || body.length === 0) response.end()
    else if (body.length > MAX_PIECE_BYTES) sendBody(response, body)
    else sendNow(response, body)
    return true
  }

  /** Answers GET and HEAD. Rejects where the repository cannot be read: before anything is sent, or with the stream broken off. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PreparedAnswer,
    source: Source,
  ): Promise<void> {
    const { headers } = request
    const preference = this.#negotiate(scanFields(request.rawHeaders).acceptEncoding)
    const { status } = answer.content
    // Conditions and ranges apply only where the answer would be 200 (RFC 9110 §13.2.1, §14.2).
    if (status !== 200) return this.#sendWhole(request, response, answer, source, preference)
    const mayBePartial = request.method === 'GET' && headers.range !== undefined && preference.identity
    // Ranges are of the identity bytes: those of a coding may change with an update of its library.
    const coding = mayBePartial ? 'identity' : answer.codingFor(preference.coding)
    const validators = { tag: answer.tagOf(coding), lastModified: answer.lastModified }
    const now = toSeconds(this.#clock())
    const outcome = evaluate(headers, validators, now)
    if (outcome === 'unmodified') return void response.writeHead(304, answer.unmodifiedHead(coding)).end()
    if (outcome === 'failed') return sendPreconditionFailed(response, answer)
    if (mayBePartial && allowsRange(headers['if-range'] as string | undefined, validators, now)) {
      const span = selectSpan(headers.range ?? '', answer.content.size)
      if (span === 'unsatisfiable') return sendUnsatisfiable(response, answer)
      if (span !== 'whole') return this.#sendSpan(request, response, answer, source, span)
    }
    return this.#sendWhole(request, response, answer, source, preference)
  }

  async #sendWhole(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PreparedAnswer,
    source: Source,
    preference: Preference,
  ): Promise<void> {
    const { status, size } = answer.content
    const coding = answer.codingFor(preference.coding)
    const encoded = coding === 'identity' ? undefined : await this.#encode(answer, source, coding, preference.identity)
    const { head } = encoded
      ? (answer.known(coding) ?? answer.make(coding, encoded.length))
      : (answer.known('identity') ?? answer.make('identity', size))
    if (request.method === 'HEAD') response.writeHead(status, head).end()
    else if (encoded === undefined && size > STREAM_ABOVE_BYTES)
      await this.#stream(request, response, { status, head }, source)
    else {
      const body = encoded ?? (await this.#readBody(answer, source))
      sendBody(response.writeHead(status, head), body)
    }
  }

  /** Undefined where identity is sent instead. */
  async #encode(
    answer: PreparedAnswer,
    source: Source,
    coding: Exclude<Coding, 'identity'>,
    mayDecline: boolean,
  ): Promise<Buffer | undefined> {
    const encoded = await this.#bodies.encode(source, coding, mayDecline)
    if (encoded === 'not-smaller') answer.ruleOut(coding)
    return typeof encoded === 'string' ? undefined : encoded
  }

  async #sendSpan(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PreparedAnswer,
    source: Source,
    span: Span,
  ): Promise<void> {
    const { size } = answer.content
    const { start, end } = span
    const head = answer.partialHead(start, end)
    if (size > STREAM_ABOVE_BYTES) return this.#stream(request, response, { status: 206, head }, source, span)
    const body = await this.#readBody(answer, source)
    sendBody(response.writeHead(206, head), body.subarray(start, end))
  }

  /** The prepared fields hold the size from the repository's index: another length means that the repository is damaged. */
  async #readBody({ content }: PreparedAnswer, source: Source): Promise<Buffer> {
    const body = await this.#bodies.read(source)
    if (body.length === content.size) return body
    throw new ServiceError('site_unreadable', `A file has ${body.length} bytes instead of ${content.size}.`)
  }

  /** Each stream holds a git process for as long as its visitor reads. */
  async #stream(
    request: IncomingMessage,
    response: ServerResponse,
    { status, head }: { status: number; head: string[] },
    source: Source,
    span?: Span,
  ): Promise<void> {
    const giveBack = this.#shares.take(source.siteId, this.#addressOf(request))
    if (giveBack === undefined) {
      const sentence = 'Too many large files are being downloaded at once. Try again in a few seconds.'
      return sendPlainPage(response, { status: 503, sentence, headers: { 'retry-after': '5' } })
    }
    try {
      await streamBlob(source.pieces(span), response, () => response.writeHead(status, head))
    } finally {
      giveBack()
    }
  }
}

/** Sends header section and body in one write: `end(body)` would hold both back for an empty last chunk. */
function sendNow(response: ServerResponse, body: Buffer): void {
  response.write(body)
  response.socket?.uncork()
  response.end()
}

function sendPreconditionFailed(response: ServerResponse, { viewFields }: PreparedAnswer): void {
  const sentence = 'Precondition failed: this file has changed since you fetched it.'
  sendPlainPage(response, { status: 412, sentence, headers: viewFields })
}

function sendUnsatisfiable(response: ServerResponse, { content, viewFields }: PreparedAnswer): void {
  const headers = { ...viewFields, 'content-range': `bytes */${content.size}` }
  sendPlainPage(response, { status: 416, sentence: 'The file ends before the requested range.', headers })
}
