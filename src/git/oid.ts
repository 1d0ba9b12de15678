// Object ids: the SHA-1 of an object's type, size and content (gitformat: "objects").

import { createHash } from 'node:crypto'
import type { ObjectType } from './object.js'

/** 40 lower-case hex digits. */
export type Oid = string

export function hashObject(type: ObjectType, content: Uint8Array): Oid {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}
