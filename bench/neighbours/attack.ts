// An attack: work by which one tenant tries to harm others.

import type { Tenant } from './tenant.js'

export interface Attack {
  name: string
  /** One line about the requests or pushes. */
  about: string
  /** Number of concurrent repetitions. */
  atOnce: number
  /** Limit on the service's memory above idle, if it is lower than for other attacks: MiB. */
  maxMoreMib?: number
  /** Prepares the attack, which is not measured. If the service refuses the preparation, such as a push, resolves with a text. */
  prepare(tenant: Tenant): Promise<Act | string>
}

/** Attacks once, and returns the kind of answer: a status, or a word. */
export type Act = (signal: AbortSignal) => Promise<string>

export async function statusOf(answer: Promise<{ status: number }>): Promise<string> {
  return String((await answer).status)
}

/** Runs all at once, and returns the distinct answers. */
export async function together(count: number, act: (number: number) => Promise<string>): Promise<string> {
  const answers = await Promise.all(Array.from({ length: count }, (_, number) => act(number)))
  return [...new Set(answers)].toSorted().join(' ')
}
