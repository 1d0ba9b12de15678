// Git objects in memory.

import { createHash } from 'node:crypto'
import { ObjectCorrupt } from './errors.js'
import type { Oid } from './oid.js'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

export interface GitObject {
  type: ObjectType
  content: Buffer
}

/** An object that is about to be stored, with the id it will have. */
export interface NewObject extends GitObject {
  oid: Oid
  /** The object that this one is a new version of. If both are packed together, the old one is stored as a delta. */
  previous?: Oid
}

export function newObject(type: ObjectType, content: Buffer, previous?: Oid): NewObject {
  return { type, content, oid: hashObject(type, content), ...(previous !== undefined && { previous }) }
}

/** Returns the SHA-1 of type, size and content, as git-hash-object does. */
export function hashObject(type: ObjectType, content: Uint8Array): Oid {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}

/** Returns the object if its bytes match the id. Throws ObjectCorrupt. */
export function checkObject(oid: Oid, object: GitObject): GitObject {
  if (hashObject(object.type, object.content) === oid) return object
  throw new ObjectCorrupt(`object ${oid}`, 'its bytes have another id', oid)
}
