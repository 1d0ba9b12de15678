// Sends a request by `node:http`, and answers as `fetch` does. Node's own `fetch` compiles a parser first, which takes longer than all else
// that a short command does.

import type { IncomingMessage } from 'node:http'

/** Larger bodies, whose sending takes longer than that, are sent by `fetch`, as a stream. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** As with `fetch`: the longest time in which nothing moves. */
const MAX_REST_MS = 300_000
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** `late` ends the wait for the answer; the request's own signal ends the reading too. Redirects are followed as the request says. */
export async function directFetch(request: Request, late?: AbortSignal | null): Promise<Response> {
  const spare = request.clone()
  const body = await smallBodyOf(request)
  if (body === undefined) return await fetch(spare, { signal: late ?? null })
  const answer = await send(request, body, late)
  const { statusCode: status = 0, headers } = answer
  if (status >= 300 && status < 400 && headers.location !== undefined && request.redirect === 'follow') {
    answer.resume()
    return await fetch(spare, { signal: late ?? null })
  }
  spare.body?.cancel().catch(() => undefined)
  return await toResponse(request, answer)
}

/** Returns undefined for a large body. */
async function smallBodyOf({ body }: Request): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  if (body === null) return Buffer.alloc(0)
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  for (let bytes = 0; ; ) {
    const { value } = await reader.read()
    if (value === undefined) return Buffer.concat(pieces)
    pieces.push(value)
    bytes += value.length
    if (bytes <= MAX_BODY_BYTES) continue
    // It resolves only when the copy ends, too.
    reader.cancel().catch(() => undefined)
    return undefined
  }
}

async function send(
  { method, url, headers, signal }: Request,
  body: Buffer,
  late: AbortSignal | null | undefined,
): Promise<IncomingMessage> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const length = body.length > 0 && { 'content-length': String(body.length) }
    const sent = request(url, { method, headers: { accept: '*/*', ...Object.fromEntries(headers), ...length } })
    const giveUp = (by: AbortSignal) => () => {
      reject(by.reason as Error)
      sent.destroy()
    }
    const tooLate = late && giveUp(late)
    if (late?.aborted === true) tooLate?.()
    if (tooLate) late?.addEventListener('abort', tooLate, { once: true })
    signal.addEventListener('abort', giveUp(signal), { once: true })
    sent.setTimeout(MAX_REST_MS, () => sent.destroy(Object.assign(new Error(), { code: 'UND_ERR_HEADERS_TIMEOUT' })))
    sent.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    sent.on('response', (answer) => {
      if (tooLate) late?.removeEventListener('abort', tooLate)
      resolve(answer)
    })
    sent.end(body)
  })
}

/** A short answer is read at once, since a stream costs more than its bytes. */
async function toResponse({ method, url }: Request, answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers, rawHeaders } = answer
  const fields = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []))
  const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(status)
  if (!hasBody) answer.resume()
  const isShort = Number(headers['content-length']) <= MAX_BODY_BYTES
  const body = !hasBody ? null : isShort ? await wholeOf(answer) : ReadableStream.from(piecesOf(answer))
  const response = new Response(body, { status, headers: fields as [string, string][] })
  return Object.defineProperty(response, 'url', { value: url })
}

async function wholeOf(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of piecesOf(answer)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Throws what `fetch` throws if the connection breaks. */
async function* piecesOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const piece of answer) yield piece as Buffer
  } catch (cause) {
    throw new TypeError('terminated', { cause })
  }
}
