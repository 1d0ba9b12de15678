// Deltas of packs: copy and insert instructions on a base (gitformat-pack, "Deltified representation").

import { ObjectCorrupt } from './errors.js'

interface Size {
  value: number
  next: number
}

/** The size of what a delta makes, from its first bytes. */
export function readDeltaSize(delta: Buffer): number {
  return readSize(delta, readSize(delta, 0).next).value
}

/** Throws ObjectCorrupt when the delta does not fit the base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const from = readSize(delta, 0)
  const to = readSize(delta, from.next)
  if (from.value !== base.length) throw misfit()
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
