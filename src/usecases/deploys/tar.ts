// Reads a tar of regular files while it arrives (POSIX ustar). All other kinds of entries are refused. No entry is ever written to a path,
// and no header makes the service keep more than one block of 512 bytes.

import { ServiceError } from '../../model/errors.js'

export interface TarEntry {
  name: string
  size: number
  /** The reader must read these to the end before it asks for the next entry. */
  chunks: AsyncIterable<Buffer>
}

const BLOCK_BYTES = 512

/** Throws `invalid_body` for a bad header, an entry that is no regular file, and a tar that is cut short. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = new ByteReader(source)
  for (;;) {
    const header = await input.take(BLOCK_BYTES)
    // Two blocks of zeros end a tar; the rest is padding.
    if (header === undefined || header.every((byte) => byte === 0)) return input.drain()
    const { name, size } = parseHeader(header)
    let isRead = false
    yield {
      name,
      size,
      chunks: (async function* () {
        yield* input.stream(size)
        isRead = true
      })(),
    }
    if (!isRead) throw new Error('an entry of a tar was not read to its end')
    if (size % BLOCK_BYTES > 0) await input.take(BLOCK_BYTES - (size % BLOCK_BYTES))
  }
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (start: number, length: number) => header.toString('latin1', start, start + length).replace(/\0.*$/s, '')
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (Number.parseInt(text(148, 8).trim(), 8) !== sum) throw invalid('A header of the tar is damaged.')
  const name = text(0, 100).replace(/^\.\//, '')
  const type = text(156, 1)
  if (type !== '0' && type !== '')
    throw invalid(`The entry "${name}" is no regular file: send plain files (tar --format=ustar).`)
  const size = text(124, 12).trim()
  if (!/^[0-7]{1,11}$/.test(size)) throw invalid(`The size of the entry "${name}" cannot be read.`)
  return { name, size: Number.parseInt(size, 8) }
}

/** Takes bytes from chunks of any length. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns the next bytes; undefined at the end. */
  async take(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) {
        if (missing === length) return undefined
        throw invalid('The tar is cut short.')
      }
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts, length)
  }

  async *stream(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw invalid('The tar is cut short.')
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      yield part
    }
  }

  async drain(): Promise<void> {
    while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done !== true) this.#rest = value
    return done !== true
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_body', message)
}
