// Puts a field that is JSON already into an answer, as bytes: none of it is parsed or serialized again.

import type { LongField } from '../../usecases/context/result.js'

interface Envelope {
  success: true
  /** An object with at least one field, or a list of one such object. */
  data: unknown
}

/** Returns the JSON of the envelope, with the field as the last one of its `data`, or of the one entry of `data`. */
export function withLongField({ data, ...others }: Envelope, { name, json }: LongField): Buffer {
  const entry = JSON.stringify(Array.isArray(data) ? data[0] : data)
  const [open, close] = Array.isArray(data) ? ['[', ']'] : ['', '']
  const start = `${JSON.stringify(others).slice(0, -1)},"data":${open}${entry.slice(0, -1)},${JSON.stringify(name)}:`
  return Buffer.concat([Buffer.from(start), json, Buffer.from(`}${close}}`)])
}
