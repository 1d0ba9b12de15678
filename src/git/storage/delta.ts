// Deltas of packs: copy and insert instructions on a base (gitformat-pack, "Deltified representation").

import { commonPrefix } from '../objects/common-bytes.js'
import { ObjectCorrupt } from '../objects/errors.js'

interface Size {
  value: number
  next: number
}

/** A damaged delta may claim any size, and memory is allocated for the claimed size. */
const MAX_SIZE_BYTES = 2 ** 31

/** Reads the size of a delta's result from its first bytes. */
export function readDeltaSize(delta: Buffer): number {
  return readSize(delta, readSize(delta, 0).next).value
}

/** Applies a delta. Throws ObjectCorrupt if it does not fit the base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const from = readSize(delta, 0)
  const to = readSize(delta, from.next)
  if (from.value !== base.length || to.value > MAX_SIZE_BYTES) throw misfit()
  const result = Buffer.allocUnsafe(to.value)
  let at = to.next
  let filled = 0
  while (at < delta.length) {
    const instruction = delta[at++] ?? 0
    if (instruction === 0) throw misfit()
    if ((instruction & 0x80) === 0) {
      if (at + instruction > delta.length || filled + instruction > result.length) throw misfit()
      filled += delta.copy(result, filled, at, at + instruction)
      at += instruction
      continue
    }
    let offset = 0
    let size = 0
    for (let i = 0; i < 4; i++) if (instruction & (1 << i)) offset += (delta[at++] ?? 0) * 2 ** (8 * i)
    for (let i = 0; i < 3; i++) if (instruction & (16 << i)) size += (delta[at++] ?? 0) * 2 ** (8 * i)
    if (size === 0) size = 0x10000
    if (offset + size > base.length || filled + size > result.length) throw misfit()
    filled += base.copy(result, filled, offset, offset + size)
  }
  if (filled !== result.length) throw misfit()
  return result
}

/** Most bytes that one instruction copies, and that one inserts. */
const MAX_COPY_BYTES = 0xffffff
const MAX_INSERT_BYTES = 0x7f
/** After a difference, this many equal bytes count as common again. */
const ANCHOR_BYTES = 32
/** Distance within which they are looked for. */
const REACH_BYTES = 1024

/**
 * Returns a delta that makes `target` from a `base` with a few small differences, such as two versions of a folder. Both are
 * walked in parallel, never searched. Undefined if it would save too little.
 */
export function encodeDelta(base: Buffer, target: Buffer): Buffer | undefined {
  const pieces = [encodeSize(base.length), encodeSize(target.length)]
  let at = { base: 0, target: 0 }
  let inserted = 0
  for (;;) {
    const same = commonPrefix(base, target, at.base, at.target)
    pieces.push(...copies(at.base, at.base + same))
    const from = { base: at.base + same, target: at.target + same }
    if (from.target === target.length) return Buffer.concat(pieces)
    at = nextCommonGround(base, target, from)
    inserted += at.target - from.target
    if (inserted > target.length / 4) return undefined
    pieces.push(...inserts(target.subarray(from.target, at.target)))
  }
}

interface Places {
  base: number
  target: number
}

/** Returns where both continue alike after bytes that were replaced, added or removed; their ends if they do not. */
function nextCommonGround(base: Buffer, target: Buffer, { base: b, target: t }: Places): Places {
  const room = Math.min(base.length - b, target.length - t) - ANCHOR_BYTES
  for (let skip = 1; skip <= Math.min(room, ANCHOR_BYTES * 2); skip++) {
    const [atBase, atTarget] = [b + skip, t + skip]
    const order = base.compare(target, atTarget, atTarget + ANCHOR_BYTES, atBase, atBase + ANCHOR_BYTES)
    if (order === 0) return { base: atBase, target: atTarget }
  }
  const added = target.subarray(t, t + REACH_BYTES).indexOf(base.subarray(b, b + ANCHOR_BYTES))
  if (added > 0) return { base: b, target: t + added }
  const removed = base.subarray(b, b + REACH_BYTES).indexOf(target.subarray(t, t + ANCHOR_BYTES))
  if (removed > 0) return { base: b + removed, target: t }
  return { base: base.length, target: target.length }
}

function inserts(bytes: Buffer): Buffer[] {
  const instructions: Buffer[] = []
  for (let at = 0; at < bytes.length; at += MAX_INSERT_BYTES) {
    const piece = bytes.subarray(at, at + MAX_INSERT_BYTES)
    instructions.push(Buffer.from([piece.length]), piece)
  }
  return instructions
}

function copies(from: number, to: number): Buffer[] {
  const instructions: Buffer[] = []
  for (let at = from; at < to; at += MAX_COPY_BYTES) {
    const bytes = Buffer.alloc(8)
    bytes[0] = 0xff
    bytes.writeUInt32LE(at, 1)
    bytes.writeUIntLE(Math.min(MAX_COPY_BYTES, to - at), 5, 3)
    instructions.push(bytes)
  }
  return instructions
}

function encodeSize(size: number): Buffer {
  const bytes: number[] = []
  let rest = size
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  return Buffer.from([...bytes, rest])
}

function readSize(bytes: Buffer, start: number): Size {
  let value = 0
  let next = start
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[next++]
    if (byte === undefined) throw misfit()
    value += (byte & 0x7f) * scale
    if ((byte & 0x80) === 0) return { value, next }
  }
}

function misfit(): ObjectCorrupt {
  return new ObjectCorrupt('a delta', 'it does not fit its base')
}
