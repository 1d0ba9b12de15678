// Joins small packs into one, with their entries unchanged. A repository with hundreds of packs is slow to read, and each file needs its
// own sync.

import { createHash } from 'node:crypto'
import { ObjectCorrupt } from '../objects/errors.js'
import { entriesOfIndex } from '../storage/pack-index.js'
import { encodeIndex, type EncodedPack, type PackedEntry, packHeader } from '../storage/pack-writer.js'

const HEADER_BYTES = 12
const CHECKSUM_BYTES = 20

/** Returns as few packs as possible if none may hold an object twice. Throws ObjectCorrupt for bytes that do not match the pack's id. */
export function joinPacks(packs: readonly EncodedPack[]): EncodedPack[] {
  const joined: EncodedPack[] = []
  let oids = new Set<string>()
  let some: EncodedPack[] = []
  const join = () => {
    if (some.length > 0) joined.push(joinDistinct(some))
    oids = new Set()
    some = []
  }
  for (const each of packs) {
    assertWhole(each)
    const own = entriesOfIndex(each.index).map(({ oid }) => oid)
    if (own.some((oid) => oids.has(oid))) join()
    for (const oid of own) oids.add(oid)
    some.push(each)
  }
  join()
  return joined
}

/** Joins packs without common objects. All entries of a pack move by the same distance, so deltas by distance stay valid. */
function joinDistinct(packs: readonly EncodedPack[]): EncodedPack {
  const [first] = packs
  if (first !== undefined && packs.length === 1) return first
  const entries: PackedEntry[] = []
  const bodies: Buffer[] = []
  let at = HEADER_BYTES
  for (const { pack, index } of packs) {
    for (const { oid, crc, offset } of entriesOfIndex(index))
      entries.push({ oid: Buffer.from(oid, 'hex'), crc, offset: at + offset - HEADER_BYTES })
    const body = pack.subarray(HEADER_BYTES, -CHECKSUM_BYTES)
    bodies.push(body)
    at += body.length
  }
  const bytes = [packHeader(entries.length), ...bodies]
  const checksum = sha1(bytes)
  return {
    id: checksum.toString('hex'),
    pack: Buffer.concat([...bytes, checksum]),
    index: encodeIndex(entries, checksum),
  }
}

function assertWhole({ id, pack }: EncodedPack): void {
  if (sha1([pack.subarray(0, -CHECKSUM_BYTES)]).toString('hex') !== id)
    throw new ObjectCorrupt(`pack ${id}`, 'its bytes have another checksum')
}

function sha1(pieces: readonly Buffer[]): Buffer {
  const hash = createHash('sha1')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}
