// Copies many small packs of blobs into one, entry by entry and unchanged: a repository with hundreds of packs is slow to read.

import { open, readFile } from 'node:fs/promises'
import type { Oid } from '../objects/oid.js'
import type { PackFiles } from './pack-stream.js'
import { PackStream } from './pack-stream.js'
import { entriesOfIndex } from '../storage/pack-index.js'

/** Larger packs stay as they are. */
const GATHERED_BYTES = 16 * 1024 * 1024
/** This few packs are quick to read: copying their bytes takes longer. */
const FEW_PACKS = 8
/** Size of the checksum after the last entry of a pack. */
const CHECKSUM_BYTES = 20

/** Returns the packs to install: the large ones, and one at `path` for the small ones. They hold no deltas. */
export async function gatherPacks(packs: readonly PackFiles[], path: string): Promise<PackFiles[]> {
  const small = packs.filter(({ bytes }) => bytes <= GATHERED_BYTES)
  if (small.length <= FEW_PACKS) return [...packs]
  const stream = await PackStream.create(path)
  try {
    for (const pack of small) await copyEntries(pack, stream)
    return [...packs.filter((pack) => !small.includes(pack)), await stream.finish()]
  } catch (error) {
    await stream.discard()
    throw error
  }
}

/** Makes a pack at `path` of one blob from one of the packs; undefined if none has it. */
export async function takeBlob(packs: readonly PackFiles[], oid: Oid, path: string): Promise<PackFiles | undefined> {
  for (const pack of packs) {
    const isHeld = entriesOfIndex(await readFile(`${pack.path}.idx`)).some((entry) => entry.oid === oid)
    if (!isHeld) continue
    const stream = await PackStream.create(path)
    await copyEntries(pack, stream, oid)
    return await stream.finish()
  }
  return undefined
}

async function copyEntries({ path, bytes }: PackFiles, to: PackStream, only?: Oid): Promise<void> {
  const entries = entriesOfIndex(await readFile(`${path}.idx`)).toSorted((a, b) => a.offset - b.offset)
  const file = await open(`${path}.pack`)
  try {
    for (const [at, entry] of entries.entries()) {
      if (only !== undefined && entry.oid !== only) continue
      const end = entries[at + 1]?.offset ?? bytes - CHECKSUM_BYTES
      const raw = Buffer.allocUnsafe(end - entry.offset)
      await file.read(raw, 0, raw.length, entry.offset)
      await to.addEntry(entry.oid, raw, entry.crc)
    }
  } finally {
    await file.close()
  }
}
