// Sends a task's input to its process through a pipe of its own, because Node's channel copies its messages twice or more. Bytes are sent
// from their place, and read into their place: a body of 30 MB is in memory once on each side.

import { readSync } from 'node:fs'
import type { Writable } from 'node:stream'
import v8 from 'node:v8'

/** The pipe's file descriptor in a task process: after standard input, output, error and Node's channel. */
const PIPE_FD = 4

/** The bytes of one input in the pipe: of the value, then of each array of bytes in it. */
export type InputLengths = readonly number[]

/** Starts to send, and returns the lengths that the process needs for reading. Throws if the value cannot be copied. */
export function sendInput(pipe: Writable, value: unknown): InputLengths {
  const serializer = new InputSerializer()
  serializer.writeHeader()
  serializer.writeValue(value)
  const parts = [serializer.releaseBuffer(), ...serializer.bytes]
  for (const part of parts) pipe.write(part)
  return parts.map(({ byteLength }) => byteLength)
}

/** Waits until all of it has come. An array of bytes arrives as a Buffer. */
export function readInput(lengths: InputLengths): unknown {
  const [value = Buffer.alloc(0), ...bytes] = lengths.map(readBytes)
  const deserializer = new InputDeserializer(value, bytes)
  deserializer.readHeader()
  return deserializer.readValue()
}

function readBytes(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  let have = 0
  while (have < length) {
    const read = readSync(PIPE_FD, bytes, have, length - have, null)
    if (read === 0) throw new Error('the service has closed the pipe')
    have += read
  }
  return bytes
}

/** The serializer with a method that Node documents, but its public types lack. */
const Serializer = v8.Serializer as new () => v8.Serializer & {
  _setTreatArrayBufferViewsAsHostObjects(flag: boolean): void
}

/** Writes each array of bytes as its number: Node treats them as host objects here. */
class InputSerializer extends Serializer {
  readonly bytes: Uint8Array[] = []

  constructor() {
    super()
    this._setTreatArrayBufferViewsAsHostObjects(true)
  }

  _writeHostObject(bytes: Uint8Array): void {
    this.writeUint32(this.bytes.push(bytes) - 1)
  }
}

class InputDeserializer extends v8.Deserializer {
  readonly #bytes: readonly Buffer[]

  constructor(value: Buffer, bytes: readonly Buffer[]) {
    super(value)
    this.#bytes = bytes
  }

  _readHostObject(): Buffer | undefined {
    return this.#bytes[this.readUint32()]
  }
}
