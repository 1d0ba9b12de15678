// A process that attacks: prepares the attacks that it is sent, then repeats them until their time is over.

import { setMaxListeners } from 'node:events'
import { setPriority } from 'node:os'
import type { Act, Attack } from './attack.js'
import { ATTACKS } from './attacks/table.js'
import { Tenant, type TenantData } from './tenant.js'

export type ToAttacker = { prepare: { tenant: TenantData; names: readonly string[] } } | { runForMs: number }

/** The distinct answers to an attack, their number, and their times. */
export interface Outcome {
  name: string
  answers: string[]
  times: number
  medianMs: number
  longestMs: number
}

export type FromAttacker = { prepared: true } | { outcomes: Outcome[] } | { failed: string }

interface Prepared {
  attack: Attack
  act: Act | string
}

/** The measured processes have priority over this one. */
const LOW_PRIORITY = 10

let prepared: Prepared[] = []

setPriority(LOW_PRIORITY)
process.once('disconnect', () => process.exit())
process.on('message', (message: ToAttacker) => {
  work(message).then(tell, (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }))
})

async function work(message: ToAttacker): Promise<FromAttacker> {
  if ('runForMs' in message) {
    const signal = AbortSignal.timeout(message.runForMs)
    setMaxListeners(Infinity, signal)
    return { outcomes: await Promise.all(prepared.map((one) => repeat(one, signal))) }
  }
  const { tenant, names } = message.prepare
  prepared = []
  for (const attack of ATTACKS.filter(({ name }) => names.includes(name)))
    prepared.push({ attack, act: await attack.prepare(new Tenant(tenant)) })
  return { prepared: true }
}

async function repeat({ attack: { name, atOnce }, act }: Prepared, signal: AbortSignal): Promise<Outcome> {
  if (typeof act === 'string') return { name, answers: [act], times: 0, medianMs: 0, longestMs: 0 }
  const answers = new Set<string>()
  const took: number[] = []
  const lane = async () => {
    while (!signal.aborted) {
      const started = performance.now()
      answers.add(await act(signal))
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const sorted = took.toSorted((a, b) => a - b)
  return {
    name,
    answers: [...answers].toSorted(),
    times: took.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  }
}

function tell(message: FromAttacker): void {
  process.send?.(message)
}
