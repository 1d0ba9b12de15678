// Measures the memory of the programs that a test starts, and makes packs of large files that show it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { treeOf } from '../../bench/neighbours/process-tree.js'
import type { Oid } from '../../src/git/objects/oid.js'
import { writeBlobPack } from '../../src/git/streams/pack-stream.js'

const LOOK_MS = 2

/** Returns the most resident memory (VmHWM of Linux) of one program that `work` starts, including mapped files. */
export async function peakMibOfChildren(work: () => Promise<void>): Promise<number> {
  const others = childrenOf()
  const peaks: number[] = []
  const look = setInterval(() => {
    for (const pid of childrenOf()) if (!others.includes(pid)) peaks.push(peakMibOf(pid))
  }, LOOK_MS)
  await work().finally(() => clearInterval(look))
  assert.ok(peaks.length > 0, 'no program was seen')
  return Math.max(...peaks)
}

/** Puts a pack of one blob into the folder, stored as it is, as the upload of a large file leaves it. */
export async function installStoredBlob(folder: string, bytes: number): Promise<Oid> {
  const chunks = Readable.from([randomBytes(bytes)]) as AsyncIterable<Buffer>
  const { oid, pack } = await writeBlobPack(folder, 'new', chunks, bytes)
  for (const ending of ['pack', 'idx']) renameSync(`${pack.path}.${ending}`, join(folder, `pack-${pack.id}.${ending}`))
  return oid
}

function childrenOf(): number[] {
  return treeOf(process.pid).slice(1)
}

/** 0 for a process that has ended. */
function peakMibOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
