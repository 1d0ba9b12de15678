// Pkt-lines: the framing of git's protocols (gitprotocol-common, "pkt-line Format").

/** Size of one pkt-line, including its length field. */
const MAX_PKT_LINE_BYTES = 65_520
const LENGTH_BYTES = 4

export const FLUSH_PKT = Buffer.from('0000')
export const DELIMITER_PKT = Buffer.from('0001')

/** A payload, or a special packet without one. */
export type PktLine = Buffer | 'flush' | 'delimiter' | 'response-end'

const SPECIAL: Readonly<Record<string, Exclude<PktLine, Buffer>>> = {
  '0000': 'flush',
  '0001': 'delimiter',
  '0002': 'response-end',
}

/** Thrown if the bytes are no pkt-lines, or end within one. */
export class MalformedPktLine extends Error {
  override name = 'MalformedPktLine'
}

/** Encodes one pkt-line. A text is sent unchanged: lines of a protocol end with a line feed. */
export function pktLine(payload: string | Buffer): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  return Buffer.concat([Buffer.from(digitsFor(bytes.length)), bytes])
}

/** Encodes many texts as one pkt-line each, in a fraction of the time. */
export function pktLines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => digitsFor(Buffer.byteLength(text)) + text).join(''))
}

function digitsFor(bytes: number): string {
  const length = bytes + LENGTH_BYTES
  if (length > MAX_PKT_LINE_BYTES) throw new MalformedPktLine(`a pkt-line cannot hold ${bytes} bytes`)
  return length.toString(16).padStart(LENGTH_BYTES, '0')
}

/** Returns the text of a payload without the line feed at its end. */
export function textOf(payload: Buffer): string {
  return payload.toString().replace(/\n$/, '')
}

function lengthOf(digits: string): number {
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
  if (length >= LENGTH_BYTES && length <= MAX_PKT_LINE_BYTES) return length
  throw new MalformedPktLine(`${JSON.stringify(digits)} is not the length of a pkt-line`)
}

/** Reads pkt-lines from a stream, and then, if a protocol says so, the bytes after them. It holds one chunk and one pkt-line. */
export class PktLineReader {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Reads the next pkt-line; undefined at the end of the stream. Rejects with MalformedPktLine, and with errors of the stream. */
  async next(): Promise<PktLine | undefined> {
    if (!(await this.#hold(LENGTH_BYTES))) {
      if (this.#held.length === 0) return undefined
      throw new MalformedPktLine('the stream ends within a pkt-line')
    }
    const digits = this.#take(LENGTH_BYTES).toString('latin1')
    const special = SPECIAL[digits]
    if (special !== undefined) return special
    const length = lengthOf(digits)
    if (!(await this.#hold(length - LENGTH_BYTES))) throw new MalformedPktLine('the stream ends within a pkt-line')
    return this.#take(length - LENGTH_BYTES)
  }

  /** Skips payloads that have arrived completely, up to any other packet, without waiting. Returns the count. Throws MalformedPktLine. */
  skipHeld(): number {
    let [at, count] = [0, 0]
    for (; at + LENGTH_BYTES <= this.#held.length; count++) {
      const digits = this.#held.toString('latin1', at, at + LENGTH_BYTES)
      if (SPECIAL[digits] !== undefined) break
      const length = lengthOf(digits)
      if (at + length > this.#held.length) break
      at += length
    }
    this.#take(at)
    return count
  }

  /** Yields the bytes after the pkt-line that was read last. */
  async *rest(): AsyncGenerator<Buffer, void> {
    if (this.#held.length > 0) yield this.#take(this.#held.length)
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done === true) return
      yield value
    }
  }

  /** Waits until that many bytes are held; false if the stream ends before. */
  async #hold(bytes: number): Promise<boolean> {
    while (this.#held.length < bytes) {
      const { done, value } = await this.#source.next()
      if (done === true) return false
      this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
    }
    return true
  }

  #take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return taken
  }
}
