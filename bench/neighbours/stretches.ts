// Measures how long the serving thread of a service blocks other work while one tenant attacks and another one works. It measures CPU time,
// so that the result is right on a busy machine, too.

import { join } from 'node:path'
import { withFolder } from '../ground/temporary-folder.js'
import { recordTo, stretchesSince } from '../stalls/recorded-stalls.js'
import { describe, printAttacks, RUN_MS } from './chosen-attacks.js'
import { withGround } from './ground.js'
import type { Felt } from './neighbour.js'

const MAX_MS = 5

/** Prints a table, row by row after each attack: the time during the attack, and in brackets the time before it. */
export async function printStretches(): Promise<void> {
  const columns = ['attack', 'answer', 'serving thread', 'failed requests of others']
  await printAttacks(columns, (names) => withFolder((folder) => measure(names, join(folder, 'stalls'))))
}

async function measure(names: readonly string[], file: string): Promise<string[]> {
  return await withGround({ env: recordTo(file) }, async ({ prepareAttacks, attack, feel }) => {
    // The first run of any code takes longer.
    await feel(RUN_MS)
    const alone = await recordDuring(file, () => feel(RUN_MS))
    await prepareAttacks(names)
    const beside = await recordDuring(file, () => Promise.all([attack(RUN_MS), feel(RUN_MS)]))
    const [outcomes, felt] = beside.answer
    return [describe(outcomes), `${beside.said} (${alone.said})`, sayFailures(felt)]
  })
}

async function recordDuring<T>(file: string, work: () => Promise<T>) {
  const begun = Date.now()
  const answer = await work()
  return { answer, said: sayStretches(stretchesSince(file, begun)) }
}

function sayStretches(stretches: readonly number[]): string {
  const over = stretches.filter((ms) => ms > MAX_MS).length
  return `longest ${Math.max(0, ...stretches).toFixed(1)} ms, ${over} over ${MAX_MS} ms`
}

function sayFailures(felt: Felt): string {
  const all = Object.values(felt).flatMap(({ failures }) => failures)
  return all.length === 0 ? 'none' : `${all.length} (${[...new Set(all)].join(' ')})`
}
