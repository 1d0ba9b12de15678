// A set of very many oids in little memory. It grows part by part, so that no single addition takes long.

import type { Oid } from './oid.js'

const OID_BYTES = 20
const PARTS = 256
const FIRST_SLOTS = 16

export class OidSet {
  readonly #parts = Array.from({ length: PARTS }, () => new Part())
  readonly #oid = Buffer.alloc(OID_BYTES)

  /** Memory used, in bytes. */
  get bytes(): number {
    return this.#parts.reduce((sum, { slots }) => sum + slots.length, 0)
  }

  add(oid: Oid): void {
    this.#partOf(oid).add(this.#oid)
  }

  has(oid: Oid): boolean {
    return this.#partOf(oid).has(this.#oid)
  }

  #partOf(oid: Oid): Part {
    this.#oid.write(oid, 'hex')
    return this.#parts[this.#oid[0] ?? 0] as Part
  }
}

/** Open addressing: an oid is its own hash. Slots of zeros are free; no object has the oid of zeros. */
class Part {
  slots = Buffer.alloc(FIRST_SLOTS * OID_BYTES)
  #count = 0

  has(oid: Buffer): boolean {
    return !isFree(this.slots, this.#slotFor(oid))
  }

  add(oid: Buffer): void {
    const at = this.#slotFor(oid)
    if (!isFree(this.slots, at)) return
    oid.copy(this.slots, at)
    this.#count += 1
    if (this.#count * OID_BYTES * 2 > this.slots.length) this.#grow()
  }

  /** Returns the offset at which the oid is, or would be. */
  #slotFor(oid: Buffer): number {
    const slots = this.slots.length / OID_BYTES
    let slot = oid.readUInt32BE(1) & (slots - 1)
    while (
      !isFree(this.slots, slot * OID_BYTES) &&
      this.slots.compare(oid, 0, OID_BYTES, slot * OID_BYTES, (slot + 1) * OID_BYTES) !== 0
    )
      slot = (slot + 1) & (slots - 1)
    return slot * OID_BYTES
  }

  #grow(): void {
    const before = this.slots
    this.slots = Buffer.alloc(before.length * 2)
    this.#count = 0
    for (let at = 0; at < before.length; at += OID_BYTES) {
      if (!isFree(before, at)) this.add(before.subarray(at, at + OID_BYTES))
    }
  }
}

function isFree(slots: Buffer, at: number): boolean {
  return slots.readBigUInt64BE(at) === 0n && slots.readBigUInt64BE(at + 8) === 0n && slots.readUInt32BE(at + 16) === 0
}
