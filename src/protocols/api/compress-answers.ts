// Compresses the base host's answers to GET: the OpenAPI document, the reference, and the API's answers. Some answers stay uncompressed
// because of BREACH (CVE-2013-3587). The attacker makes a browser send requests, and sees the lengths of encrypted answers. If an answer
// holds a secret next to text of the attacker, the lengths reveal the secret. So answers to other methods are never compressed: only they
// hold new keys, links and sessions. A request with a cookie gets a compressed answer only if no page of another site can have sent it.

import { Readable } from 'node:stream'
import { compress } from '../http/compression.js'
import { createNegotiator, type Coding } from '../http/accept-encoding.js'
import { tagInCoding } from '../http/entity-tag.js'
import type { ApiContext, ApiMiddleware } from './request/request-state.js'
import { bytesOf } from './unread-answers.js'

/** Shorter answers fit one network packet as they are. */
const MIN_BYTES = 1400

export function compressAnswers(): ApiMiddleware {
  const negotiate = createNegotiator()
  const compressOnce = createCache()
  return async (ctx, next) => {
    await next()
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || (ctx.status !== 200 && ctx.status !== 304)) return
    ctx.vary('Accept-Encoding')
    // The bytes of a file are streamed, with the entity tag that its clients compute.
    if (ctx.status === 304 || ctx.body instanceof Readable) return
    const { coding } = negotiate(ctx.req.headers['accept-encoding'])
    const bytes = bytesOf(ctx.body)
    ctx.body = bytes
    if (coding === 'identity' || bytes.length < MIN_BYTES || !isSafe(ctx)) return
    ctx.body = await compressOnce(bytes, coding)
    ctx.set('Content-Encoding', coding)
    const tag = ctx.res.getHeader('ETag')
    if (typeof tag === 'string') ctx.set('ETag', tagInCoding(tag, coding))
  }
}

/** Whether no page of another site can have sent the request. Browsers name its source (W3C Fetch Metadata); `none` is the person. */
function isSafe({ req: { headers } }: ApiContext): boolean {
  const site = headers['sec-fetch-site']
  return headers.cookie === undefined || site === 'same-origin' || site === 'none'
}

/** Remembers the coded form of a Buffer as long as the Buffer lives: the documents are the same for every request. */
function createCache(): typeof compress {
  const known = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>()
  return (bytes, coding) => {
    const forms = known.get(bytes) ?? new Map<Coding, Promise<Buffer>>()
    known.set(bytes, forms)
    const made = forms.get(coding) ?? compress(bytes, coding)
    forms.set(coding, made)
    return made
  }
}
