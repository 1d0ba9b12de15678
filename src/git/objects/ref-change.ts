// A change of a ref: as a push asks for it, as a hook hears of it, and as a writer makes it.

import type { Oid } from './oid.js'

export interface RefChange {
  /** The full name: `refs/tags/v1`. */
  ref: string
  /** Null if there must be no such ref. */
  before: Oid | null
  /** Null deletes the ref. */
  after: Oid | null
}

/** The oid by which git writes that there is no object. */
export const ZERO_OID: Oid = '0'.repeat(40)
const LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s

/** Parses `<old> <new> <ref>` (githooks, gitprotocol-pack); undefined for any other text. */
export function parseRefChange(line: string): RefChange | undefined {
  const [, before = '', after = '', ref] = LINE.exec(line) ?? []
  if (ref === undefined) return undefined
  return { ref, before: before === ZERO_OID ? null : before, after: after === ZERO_OID ? null : after }
}

export function formatRefChange({ ref, before, after }: RefChange): string {
  return `${before ?? ZERO_OID} ${after ?? ZERO_OID} ${ref}`
}
