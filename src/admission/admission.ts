// The place where requests are made to wait or are refused: all gates, the memory and the rate limits of one process. Each protocol calls
// `enter` once for each request.

import type { Figures, WorkRow } from './figures.js'
import { Gate, type GateFigures } from './gate.js'
import { type GateName, GATES, ruleOf } from './gate-rows.js'
import { type LimitRow, limitRows } from './limit-table.js'
import { MemoryBudget, type MemoryFigures, rebuiltMemory } from './memory-budget.js'
import { MEMORY, type MemoryClass } from './memory-rows.js'
import { RateLimit, rateFields, type RateState } from './rate-limit.js'
import { type RateName, RATES } from './rate-rows.js'
import { Refused } from './refused.js'
import type { Sizes } from './row.js'
import { UnreadAnswers } from './unread-answers.js'

/** A limit, and how much of it is in use. */
export interface LimitReport extends LimitRow {
  now?: GateFigures | MemoryFigures | RateLimit['figures'] | Figures
}

/** The caller of a request. */
export interface Caller {
  workspaceId: string
  /** The id of the key, session or token. */
  id: string
}

export class Admission {
  readonly sizes: Sizes
  readonly memory: MemoryBudget
  /** Answers of the API, the tools and git. */
  readonly answers: UnreadAnswers
  readonly #gates: ReadonlyMap<string, Gate>
  readonly #rates: ReadonlyMap<string, RateLimit>
  /** Figures of rows that have neither gate nor memory nor rate. */
  readonly #others = new Map<string, () => Figures>()

  constructor(sizes: Sizes) {
    this.sizes = sizes
    this.memory = new MemoryBudget(sizes.memoryBytes)
    this.answers = new UnreadAnswers(this.memory.of('requests'))
    const gates = Object.keys(GATES) as GateName[]
    this.#gates = new Map(gates.map((name) => [name, new Gate(ruleOf(name, sizes))]))
    const rates = Object.keys(RATES) as RateName[]
    this.#rates = new Map(rates.map((name) => [name, new RateLimit(name, RATES[name].perMinute(sizes))]))
  }

  gate(name: GateName): Gate {
    return found(this.#gates.get(name))
  }

  rate(name: RateName): RateLimit {
    return found(this.#rates.get(name))
  }

  /**
   * Counts the request of a known caller, and resolves when the workspace's next request may begin. Calls `tell` with the answer's fields,
   * also before a refusal. Rejects with `too_many_requests` and `queue_full`.
   */
  async enter(workspaceId: string, caller?: Caller, tell?: (fields: Record<string, string>) => void): Promise<void> {
    if (caller !== undefined) {
      const states = await this.#count(caller)
      tell?.(rateFields(states))
      refuseOver(states, RATES.key.message)
    }
    await this.gate('turn').enter(workspaceId)
  }

  /** A key past its own limit uses up nothing of its workspace's. */
  async #count({ id, workspaceId }: Caller): Promise<RateState[]> {
    const key = await this.rate('key').take(id)
    const workspace = key?.isOver === true ? undefined : await this.rate('workspace').take(workspaceId)
    return [key, workspace].filter((state) => state !== undefined)
  }

  /** Shows these figures with the row of that name. */
  show(name: string, figures: () => Figures): void {
    this.#others.set(name, figures)
  }

  /** Returns what runs and waits at each gate, and elsewhere. */
  work(): WorkRow[] {
    const gates = Array.from(
      this.#gates,
      ([
        name,
        {
          figures: { running, waiting },
        },
      ]) => ({ name, running, waiting }),
    )
    return [...gates, ...Array.from(this.#others, ([name, figures]) => ({ name, ...figures() }))]
  }

  /** Returns the table of limits with what is in use now. */
  report(): LimitReport[] {
    const now = new Map<string, NonNullable<LimitReport['now']>>()
    for (const [name, gate] of this.#gates) now.set(name, gate.figures)
    // Previews count their own bytes, since they make room by leaving.
    for (const name of Object.keys(MEMORY) as MemoryClass[])
      if (name !== 'previews') now.set(`memory-of-${name}`, this.memory.of(name).figures)
    now.set('memory-of-rebuilt', rebuiltMemory.figures)
    for (const [name, figures] of this.#others) now.set(name, figures())
    for (const [name, rate] of this.#rates) now.set(`rate-of-${name}`, rate.figures)
    return limitRows(this.sizes).map((row) => {
      const figures = now.get(row.name)
      return figures === undefined ? row : { ...row, now: figures }
    })
  }
}

/** Throws `too_many_requests` if one of the states has nothing left. */
export function refuseOver(states: readonly (RateState | undefined)[], message: string): void {
  const over = states.find((state) => state?.isOver === true)
  if (over !== undefined)
    throw new Refused({ code: 'too_many_requests', message, retryAfterSeconds: over.resetSeconds })
}

function found<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('the table of limits has no such row')
  return one
}
