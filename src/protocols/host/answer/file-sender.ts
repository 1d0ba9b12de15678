// Sends a prepared answer: evaluates conditions and ranges, chooses the coding, and takes bytes from memory or the repository.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Admission } from '../../../admission/admission.js'
import { MEMORY } from '../../../admission/memory-rows.js'
import { MAX_BLOB_BYTES } from '../../../model/bytes.js'
import { type Clock, toSeconds } from '../../../model/clock.js'
import { createNegotiator, type Preference } from '../../http/accept-encoding.js'
import { streamBlob } from './blob-stream.js'
import type { Blob, Bodies } from './bodies.js'
import { type Span, selectSpan } from '../../http/byte-range.js'
import { allowsRange, evaluate } from '../../http/conditions.js'
import { namesTag } from '../../http/entity-tag.js'
import { type Hold, MIN_HELD_BYTES } from './held-bodies.js'
import { sendPlainPage } from './plain-page.js'
import type { PreparedAnswer } from './representation.js'
import { scanFields } from './request-scan.js'
import type { BodySender } from './send-body.js'

/** The source of an answer's bytes. */
export interface Source extends Blob {
  /** Yields the same bytes, or a span of them, in pieces. Throws `site_unreadable`; before the first piece if the blob is damaged. */
  pieces(span?: Span): AsyncGenerator<Buffer>
}

/** A request that is being answered. */
interface Asked {
  request: IncomingMessage
  response: ServerResponse
  answer: PreparedAnswer
  source: Source
  /** The visitor's address, as it is counted. It is kept here because a closed connection no longer has one. */
  address: string
}

export interface FileSenderParts {
  bodies: Bodies
  clock: Clock
  admission: Admission
  sender: BodySender
  /** Returns the visitor's address, as it is counted. */
  addressOf: (request: IncomingMessage) => string
}

export class FileSender {
  readonly #bodies: Bodies
  readonly #clock: Clock
  readonly #negotiate = createNegotiator()
  readonly #sender: BodySender
  readonly #admission: Admission
  readonly #addressOf: (request: IncomingMessage) => string

  constructor(parts: FileSenderParts) {
    this.#bodies = parts.bodies
    this.#clock = parts.clock
    this.#admission = parts.admission
    this.#sender = parts.sender
    this.#addressOf = parts.addressOf
  }

  /** Answers from memory and returns true. Returns false for ranges, other conditions than If-None-Match, and uncached or long bodies. */
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
    if (!isHead && (body === undefined || body.length >= MIN_HELD_BYTES)) return false
    response.writeHead(answer.content.status, representation.head)
    if (body === undefined || body.length === 0) response.end()
    else sendNow(response, body)
    return true
  }

  /** Answers GET and HEAD. Rejects if the repository cannot be read: before anything is sent, or after breaking off the stream. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PreparedAnswer,
    source: Source,
  ): Promise<void> {
    const { headers } = request
    const asked = { request, response, answer, source, address: this.#addressOf(request) }
    const preference = this.#negotiate(scanFields(request.rawHeaders).acceptEncoding)
    const { status } = answer.content
    // Conditions and ranges apply only where the answer would be 200 (RFC 9110 §13.2.1, §14.2).
    if (status !== 200) return this.#sendWhole(asked, preference)
    const mayBePartial = request.method === 'GET' && headers.range !== undefined && preference.identity
    // Ranges select identity bytes: the bytes of a coding may change with an update of its library.
    const coding = mayBePartial ? 'identity' : answer.codingFor(preference.coding)
    const validators = { tag: answer.tagOf(coding), lastModified: answer.lastModified }
    const now = toSeconds(this.#clock())
    const outcome = evaluate(headers, validators, now)
    if (outcome === 'unmodified') return void response.writeHead(304, answer.unmodifiedHead(coding)).end()
    if (outcome === 'failed') return sendPreconditionFailed(response, answer)
    if (mayBePartial && allowsRange(headers['if-range'] as string | undefined, validators, now)) {
      const span = selectSpan(headers.range ?? '', answer.content.size)
      if (span === 'unsatisfiable') return sendUnsatisfiable(response, answer)
      if (span !== 'whole') return this.#sendStored(asked, span)
    }
    return this.#sendWhole(asked, preference)
  }

  async #sendWhole(asked: Asked, preference: Preference): Promise<void> {
    const { request, response, answer, source, address } = asked
    const coding = answer.codingFor(preference.coding)
    if (coding === 'identity') return this.#sendStored(asked)
    const encoded = await this.#bodies.encode(source, coding, address, preference.identity)
    if (encoded === 'not-smaller') answer.ruleOut(coding)
    if (!Buffer.isBuffer(encoded)) return this.#sendInstead(asked, preference, encoded)
    const { head } = answer.known(coding) ?? answer.make(coding, encoded.length)
    const begin = () => response.writeHead(answer.content.status, head)
    if (request.method === 'HEAD') return void begin().end()
    const hold = this.#bodies.holdEncoded(source, coding, encoded, address)
    if (hold === undefined) return this.#sendInstead(asked, preference, 'busy')
    await this.#sendHeld(asked, hold, begin)
  }

  /** Sends identity. If the visitor accepts no identity and the coding is busy, asks the visitor to try again. */
  async #sendInstead(asked: Asked, preference: Preference, why: 'not-smaller' | 'busy'): Promise<void> {
    if (why === 'not-smaller' || preference.identity) return this.#sendStored(asked)
    sendBusy(asked.response, 'Too much is being compressed at once. Try again in a few seconds.')
  }

  /** Sends the stored bytes, or a span of them: from memory if there is room, else as a stream, else from memory after a wait. */
  async #sendStored(asked: Asked, span?: Span): Promise<void> {
    const { request, response, answer, source, address } = asked
    const { status, size } = answer.content
    const head = span ? answer.partialHead(span.start, span.end) : wholeHead(answer)
    const begin = () => response.writeHead(span ? 206 : status, head)
    if (request.method === 'HEAD') return void begin().end()
    const mayBeHeld = size <= MAX_BLOB_BYTES
    const hold = mayBeHeld ? this.#bodies.hold(source, address) : undefined
    if (hold !== undefined) return this.#sendHeld(asked, hold, begin, span)
    // Each stream may keep a git process open for as long as its visitor reads.
    const giveBack = this.#takeStream(source.siteId, address)
    if (giveBack !== undefined) return streamBlob(source.pieces(span), response, begin).finally(giveBack)
    const later = mayBeHeld ? await this.#bodies.holdSoon(source, address) : undefined
    if (later !== undefined) return this.#sendHeld(asked, later, begin, span)
    sendBusy(response, MEMORY.visitors.refusal.message)
  }

  /** Takes a place among the site's streams and among the visitor's. Returns how to give both back. */
  #takeStream(siteId: string, address: string): (() => void) | undefined {
    const leaveSite = this.#admission.gate('streams-of-site').tryEnter(siteId)
    const leaveAddress = leaveSite && this.#admission.gate('streams-of-address').tryEnter(address)
    if (leaveAddress === undefined) {
      leaveSite?.()
      return undefined
    }
    return () => {
      leaveSite?.()
      leaveAddress()
    }
  }

  /** Holds the bytes until the response is over. Rejects, with nothing sent, if they cannot be read. */
  async #sendHeld({ response, address }: Asked, hold: Hold, begin: () => void, span?: Span): Promise<void> {
    if (response.closed) hold.release()
    else response.once('close', hold.release)
    const body = await hold.body
    begin()
    this.#sender.send(response, body.subarray(span?.start, span?.end), address)
  }
}

function wholeHead(answer: PreparedAnswer): string[] {
  return (answer.known('identity') ?? answer.make('identity', answer.content.size)).head
}

/** Sends header section and body in one write. `end(body)` would delay both for an empty last chunk. */
function sendNow(response: ServerResponse, body: Buffer): void {
  response.write(body)
  response.socket?.uncork()
  response.end()
}

function sendBusy(response: ServerResponse, sentence: string): void {
  sendPlainPage(response, {
    status: 503,
    sentence,
    headers: { 'retry-after': String(MEMORY.visitors.refusal.retryAfterSeconds) },
  })
}

function sendPreconditionFailed(response: ServerResponse, { viewFields }: PreparedAnswer): void {
  const sentence = 'Precondition failed: this file has changed since you fetched it, or the entity tag is weak (W/).'
  sendPlainPage(response, { status: 412, sentence, headers: viewFields })
}

function sendUnsatisfiable(response: ServerResponse, { content, viewFields }: PreparedAnswer): void {
  const headers = { ...viewFields, 'content-range': `bytes */${content.size}` }
  sendPlainPage(response, { status: 416, sentence: 'The file ends before the requested range.', headers })
}
