// Sends the packs of an entry to the log and back, in pieces: a large pack in a single value would end the process.

import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFilesDurable } from '../../git/disk/durable.js'
import { ObjectCorrupt } from '../../git/objects/errors.js'
import { joinPacks } from '../../git/streams/join-packs.js'
import type { EncodedPack } from '../../git/storage/pack-writer.js'
import type { PackToInstall } from '../../repository/protocol/write.js'
import type { LoggedPack, PackedBatch } from './logged-pack.js'
import type { SiteLog } from './site-log.js'

export const PIECE_BYTES = 256 * 1024
const CHECKSUM_BYTES = 20

/** The packs that the log gets for an entry. */
export interface SentPacks {
  packs: LoggedPack[]
  /** The bytes of the one small pack and its index if they go with the entry; undefined if they were sent in pieces. */
  piece: Buffer | undefined
}

/** Returns one small pack to go with its entry. Sends other packs now in pieces, each in a transaction of its own. */
export async function sendPacks(
  log: SiteLog,
  batch: string,
  encoded: EncodedPack | undefined,
  files: readonly PackToInstall[],
): Promise<SentPacks> {
  if (encoded !== undefined && files.length === 0) {
    const piece = Buffer.concat([encoded.pack, encoded.index])
    if (piece.length <= PIECE_BYTES) return { packs: [loggedPack(encoded)], piece }
  }
  await log.stage(batch)
  const packs: LoggedPack[] = []
  for (const file of files) packs.push(await sendFiles(log, batch, packs.length, file))
  if (encoded !== undefined) {
    const bytes = Buffer.concat([encoded.pack, encoded.index])
    for (let number = 0; number * PIECE_BYTES < bytes.length; number++)
      await log.addPiece(batch, packs.length, number, bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES))
    packs.push(loggedPack(encoded))
  }
  return { packs, piece: undefined }
}

export function loggedPack({ id, pack, index }: EncodedPack): LoggedPack {
  return { id, bytes: pack.length, indexBytes: index.length }
}

async function sendFiles(log: SiteLog, batch: string, pack: number, { id, path }: PackToInstall): Promise<LoggedPack> {
  const sizes: number[] = []
  let number = 0
  for (const ending of ['pack', 'idx']) {
    const file = await open(`${path}.${ending}`)
    try {
      const { size } = await file.stat()
      sizes.push(size)
      for (let at = 0; at < size; at += PIECE_BYTES) {
        const bytes = Buffer.alloc(Math.min(PIECE_BYTES, size - at))
        await file.read(bytes, 0, bytes.length, at)
        await log.addPiece(batch, pack, number++, bytes)
      }
    } finally {
      await file.close()
    }
  }
  const [bytes = 0, indexBytes = 0] = sizes
  return { id, bytes, indexBytes }
}

/** Writes the packs of an entry durably into a folder. Throws ObjectCorrupt if the bytes differ from those that were sent. */
export async function receivePacks(
  log: SiteLog,
  { batch, packs }: PackedBatch,
  folder: string,
): Promise<PackToInstall[]> {
  const received: PackToInstall[] = []
  mkdirSync(folder, { recursive: true })
  for (const [number, pack] of packs.entries()) {
    const path = join(folder, `${batch}-${number}`)
    await receivePack(log, batch, number, pack, path)
    received.push({ id: pack.id, path, bytes: pack.bytes })
  }
  return received
}

/** Receives the packs of many entries, and joins their small packs into few. */
export async function receiveJoined(
  log: SiteLog,
  entries: readonly PackedBatch[],
  folder: string,
): Promise<PackToInstall[]> {
  const { small, others } = await fetchSmall(log, entries)
  const received: PackToInstall[] = []
  for (const entry of others) received.push(...(await receivePacks(log, entry, folder)))
  if (small.length === 0) return received
  mkdirSync(folder, { recursive: true })
  for (const { id, pack, index } of joinPacks(small)) {
    const path = join(folder, id)
    writeFilesDurable([
      [`${path}.pack`, pack],
      [`${path}.idx`, index],
    ])
    received.push({ id, path, bytes: pack.length })
  }
  return received
}

/** Fetches the packs that went with their entries. Returns as `others` the entries that have more: files are sent piece by piece. */
async function fetchSmall(
  log: SiteLog,
  entries: readonly PackedBatch[],
): Promise<{ small: EncodedPack[]; others: PackedBatch[] }> {
  const batches = entries.filter(({ packs }) => packs.length === 1 && packs.every(isOnePiece))
  const pieces =
    batches.length === 0 ? new Map<string, Buffer>() : await log.firstPieces(batches.map(({ batch }) => batch))
  const [small, others]: [EncodedPack[], PackedBatch[]] = [[], []]
  for (const entry of entries) {
    const [pack] = entry.packs
    const piece = pieces.get(entry.batch)
    if (pack === undefined || piece?.length !== pack.bytes + pack.indexBytes) others.push(entry)
    else small.push({ id: pack.id, pack: piece.subarray(0, pack.bytes), index: piece.subarray(pack.bytes) })
  }
  return { small, others }
}

function isOnePiece({ bytes, indexBytes }: LoggedPack): boolean {
  return bytes + indexBytes <= PIECE_BYTES
}

async function receivePack(log: SiteLog, batch: string, pack: number, logged: LoggedPack, path: string): Promise<void> {
  const { id, bytes, indexBytes } = logged
  const [packFile, indexFile] = [await open(`${path}.pack`, 'w'), await open(`${path}.idx`, 'w')]
  const hash = createHash('sha1')
  let at = 0
  try {
    for (let number = 0; at < bytes + indexBytes; number++) {
      const piece = await log.piece(batch, pack, number)
      if (piece === undefined) throw new ObjectCorrupt(`pack ${id} in the log`, `it has no piece ${number}`)
      const ofPack = piece.subarray(0, Math.max(0, bytes - at))
      hash.update(ofPack.subarray(0, Math.max(0, bytes - CHECKSUM_BYTES - at)))
      await write(packFile, ofPack)
      await write(indexFile, piece.subarray(ofPack.length))
      at += piece.length
    }
    if (hash.digest('hex') !== id) throw new ObjectCorrupt(`pack ${id} in the log`, 'its bytes have another checksum')
    await packFile.sync()
    await indexFile.sync()
  } finally {
    await packFile.close()
    await indexFile.close()
  }
}

async function write(file: FileHandle, bytes: Buffer): Promise<void> {
  if (bytes.length > 0) await file.writeFile(bytes)
}
