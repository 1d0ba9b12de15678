// Puts a field that is JSON already into an answer, as bytes: nothing of it is parsed or written again.

import type { LongField } from '../usecases/context/result.js'

interface Envelope {
  success: true
  /** An object with a field at least, or a list of one. */
  data: unknown
}

/** The JSON of the envelope, with the field as the last one of its `data`, or of the one entry of that. */
export function withLongField({ data, ...others }: Envelope, { name, json }: LongField): Buffer {
  const entry = JSON.stringify(Array.isArray(data) ? data[0] : data)
  const [open, close] = Array.isArray(data) ? ['[', ']'] : ['', '']
  const start = `${JSON.stringify(others).slice(0, -1)},"data":${open}${entry.slice(0, -1)},${JSON.stringify(name)}:`
  return Buffer.concat([Buffer.from(start), json, Buffer.from(`}${close}}`)])
}
