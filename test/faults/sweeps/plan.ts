// Chooses the calls that a sweep harms, from what an operation does when nothing is harmed. Chosen are all calls that may change a file,
// in whichever thread. Of the reads, only the first and the last on each kind of file are, in one of the threads that make them. A kill
// at a read leaves the disk as a kill at the next change does: kills strike changes alone.
//
// strace counts the calls of each thread, and threads share their work anew each time. So a case may strike another call of its number. A
// case that strikes none is reported as not reached, and so is a step that no case of its call struck.

import type { Ground } from '../ground/ground.js'
import { type CallsOf, type ChosenCall, type Harm, KILL, nameOf } from '../ground/strace.js'
import type { SeenCall } from '../ground/strace-log.js'
import type { Report } from '../program.js'
import { runInLanes } from './lanes.js'
import type { Operation } from './operations.js'

type Sweep = (ground: Ground, operation: Operation, harm: Harm, report: Report, calls: CallsOf) => Promise<void>

/** Sweeps each operation over the calls that it makes when nothing is harmed. */
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

/** Lets the operation go through twice, and chooses by what it does the second time: no case is the first on its ground. */
async function planOf(ground: Ground, operation: Operation, harm: Harm): Promise<CallsOf> {
  const idOf = (k: number) => nameOf(operation.name, { harm, call: 'seen', threads: 'all threads', k })
  await (await operation.prepare(ground, idOf(0))).send()
  const id = idOf(1)
  const trial = await operation.prepare(ground, id)
  const { pid } = ground.server
  const watched = await ground.watch(harm)
  const sent = await trial.send()
  const seen = await watched.detach()
  if (sent.status >= 300) throw new Error(`${id}: ${JSON.stringify(sent.body)}`)
  return ({ call, threads }) => {
    const names = new Set(call.split(','))
    return chooseCalls(
      seen.filter(
        ({ name, thread, isChange }) =>
          names.has(name) && (threads === 'all threads' || thread === pid) && (isChange || harm !== KILL),
      ),
    )
  }
}

/** Returns the numbers of the chosen calls, in ascending order. At one number several threads may make a call that is meant. */
export function chooseCalls(seen: readonly SeenCall[]): ChosenCall[] {
  const meant = new Map<number, Set<string>>()
  const choose = (call: SeenCall) => meant.set(call.number, (meant.get(call.number) ?? new Set()).add(call.step))
  for (const call of seen) if (call.isChange) choose(call)
  // A read that few threads make leaves less choice.
  for (const ways of readsOf(seen).toSorted((a, b) => a.length - b.length))
    choose(ways.find(({ number }) => meant.has(number)) ?? ways[0]!)
  return [...meant].toSorted(([a], [b]) => a - b).map(([k, steps]) => ({ k, steps }))
}

/** Returns the first reads on each kind of file, and the last: one of each thread that makes them. */
function readsOf(seen: readonly SeenCall[]): SeenCall[][] {
  const reads = seen.filter(({ isChange }) => !isChange)
  return groupBy(reads, ({ step }) => step).flatMap((alike) => {
    const byThread = groupBy(alike, ({ thread }) => thread)
    return [byThread.map(([first]) => first!), byThread.map((made) => made.at(-1)!)]
  })
}

/** Compares the steps that the cases of one call were to strike with those that they struck. */
export class Reach {
  readonly #meant = new Set<string>()
  readonly #struck = new Set<string>()

  /** Notes a case. Returns false if it struck nothing. */
  note({ steps = new Set() }: ChosenCall, harmed: SeenCall | undefined): boolean {
    for (const step of steps) this.#meant.add(step)
    if (harmed !== undefined) this.#struck.add(harmed.step)
    return harmed !== undefined
  }

  /** The steps that no case struck. */
  get missing(): string[] {
    return [...this.#meant].filter((step) => !this.#struck.has(step))
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}
