// The deadline of something that a task process does. A process that got little processor time has more: others took it.

import { readFileSync } from 'node:fs'

/** Share of the limit: a process that used less processor time was slowed down by others. */
const STARVED_SHARE = 3 / 4
const MAX_EXTENSION = 3
/** USER_HZ of proc(5), on every architecture that Node runs on. */
const MS_PER_TICK = 10

/** Milliseconds since the work began: all of them, and those on a processor. */
interface Spent {
  passedMs: number
  usedMs: number
}

/** Why the work is past its limit: it had the processor time for that, or a busy machine gave it little. */
export type Late = 'costly' | 'starved'

/** Says that the work is past its limit: once, or, if a busy machine gave it little processor time, three times. */
export function whyPast(limitMs: number, { passedMs, usedMs }: Spent): Late | undefined {
  const isStarved = usedMs < limitMs * STARVED_SHARE
  if (passedMs < limitMs * (isStarved ? MAX_EXTENSION : 1)) return undefined
  return isStarved ? 'starved' : 'costly'
}

/** Calls `onPast` once the work that the process begins now is past its limit. Returns a function that ends the watch. */
export function watchDeadline(pid: number | undefined, limitMs: number, onPast: (why: Late) => void): () => void {
  const [begun, usedBefore] = [performance.now(), cpuMsOf(pid)]
  let isOver = false
  const judge = () => {
    if (isOver) return
    const spent = { passedMs: performance.now() - begun, usedMs: cpuMsOf(pid) - usedBefore }
    const why = whyPast(limitMs, spent)
    if (why === undefined) late = judgeAfter(limitMs / 2)
    else onPast(why)
  }
  // A busy service may see the timer before an answer that came in time: one more turn of the loop lets it in.
  const judgeAfter = (ms: number) => setTimeout(() => setImmediate(judge), ms)
  let late = judgeAfter(limitMs)
  return () => {
    isOver = true
    clearTimeout(late)
  }
}

/** Returns the processor time that the process and the programs that it waited for have used (proc(5), stat); Infinity if unknown. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
    const ticks = fields.split(' ').slice(11, 15).map(Number)
    return ticks.reduce((sum, time) => sum + time, 0) * MS_PER_TICK
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
