// Verifies a chain of the audit log. The service may write and remove entries meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditLog } from './audit-log.js'
import { type Anchor, anchorText, BEGINNING, chainHash, type Link, personalHash } from './chain.js'
import type { AuditRow, ChainedEntry } from './entries.js'

/** Entries that are read in one turn of the event loop. */
const PIECE = 500

/** Whether a key that signed for the service at that time signed the text. */
export type IsSigned = (text: string, signature: string, at: string) => boolean

export interface ChainReport {
  /** Number of entries that were verified. */
  entries: number
  /** The last entry. */
  end: Link
  /** Says which entry is the first wrong one, and why; undefined for a sound chain. */
  fault?: string
}

/** Recomputes every hash from the anchor on, and stops at the first fault. */
export async function verifyChain(log: AuditLog, workspaceId: string, isSigned: IsSigned): Promise<ChainReport> {
  let end: Link = BEGINNING
  let entries = 0
  for (;;) {
    const rows = log.rowsAfter(workspaceId, end.number, PIECE)
    const anchor = log.anchor(workspaceId)
    if (anchor !== undefined && anchor.number > end.number) {
      const fault = faultOfAnchor(workspaceId, anchor, isSigned)
      if (fault !== undefined) return { entries, end, fault }
      end = anchor
      continue
    }
    for (const row of rows) {
      const fault = faultOf(row, end)
      if (fault !== undefined) return { entries, end, fault: `entry ${end.number + 1}: ${fault}` }
      end = { number: row.number, hash: row.hash }
      entries++
    }
    if (rows.length < PIECE) return { entries, end }
    await nextTurn()
  }
}

function faultOfAnchor(workspaceId: string, anchor: Anchor, isSigned: IsSigned): string | undefined {
  if (isSigned(anchorText(workspaceId, anchor), anchor.signature, anchor.removedAt)) return undefined
  return `the anchor after entry ${anchor.number}: no key of the service signed it`
}

function faultOf({ number, entry, personal, salt, hash }: AuditRow, before: Link): string | undefined {
  if (number !== before.number + 1) return `it is missing; entry ${number} comes next`
  if (chainHash(before.hash, entry) !== hash) return 'it was changed, or the entry before it'
  const chained = JSON.parse(entry) as ChainedEntry
  if (chained.number !== number) return `it says that it is entry ${chained.number}`
  if (personal === null) return undefined
  const isTrue = salt !== null && personalHash(salt, personal) === chained.personal
  return isTrue ? undefined : 'its personal facts were changed'
}
