// Chooses the calls that a sweep harms. A step of an operation is a call on one kind of file: where a thread makes it several times, the
// first and the last count. strace counts the calls of each thread, so one case may harm a step in each of several threads.

import type { Ground } from '../ground/ground.js'
import { type CallsOf, type Harm, nameOf, type SeenCall } from '../ground/strace.js'
import type { Report } from '../program.js'
import { runInLanes } from './lanes.js'
import type { Operation } from './operations.js'

type Sweep = (ground: Ground, operation: Operation, harm: Harm, report: Report, calls: CallsOf) => Promise<void>

/** Sweeps each operation over the steps that it shows when nothing is harmed. */
export async function sweepPlanned(
  operations: readonly Operation[],
  harms: readonly Harm[],
  sweep: Sweep,
  report: Report,
): Promise<void> {
  const jobs = operations.flatMap((operation) =>
    harms.map((harm) => async (ground: Ground) => {
      await sweep(ground, operation, harm, report, await planOf(ground, operation, harm))
    }),
  )
  await runInLanes(jobs, report)
}

/** Lets the operation go through once, and chooses by what it does. */
async function planOf(ground: Ground, operation: Operation, harm: Harm): Promise<CallsOf> {
  const id = nameOf(operation.name, { harm, call: 'seen', threads: 'all threads', k: 0 })
  const trial = await operation.prepare(ground, id)
  const { pid } = ground.server
  const watched = await ground.watch(harm)
  const sent = await trial.send()
  const seen = await watched.detach()
  if (sent.status >= 300) throw new Error(`${id}: ${JSON.stringify(sent.body)}`)
  return ({ call, threads }) => {
    const ofWay = seen.filter((one) => one.call === call && (threads === 'all threads' || one.thread === pid))
    return chooseCalls(ofWay)
  }
}

/** Returns numbers of calls, from 1, so that each step of each thread is among them: few, in ascending order. */
export function chooseCalls(seen: readonly SeenCall[]): number[] {
  /** By its step, the numbers at which it is made. */
  const numbers = new Map<string, Set<number>>()
  for (const calls of groupBy(seen, ({ thread }) => thread)) {
    const ofThread = calls.map(({ file }, at) => ({ file, number: at + 1 }))
    for (const made of groupBy(ofThread, ({ file }) => file)) {
      for (const [which, one] of [made[0], made.at(-1)].entries()) {
        if (one === undefined) continue
        const step = `${which} ${one.file}`
        numbers.set(step, (numbers.get(step) ?? new Set()).add(one.number))
      }
    }
  }
  const chosen = new Set<number>()
  // A step with one number leaves no choice.
  for (const found of [...numbers.values()].toSorted((a, b) => a.size - b.size))
    if (![...found].some((number) => chosen.has(number))) chosen.add(Math.min(...found))
  return [...chosen].toSorted((a, b) => a - b)
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}
