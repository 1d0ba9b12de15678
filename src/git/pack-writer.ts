// A batch's objects as one pack with its index (gitformat-pack, version 2 of both), put in place so that neither a
// crash nor an operator's gc can take part of it away.

import { createHash } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { syncDirectory, writeFileDurable } from './durable.js'
import type { NewObject, ObjectType } from './object.js'
import { linkMark, makeScratch, removeQuietly, scratchPath } from './scratch.js'

const TYPE_NUMBERS: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 }
/** Deflating a big tree costs more than all the rest of a publish; it changes with the next one anyway. */
const STORED_TREE_BYTES = 64 * 1024

export interface EncodedPack {
  /** The pack's checksum in hex, which names its files. */
  id: string
  pack: Buffer
  index: Buffer
}

/** Neither call throws: what cannot be removed goes when the repository is opened next. */
export interface InstalledPack {
  /** The batch is published: repacking may have the pack. */
  release(): void
  /** The batch lost its race: nothing points to the pack, so it goes. */
  discard(): void
}

interface PackedEntry {
  oid: Buffer
  offset: number
  crc: number
}

/** The deflate level for an object; git reads any. */
function levelOf({ type, content }: NewObject): number {
  return type === 'tree' && content.length > STORED_TREE_BYTES ? 0 : 1
}

export function encodePack(objects: readonly NewObject[], level: (object: NewObject) => number = levelOf): EncodedPack {
  const distinct = [...new Map(objects.map((object) => [object.oid, object])).values()]
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(distinct.length, 8)
  const pieces: Buffer[] = [header]
  const entries: PackedEntry[] = []
  let offset = header.length
  for (const object of distinct) {
    const head = entryHeader(TYPE_NUMBERS[object.type], object.content.length)
    const body = deflateSync(object.content, { level: level(object) })
    entries.push({ oid: Buffer.from(object.oid, 'hex'), offset, crc: crc32(body, crc32(head)) })
    pieces.push(head, body)
    offset += head.length + body.length
  }
  const checksum = sha1(pieces)
  return {
    id: checksum.toString('hex'),
    pack: Buffer.concat([...pieces, checksum]),
    index: encodeIndex(entries, checksum),
  }
}

/**
 * Puts the pack into `objects/pack`; durable when it returns. The order matters: `.keep` before anything git could
 * remove, the pack before the index that points into it, then one sync of the folder for all of them.
 */
export function installPack(gitdir: string, { id, pack, index }: EncodedPack): InstalledPack {
  makeScratch(gitdir)
  const temporary = scratchPath(gitdir, 'pack')
  const folder = join(gitdir, 'objects', 'pack')
  const final = join(folder, `pack-${id}`)
  // The very same pack may be there and in use: writing it again mends it, and only what is new may go again.
  const isNew = !existsSync(`${final}.idx`)
  let isKept = false
  const release = () => removeQuietly(...(isKept ? [`${final}.keep`] : []))
  const discard = () => {
    if (isNew) removeQuietly(`${final}.idx`, `${final}.pack`)
    release()
  }
  try {
    writeFileDurable(`${temporary}.pack`, pack)
    writeFileDurable(`${temporary}.idx`, index)
    isKept = keep(gitdir, `${final}.keep`)
    renameSync(`${temporary}.pack`, `${final}.pack`)
    renameSync(`${temporary}.idx`, `${final}.idx`)
    syncDirectory(folder)
  } catch (error) {
    removeQuietly(`${temporary}.pack`, `${temporary}.idx`)
    discard()
    throw error
  }
  return { discard, release }
}

/** False when the pack has a `.keep` already: an operator's, which stays. */
function keep(gitdir: string, path: string): boolean {
  try {
    linkMark(gitdir, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Type and size in git's variable length. */
function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = []
  let byte = (type << 4) | (size & 15)
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80)
    byte = rest % 128
  }
  bytes.push(byte)
  return Buffer.from(bytes)
}

/** Batches stay far below 2 GiB, so no entry needs the table of 64-bit offsets. */
function encodeIndex(entries: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.oid, b.oid))
  const fanout = Buffer.alloc(256 * 4)
  for (let byte = 0, count = 0; byte < 256; byte++) {
    while (count < sorted.length && (sorted[count]?.oid[0] ?? 0) <= byte) count++
    fanout.writeUInt32BE(count, byte * 4)
  }
  const crcs = Buffer.alloc(sorted.length * 4)
  const offsets = Buffer.alloc(sorted.length * 4)
  for (const [i, { crc, offset }] of sorted.entries()) {
    crcs.writeUInt32BE(crc, i * 4)
    offsets.writeUInt32BE(offset, i * 4)
  }
  const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2])
  const pieces = [magic, fanout, ...sorted.map(({ oid }) => oid), crcs, offsets, packChecksum]
  return Buffer.concat([...pieces, sha1(pieces)])
}

function sha1(pieces: readonly Buffer[]): Buffer {
  const hash = createHash('sha1')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}
