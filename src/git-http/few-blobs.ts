// Answers the fetch of a few small files, which a partial clone sends for each file that it looks at: to start git for it takes longer than
// all the rest (docs/decisions/0035-plain-pushes.md).

import { ObjectCorrupt, ObjectMissing } from '../git/objects/errors.js'
import type { NewObject } from '../git/objects/object.js'
import type { ObjectReader } from '../git/storage/object-reader.js'
import { encodePack } from '../git/storage/pack-writer.js'
import { FLUSH_PKT, pktLine, textOf } from '../git/wire/pkt-lines.js'
import type { FetchRequest } from './fetch-request.js'

/** Reading and packing them keeps the thread for some milliseconds at most. */
const MAX_BLOBS = 50
const MAX_BYTES = 256 * 1024
/** Data of a pack (gitprotocol-common, side-band-64k); a line holds at most 65,516 bytes of it and its band. */
const DATA_BAND = Buffer.from([1])
const BAND_BYTES = 65_515
/** Nothing that makes the answer more than a pack of what is wanted. */
const ARGUMENTS =
  /^(?:command=fetch|agent=.*|session-id=.*|object-format=sha1|want .*|done|thin-pack|no-progress|include-tag|ofs-delta|filter .*)$/

/**
 * The answer in protocol 2 to a request of which all wants may be had; undefined where git is to answer it: for more, for other
 * objects than blobs, and where one cannot be read.
 */
export async function fewBlobs(objects: ObjectReader, { lines, wants }: FetchRequest): Promise<Buffer | undefined> {
  const oids = [...new Set(wants)]
  if (oids.length > MAX_BLOBS || !asksForNoMore(lines)) return undefined
  try {
    const headers = oids.map((oid) => objects.readHeader(oid))
    const bytes = headers.reduce((sum, { size }) => sum + size, 0)
    if (bytes > MAX_BYTES || headers.some(({ type }) => type !== 'blob')) return undefined
    const blobs: NewObject[] = []
    for (const oid of oids) blobs.push({ oid, type: 'blob', content: await objects.loadBlob(oid) })
    return inBand(encodePack(blobs).pack)
  } catch (error) {
    if (error instanceof ObjectMissing || error instanceof ObjectCorrupt) return undefined
    throw error
  }
}

function asksForNoMore(lines: FetchRequest['lines']): boolean {
  const texts = lines.filter((line) => Buffer.isBuffer(line)).map(textOf)
  return texts.includes('done') && texts.every((text) => ARGUMENTS.test(text))
}

function inBand(pack: Buffer): Buffer {
  const pieces = [pktLine('packfile\n')]
  for (let at = 0; at < pack.length; at += BAND_BYTES)
    pieces.push(pktLine(Buffer.concat([DATA_BAND, pack.subarray(at, at + BAND_BYTES)])))
  return Buffer.concat([...pieces, FLUSH_PKT])
}
