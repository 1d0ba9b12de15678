// Receives the bytes of bodies: no more at a time than there is memory for, and not from clients that hardly send.

import type { IncomingMessage } from 'node:http'
import type { MemoryShare } from '../../../admission/memory-budget.js'
import { waited } from '../../../admission/waits.js'
import { ServiceError } from '../../../model/errors.js'
import type { Limits } from '../../../model/limits.js'
import type { HoldBytes } from '../../../usecases/context/request-context.js'

/** Bytes that a body of unknown length may have before more memory is taken. */
const FIRST_BYTES = 64 * 1024
/** Milliseconds of each window in which the least rate must hold. */
const WINDOW_MS = 5000
/** Each part costs some microseconds, however short: past this number, parts must have MIN_PART_BYTES on average. */
const MAX_SHORT_PARTS = 10_000
const MIN_PART_BYTES = 16

/** Bytes in memory at a time of a body that is not kept there. */
const STREAMED_BYTES = 2 * 1024 * 1024

/** Returns the bytes of the body, at most `limit`. Throws `payload_too_large`, `service_busy`, `body_too_slow` and `invalid_body`. */
export type ReceiveBody = (limit: number) => Promise<Buffer>

/** Returns the body in parts, as they arrive, for callers that keep none of them in memory. Throws as ReceiveBody does. */
export type StreamBody = (limit: number) => AsyncGenerator<Buffer>

export class BodyReceiver {
  readonly #memory: MemoryShare
  readonly #minWindowBytes: number

  constructor(memory: MemoryShare, { minBytesPerSecond }: Pick<Limits, 'minBytesPerSecond'>) {
    this.#memory = memory
    this.#minWindowBytes = (minBytesPerSecond * WINDOW_MS) / 1000
  }

  /**
   * Runs `work`, which may receive the body of the request. The body counts as held by `holder` until `work` has ended, because data made
   * of it is in memory until then. The bytes that `work` holds count too, up to the share of one holder.
   */
  async during<T>(
    request: IncomingMessage,
    holder: string,
    work: (receive: ReceiveBody, stream: StreamBody, hold: HoldBytes) => Promise<T>,
  ): Promise<T> {
    let held = 0
    let isOver = false
    const receiveInto = async (bytes: number) => {
      if (!(await this.#memory.takeSoon(holder, bytes))) throw this.#memory.refuse()
      held += bytes
    }
    const hold: HoldBytes = async (wished, areMade) => {
      const bytes = Math.min(wished, this.#memory.half - held)
      if (bytes <= 0 || isOver) return
      const take = areMade === 'made' ? 'reserveLoaded' : 'takeSoon'
      if (!(await this.#memory[take](holder, bytes))) throw this.#memory.refuse()
      if (isOver) this.#memory.give(holder, bytes)
      else held += bytes
    }
    try {
      return await work(
        (limit) => receive(request, limit, receiveInto, this.#minWindowBytes),
        (limit) => stream(request, limit, receiveInto, this.#minWindowBytes),
        hold,
      )
    } finally {
      isOver = true
      this.#memory.give(holder, held)
    }
  }
}

/** Copies the bytes as they arrive: as a list of short chunks, a body would need many times its size. */
async function receive(
  request: IncomingMessage,
  limit: number,
  hold: (bytes: number) => Promise<void>,
  minWindowBytes: number,
): Promise<Buffer> {
  const declared = declaredLength(request, limit)
  let room = Buffer.alloc(0)
  let size = 0
  const grow = async (bytes: number) => {
    await hold(bytes - room.length)
    const larger = Buffer.allocUnsafeSlow(bytes)
    room.copy(larger, 0, 0, size)
    room = larger
  }
  await grow(declared ?? Math.min(FIRST_BYTES, limit))
  for await (const part of partsOf(request, limit, minWindowBytes)) {
    const needed = size + part.length
    if (needed > room.length) await grow(Math.min(Math.max(2 * room.length, needed), limit))
    size += part.copy(room, size)
  }
  return room.subarray(0, size)
}

async function* stream(
  request: IncomingMessage,
  limit: number,
  hold: (bytes: number) => Promise<void>,
  minWindowBytes: number,
): AsyncGenerator<Buffer> {
  const declared = declaredLength(request, limit)
  await hold(Math.min(declared ?? STREAMED_BYTES, STREAMED_BYTES))
  yield* partsOf(request, limit, minWindowBytes)
}

function declaredLength(request: IncomingMessage, limit: number): number | undefined {
  const declared = request.headers['content-length']
  if (Number(declared ?? 0) > limit) throw tooLarge(limit)
  return declared === undefined ? undefined : Number(declared)
}

/** Yields the parts of the body. Does not destroy a refused request: `limitUnread` takes care of its unread bytes. */
async function* partsOf(request: IncomingMessage, limit: number, minWindowBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  let parts = 0
  let window = { endsAt: performance.now() + WINDOW_MS, size }
  while (!request.readableEnded) {
    const part = request.read() as Buffer | null
    if (part === null) {
      await waited('body', somethingNew(request, window.endsAt))
    } else {
      size += part.length
      if (size > limit) throw tooLarge(limit)
      yield part
      if (++parts > MAX_SHORT_PARTS && size < parts * MIN_PART_BYTES) throw tooManyParts()
    }
    if (performance.now() >= window.endsAt) {
      if (size - window.size < minWindowBytes) throw tooSlow()
      window = { endsAt: performance.now() + WINDOW_MS, size }
    }
  }
}

/** Resolves when there is more to read, at the end of the body, and at `until` (of `performance.now()`). Throws `invalid_body`. */
function somethingNew(request: IncomingMessage, until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(late)
      request.off('readable', settle).off('end', settle).off('error', settle).off('close', settle)
      if (request.destroyed && !request.readableEnded) reject(cutShort())
      else resolve()
    }
    const late = setTimeout(settle, until - performance.now())
    request.on('readable', settle).on('end', settle).on('error', settle).on('close', settle)
    if (request.destroyed) settle()
  })
}

export function tooLarge(limit: number): ServiceError {
  return new ServiceError('payload_too_large', `The body is larger than ${limit} bytes.`, { maximum: limit })
}

function tooSlow(): ServiceError {
  return new ServiceError('body_too_slow', 'The body arrived too slowly. Send it again over a faster connection.')
}

function tooManyParts(): ServiceError {
  return new ServiceError('invalid_body', 'The body comes in chunks of a few bytes: send longer ones.')
}

function cutShort(): ServiceError {
  return new ServiceError('invalid_body', 'The connection ended before the whole body had arrived.')
}
