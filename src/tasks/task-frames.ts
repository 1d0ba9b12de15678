// What the service and a task process send each other, through a stream in each direction: values, each with the arrays of bytes in it
// behind it. These are sent from where they lie, and read into their place: a body of 30 MB is in memory once on each side.

import { readSync, writeSync } from 'node:fs'
import v8 from 'node:v8'

const NUMBER_BYTES = 4

/**
 * The bytes of a frame: how many parts it has, the length of each, and the parts, which are the value and each array of bytes in it. Throws
 * where the value cannot be copied.
 */
export function encodeFrame(value: unknown): Uint8Array[] {
  const serializer = new ValueSerializer()
  serializer.writeHeader()
  serializer.writeValue(value)
  const parts = [serializer.releaseBuffer(), ...serializer.bytes]
  const head = Buffer.alloc(NUMBER_BYTES * (1 + parts.length))
  head.writeUInt32LE(parts.length)
  for (const [at, { byteLength }] of parts.entries()) head.writeUInt32LE(byteLength, NUMBER_BYTES * (1 + at))
  return [head, ...parts]
}

/** Writes a frame, and waits until the stream has taken it. */
export function writeFrame(fd: number, value: unknown): void {
  for (const part of encodeFrame(value)) {
    for (let done = 0; done < part.byteLength; ) done += writeSync(fd, part, done)
  }
}

/** Waits for a frame, and answers its value; undefined where the stream has ended. An array of bytes comes as a Buffer. */
export function readFrame(fd: number): { value: unknown } | undefined {
  const frame = parseFrame()
  for (let next = frame.next(); ; next = frame.next()) {
    if (next.done === true) return next.value
    const wanted = next.value
    for (let have = 0; have < wanted.length; ) {
      const read = readSync(fd, wanted, have, wanted.length - have, null)
      if (read === 0) return undefined
      have += read
    }
  }
}

/** Finds the frames in what comes, in pieces of any size. */
export class FrameReader {
  #frame = parseFrame()
  #wanted = this.#frame.next()
  #have = 0

  /** The values that this piece completes. Throws where it is no part of a frame. */
  push(piece: Buffer): unknown[] {
    const values: unknown[] = []
    for (let at = 0; ; ) {
      if (this.#wanted.done === true) {
        values.push(this.#wanted.value.value)
        this.#begin(parseFrame())
      } else if (this.#have === this.#wanted.value.length) {
        this.#begin(this.#frame)
      } else if (at < piece.length) {
        const copied = piece.copy(this.#wanted.value, this.#have, at)
        this.#have += copied
        at += copied
      } else return values
    }
  }

  #begin(frame: ReturnType<typeof parseFrame>): void {
    this.#frame = frame
    this.#wanted = frame.next()
    this.#have = 0
  }
}

/** Hands out the buffers that the bytes of the frame are to fill, one after the other, and returns its value. */
function* parseFrame(): Generator<Buffer, { value: unknown }, void> {
  const count = Buffer.alloc(NUMBER_BYTES)
  yield count
  const lengths = Buffer.alloc(NUMBER_BYTES * count.readUInt32LE())
  yield lengths
  const [value = Buffer.alloc(0), ...bytes] = Array.from({ length: count.readUInt32LE() }, (_, at) =>
    Buffer.allocUnsafeSlow(lengths.readUInt32LE(NUMBER_BYTES * at)),
  )
  yield value
  yield* bytes
  const deserializer = new ValueDeserializer(value, bytes)
  deserializer.readHeader()
  return { value: deserializer.readValue() }
}

/** What Node documents beside the public types of these classes. */
const Serializer = v8.Serializer as new () => v8.Serializer & {
  _setTreatArrayBufferViewsAsHostObjects(flag: boolean): void
}

/** Arrays of bytes are what Node calls host objects here: each is written as its number. */
class ValueSerializer extends Serializer {
  readonly bytes: Uint8Array[] = []

  constructor() {
    super()
    this._setTreatArrayBufferViewsAsHostObjects(true)
  }

  _writeHostObject(bytes: Uint8Array): void {
    this.writeUint32(this.bytes.push(bytes) - 1)
  }
}

class ValueDeserializer extends v8.Deserializer {
  readonly #bytes: readonly Buffer[]

  constructor(value: Buffer, bytes: readonly Buffer[]) {
    super(value)
    this.#bytes = bytes
  }

  _readHostObject(): Buffer | undefined {
    return this.#bytes[this.readUint32()]
  }
}
