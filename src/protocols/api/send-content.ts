// Sends the bytes of a file, with the conditions and ranges of RFC 9110 §13 and §14. A large file may hold a git process for as long as its
// client reads. So a gate limits how many are sent at once.

import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Gate } from '../../admission/gate.js'
import { selectSpan } from '../http/byte-range.js'
import { allowsRange, evaluate } from '../http/conditions.js'
import { ServiceError } from '../../model/errors.js'
import { type Content, MAX_PIECE_BYTES } from '../../model/bytes.js'
import type { ApiContext } from './request/request-state.js'

/** Sends the file; `now` is in seconds. Throws `precondition_failed`, and `service_busy` if too many large files are being sent. */
export async function sendContent(
  ctx: ApiContext,
  { mediaType, size, etag, open }: Content,
  { now, gate, workspaceId }: { now: number; gate: Gate; workspaceId: string },
): Promise<void> {
  const { headers } = ctx.req
  const validators = { tag: etag, lastModified: undefined }
  const fields = { ETag: etag, 'Accept-Ranges': 'bytes', 'X-Content-Type-Options': 'nosniff' }
  const outcome = evaluate(headers, validators, now)
  if (outcome === 'failed')
    throw new ServiceError(
      'precondition_failed',
      'The file has changed since you read it, or the entity tag is weak (W/).',
      { etag },
    )
  if (outcome === 'unmodified') {
    ctx.set(fields)
    ctx.status = 304
    return
  }
  const mayBePartial = ctx.method === 'GET' && allowsRange(headers['if-range'] as string | undefined, validators, now)
  const span = mayBePartial && headers.range !== undefined ? selectSpan(headers.range, size) : 'whole'
  if (span === 'unsatisfiable') {
    ctx.set({ ...fields, 'Content-Range': `bytes */${size}` })
    ctx.status = 416
    return
  }
  const { start, end } = span === 'whole' ? { start: 0, end: size } : span
  const giveBack = size > MAX_PIECE_BYTES ? await gate.enter(workspaceId) : undefined
  const body = Readable.from(open({ start, end }), { objectMode: false })
  if (giveBack !== undefined) body.once('close', giveBack)
  // Waits for the first bytes, so that a file that cannot be read gets an error answer.
  await once(body, 'readable')
  // Makes a browser save the file: content of a site must never run on the host of the API.
  ctx.set({ ...fields, 'Content-Type': mediaType, 'Content-Disposition': 'attachment' })
  ctx.status = span === 'whole' ? 200 : 206
  if (span !== 'whole') ctx.set('Content-Range', `bytes ${start}-${end - 1}/${size}`)
  // Koa destroys the body with the connection.
  ctx.body = body
  ctx.length = end - start
}
