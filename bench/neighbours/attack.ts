// What one tenant does to harm others.

import type { Tenant } from './tenant.js'

export interface Attack {
  name: string
  /** What is sent or pushed, in one line. */
  about: string
  /** So many at a time. */
  atOnce: number
  /** What the service may take of memory over idle, where it is less than for others: MiB. */
  maxMoreMib?: number
  /** Makes what the attack needs, which is not measured. A refusal of it, such as of a push, is a text. */
  prepare(tenant: Tenant): Promise<Act | string>
}

/** Does it once, and says how it was answered: a status, or a word. */
export type Act = (signal: AbortSignal) => Promise<string>

export async function statusOf(answer: Promise<{ status: number }>): Promise<string> {
  return String((await answer).status)
}

/** All at once; the answers, each kind once. */
export async function together(count: number, act: (number: number) => Promise<string>): Promise<string> {
  const answers = await Promise.all(Array.from({ length: count }, (_, number) => act(number)))
  return [...new Set(answers)].toSorted().join(' ')
}
