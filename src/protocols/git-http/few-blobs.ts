// Answers the fetch of a few small files without git, as starting git would take longer than all the rest. A partial clone sends such a
// fetch for each file that it opens (docs/decisions/0035-plain-pushes.md).

import { FLUSH_PKT, pktLine, textOf } from '../../git/wire/pkt-lines.js'
import type { FetchServer, FetchSource } from '../../repository/disk/fetching/serve-fetch.js'
import type { FetchRequest } from './fetch-request.js'

/** Band for data of a pack (gitprotocol-common, side-band-64k). A line holds at most 65,516 bytes: the band and its data. */
const DATA_BAND = Buffer.from([1])
const BAND_BYTES = 65_515
/** Arguments with which the answer is only a pack of the wanted objects. */
const ARGUMENTS =
  /^(?:command=fetch|agent=.*|session-id=.*|object-format=sha1|want .*|done|thin-pack|no-progress|include-tag|ofs-delta|filter .*)$/

/** Returns the answer in protocol 2 to a request whose wants are all allowed; undefined if git must answer it. */
export async function fewBlobs(
  fetches: FetchServer,
  source: FetchSource,
  { lines, wants }: FetchRequest,
): Promise<Buffer | undefined> {
  const pack = asksForNoMore(lines) ? await fetches.packOfBlobs(source, [...new Set(wants)]) : undefined
  return pack && inBand(pack)
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
