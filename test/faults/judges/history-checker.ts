// Decides whether a history of concurrent operations on one site is linearizable, with the first-parent log as the witness:
// the log gives the only order there can be, so what clients saw is held against it in n log n (no search).

export interface WriteOperation {
  kind: 'write'
  /** Unique; a read of the write shows it. */
  id: string
  page: string
  /** Milliseconds on one monotonic clock. */
  invoked: number
  /** The time of the answer; undefined if none came, or one that leaves the outcome open. */
  returned: number | undefined
  /** `refused`: the answer says that nothing was written. */
  outcome: 'acknowledged' | 'refused' | 'unknown'
}

export interface ReadOperation {
  kind: 'read'
  page: string
  /** The write that was seen. */
  saw: string
  invoked: number
  returned: number
}

export type HistoryOperation = WriteOperation | ReadOperation

interface Placed {
  write: WriteOperation
  position: number
}

/** Proof that from this moment on, some client knew that main was at `position` of the log or later. */
interface Evidence {
  at: number
  position: number
}

/** A sentence for each contradiction to the log; none for a linearizable history. `log` holds ids of writes, oldest first. */
export function findViolations(operations: readonly HistoryOperation[], log: readonly string[]): string[] {
  const writes = new Map(operations.filter((one) => one.kind === 'write').map((write) => [write.id, write]))
  const reads = operations.filter((one) => one.kind === 'read')
  const placed = new Map<string, Placed>()
  const violations: string[] = []
  for (const [position, id] of log.entries()) {
    const write = writes.get(id)
    if (write === undefined) violations.push(`${id} is in the log and nobody wrote it`)
    else if (placed.has(id)) violations.push(`${id} is in the log twice`)
    else placed.set(id, { write, position })
  }
  violations.push(...checkOutcomes(writes.values(), placed), ...checkOrder(log, placed))
  violations.push(...checkReads(reads, placed, log))
  return violations
}

function checkOutcomes(writes: Iterable<WriteOperation>, placed: ReadonlyMap<string, Placed>): string[] {
  const violations: string[] = []
  for (const { id, outcome } of writes) {
    if (outcome === 'acknowledged' && !placed.has(id)) violations.push(`${id} was acknowledged and is not in the log`)
    if (outcome === 'refused' && placed.has(id)) violations.push(`${id} was refused and is in the log`)
  }
  return violations
}

/** Checks that no write precedes another that was answered before it began. */
function checkOrder(log: readonly string[], placed: ReadonlyMap<string, Placed>): string[] {
  const violations: string[] = []
  let earliest: WriteOperation | undefined
  for (const id of log.toReversed()) {
    const write = placed.get(id)?.write
    if (write === undefined) continue
    if (earliest?.returned !== undefined && earliest.returned < write.invoked) {
      violations.push(`${write.id} began after ${earliest.id} was answered, and stands before it`)
    }
    if (write.returned !== undefined && write.returned < (earliest?.returned ?? Infinity)) earliest = write
  }
  return violations
}

function checkReads(
  reads: readonly ReadOperation[],
  placed: ReadonlyMap<string, Placed>,
  log: readonly string[],
): string[] {
  const violations: string[] = []
  const positions = positionsByPage(placed)
  const invokedUpTo = latestInvocations(log, placed)
  const evidence = gatherEvidence(reads, placed)
  let known = -1
  let next = 0
  for (const read of reads.toSorted((a, b) => a.invoked - b.invoked)) {
    const seen = placed.get(read.saw)
    if (seen === undefined || seen.write.page !== read.page) {
      violations.push(`a read of ${read.page} saw ${read.saw}, which the log does not have there`)
      continue
    }
    for (let one = evidence[next]; one !== undefined && one.at < read.invoked; one = evidence[++next]) {
      known = Math.max(known, one.position)
    }
    const oldest = newestUpTo(positions.get(read.page) ?? [], known)
    if (seen.position < oldest) {
      violations.push(`a read of ${read.page} saw ${read.saw} after ${log[oldest]} was known to be published`)
    }
    if ((invokedUpTo[seen.position] ?? 0) >= read.returned) {
      violations.push(`a read of ${read.page} saw ${read.saw} before it, or what stands before it, was sent`)
    }
  }
  return violations
}

/** Answers to writers and to readers, in the order of time. */
function gatherEvidence(reads: readonly ReadOperation[], placed: ReadonlyMap<string, Placed>): Evidence[] {
  const evidence: Evidence[] = []
  for (const { write, position } of placed.values()) {
    if (write.outcome === 'acknowledged' && write.returned !== undefined)
      evidence.push({ at: write.returned, position })
  }
  for (const { saw, returned } of reads) {
    const position = placed.get(saw)?.position
    if (position !== undefined) evidence.push({ at: returned, position })
  }
  return evidence.toSorted((a, b) => a.at - b.at)
}

/** Returns for each position when the last of the writes up to it was sent. */
function latestInvocations(log: readonly string[], placed: ReadonlyMap<string, Placed>): number[] {
  let latest = -Infinity
  return log.map((id) => (latest = Math.max(latest, placed.get(id)?.write.invoked ?? -Infinity)))
}

/** Positions of each page's writes, rising. */
function positionsByPage(placed: ReadonlyMap<string, Placed>): Map<string, number[]> {
  const byPage = new Map<string, number[]>()
  for (const { write, position } of placed.values()) {
    const positions = byPage.get(write.page)
    if (positions === undefined) byPage.set(write.page, [position])
    else positions.push(position)
  }
  return byPage
}

/** The last of rising `positions` that is at most `bound`; -1 without one. */
function newestUpTo(positions: readonly number[], bound: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] ?? 0) <= bound) low = middle + 1
    else high = middle
  }
  return positions[low - 1] ?? -1
}
