// Puts the objects of a draft into memory that threads share: handing over thousands of them costs nothing, and none is copied.

import type { NewObject, ObjectType } from '../../git/objects/object.js'

const TYPES: readonly ObjectType[] = ['commit', 'tree', 'blob', 'tag']
const OID_BYTES = 20
/** Before each content stand its oid, its type, and its length in four bytes. */
const HEAD_BYTES = OID_BYTES + 1 + 4

export function shareObjects(objects: readonly NewObject[]): SharedArrayBuffer {
  const length = objects.reduce((sum, { content }) => sum + HEAD_BYTES + content.length, 0)
  const shared = new SharedArrayBuffer(length)
  const bytes = Buffer.from(shared)
  let at = 0
  for (const { oid, type, content } of objects) {
    at += bytes.write(oid, at, 'hex')
    at = bytes.writeUInt8(TYPES.indexOf(type), at)
    at = bytes.writeUInt32BE(content.length, at)
    at += content.copy(bytes, at)
  }
  return shared
}

/** Returns the objects. Their contents are views of the shared memory: never write to them. */
export function openShared(shared: SharedArrayBuffer): NewObject[] {
  const bytes = Buffer.from(shared)
  const objects: NewObject[] = []
  for (let at = 0; at < bytes.length; ) {
    const oid = bytes.toString('hex', at, at + OID_BYTES)
    const type = TYPES[bytes.readUInt8(at + OID_BYTES)] ?? 'blob'
    const start = at + HEAD_BYTES
    at = start + bytes.readUInt32BE(start - 4)
    objects.push({ oid, type, content: bytes.subarray(start, at) })
  }
  return objects
}
