// Writes a batch's objects as one pack with its index (gitformat-pack, version 2 of both). Installs them so that neither a crash nor
// an operator's gc removes part of it.

import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { encodeDelta } from './delta.js'
import { syncDirectory, syncFile, writeFilesDurable } from '../disk/durable.js'
import type { NewObject, ObjectType } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import { linkOwner, removeQuietly, scratchPath } from '../disk/scratch.js'

const TYPE_NUMBERS: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 }
/** Deflating a larger tree would cost more than the rest of a publish, and the tree changes with the next one anyway. */
const STORED_TREE_BYTES = 64 * 1024
/** Deflating larger pages would keep other sites waiting. */
const STORED_BYTES = 1024 * 1024
/** Deflating less would save less than a block of the disk. */
const SMALL_BYTES = 512
/** zlib's own piece of 16 KiB for each of thousands of small objects would keep the garbage collector busy. */
const MAX_DEFLATE_PIECE_BYTES = 256 * 1024
const OFS_DELTA = 6
/** From here on offsets do not fit the 31 bits of an index's first table. */
const FAR_OFFSET = 0x80000000
/** Depth of deltas on deltas: a chain this long is still quick to read. */
const MAX_DEPTH = 32
const NOTHING = Buffer.alloc(0)

export interface EncodedPack {
  /** Checksum of the pack in hex, which names its files. */
  id: string
  pack: Buffer
  index: Buffer
}

/** An installed pack. Neither call throws: a file that cannot be removed is removed when the repository is opened next. */
export interface InstalledPack {
  /** Call when the batch is published: a repack may take the pack. */
  release(): void
  /** Removes the pack of a batch that lost its race: nothing points to it. */
  discard(): void
}

export interface PackedEntry {
  oid: Buffer
  offset: number
  crc: number
}

/** One object as it is stored in the pack: in full, or as a delta on an object before it. */
interface Packed {
  object: NewObject
  base: NewObject | undefined
  bytes: Buffer
}

/** Encodes a pack. The newest of several versions of a folder is stored in full, and each older one as a delta on the next. */
export function encodePack(objects: readonly NewObject[]): EncodedPack {
  const packed = packNewestFirst(objects)
  const header = packHeader(packed.length)
  const pieces: Buffer[] = [header]
  const offsets = new Map<Oid, number>()
  const entries: PackedEntry[] = []
  let offset = header.length
  for (const { object, base, bytes } of packed) {
    const head = entryHeader(base === undefined ? object.type : 'delta', bytes.length)
    const back = base === undefined ? NOTHING : encodeOffset(offset - (offsets.get(base.oid) ?? 0))
    const body = compress(object, bytes)
    offsets.set(object.oid, offset)
    entries.push({ oid: Buffer.from(object.oid, 'hex'), offset, crc: crc32(body, crc32(back, crc32(head))) })
    pieces.push(head, back, body)
    offset += head.length + back.length + body.length
  }
  const checksum = sha1(pieces)
  return {
    id: checksum.toString('hex'),
    pack: Buffer.concat([...pieces, checksum]),
    index: encodeIndex(entries, checksum),
  }
}

function packNewestFirst(objects: readonly NewObject[]): Packed[] {
  const distinct = [...new Map(objects.map((object) => [object.oid, object])).values()].toReversed()
  const known = new Map(distinct.map((object) => [object.oid, object]))
  /** By the oid of the old version: the new version, which comes before it in this pack. */
  const newer = new Map<Oid, NewObject>()
  const depths = new Map<Oid, number>()
  return distinct.map((object) => {
    const base = newer.get(object.oid)
    const depth = base === undefined ? 0 : (depths.get(base.oid) ?? 0) + 1
    const delta = base === undefined || depth > MAX_DEPTH ? undefined : encodeDelta(base.content, object.content)
    depths.set(object.oid, delta === undefined ? 0 : depth)
    if (object.previous !== undefined && known.has(object.previous)) newer.set(object.previous, object)
    return { object, base: delta && base, bytes: delta ?? object.content }
  })
}

/** Compresses an entry. git reads any level. */
function compress({ type }: NewObject, bytes: Buffer): Buffer {
  const { length } = bytes
  const isStored = length <= SMALL_BYTES || length > (type === 'tree' ? STORED_TREE_BYTES : STORED_BYTES)
  return deflateSync(bytes, {
    level: isStored ? 0 : 1,
    chunkSize: Math.min(length + SMALL_BYTES, MAX_DEFLATE_PIECE_BYTES),
  })
}

/** Encodes the distance from a delta back to its base (gitformat-pack: each digit but the last has one added). */
function encodeOffset(distance: number): Buffer {
  const bytes = [distance % 128]
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    bytes.unshift((rest % 128) | 0x80)
  }
  return Buffer.from(bytes)
}

/** Puts the pack into `objects/pack`; durable when it returns. */
export function installPack(gitdir: string, { id, pack, index }: EncodedPack): InstalledPack {
  return install(gitdir, id, (temporary) =>
    writeFilesDurable([
      [`${temporary}.pack`, pack],
      [`${temporary}.idx`, index],
    ]),
  )
}

/**
 * Does the same for a durable pack outside of the repository, in `<path>.pack` and `<path>.idx`. The writer does not read its
 * bytes. The files stay where they are.
 */
export function installPackFiles(gitdir: string, { id, path }: { id: string; path: string }): InstalledPack {
  return install(gitdir, id, (temporary) => {
    for (const ending of ['pack', 'idx']) linkOrCopy(`${path}.${ending}`, `${temporary}.${ending}`)
  })
}

/**
 * Installs a pack. The order matters: first `.keep`, or git could remove the rest; then the pack; then the index, which points into it. One
 * sync of the folder serves all of them. `make` makes durable files `<temporary>.pack` and `<temporary>.idx`.
 */
function install(gitdir: string, id: string, make: (temporary: string) => void): InstalledPack {
  const temporary = scratchPath(gitdir, 'pack')
  const folder = join(gitdir, 'objects', 'pack')
  const final = join(folder, `pack-${id}`)
  // The same pack may exist and be in use: writing it again repairs it, and only a new one may be removed again.
  const isNew = !existsSync(`${final}.idx`)
  let isKept = false
  const release = () => removeQuietly(...(isKept ? [`${final}.keep`] : []))
  const discard = () => {
    if (isNew) removeQuietly(`${final}.idx`, `${final}.pack`)
    release()
  }
  try {
    isKept = keep(gitdir, `${final}.keep`)
    make(temporary)
    move(`${temporary}.pack`, `${final}.pack`)
    move(`${temporary}.idx`, `${final}.idx`)
    syncDirectory(folder)
  } catch (error) {
    removeQuietly(`${temporary}.pack`, `${temporary}.idx`)
    discard()
    throw error
  }
  return { discard, release }
}

/** Renames a file. Also removes the old name if both were links to one file: rename(2) then keeps both. */
function move(from: string, to: string): void {
  const isReplaced = existsSync(to)
  renameSync(from, to)
  if (isReplaced) removeQuietly(from)
}

/** Links a file, or copies it: a repository may be on another file system than the data directory. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    copyFileSync(from, to)
    syncFile(to)
  }
}

/** Makes a `.keep`. False if the pack already has one: an operator's, which stays. */
function keep(gitdir: string, path: string): boolean {
  try {
    linkOwner(gitdir, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Returns the start of a pack of `count` objects. */
export function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  return header
}

/** Encodes type and size of an entry in git's variable length. */
export function entryHeader(type: ObjectType | 'delta', size: number): Buffer {
  const bytes: number[] = []
  let byte = ((type === 'delta' ? OFS_DELTA : TYPE_NUMBERS[type]) << 4) | (size & 15)
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80)
    byte = rest % 128
  }
  bytes.push(byte)
  return Buffer.from(bytes)
}

/** Encodes the index. Offsets above 2 GiB are in a table of 64-bit offsets, which the first table points into. */
export function encodeIndex(entries: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.oid, b.oid))
  const fanout = Buffer.alloc(256 * 4)
  for (let byte = 0, count = 0; byte < 256; byte++) {
    while (count < sorted.length && (sorted[count]?.oid[0] ?? 0) <= byte) count++
    fanout.writeUInt32BE(count, byte * 4)
  }
  const crcs = Buffer.alloc(sorted.length * 4)
  const offsets = Buffer.alloc(sorted.length * 4)
  const far: Buffer[] = []
  for (const [i, { crc, offset }] of sorted.entries()) {
    crcs.writeUInt32BE(crc, i * 4)
    offsets.writeUInt32BE(offset < FAR_OFFSET ? offset : FAR_OFFSET + far.push(bigOffset(offset)) - 1, i * 4)
  }
  const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2])
  const pieces = [magic, fanout, ...sorted.map(({ oid }) => oid), crcs, offsets, ...far, packChecksum]
  return Buffer.concat([...pieces, sha1(pieces)])
}

function bigOffset(offset: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(offset))
  return bytes
}

function sha1(pieces: readonly Buffer[]): Buffer {
  const hash = createHash('sha1')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}
