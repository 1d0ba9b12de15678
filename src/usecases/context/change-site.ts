// The one way of a change: shown in a dry run, made once for each `Idempotency-Key`, planned anew when others wrote meanwhile, and answered.

import type { CommitFacts } from '../../model/commits/facts.js'
import { operationOf } from '../../model/commits/operation.js'
import { isStale } from '../../model/errors.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import type { SiteDraft } from '../../repository/reading/site-draft.js'
import type { SiteCall, Writing } from './call.js'
import type { Performed, Repeatable } from './idempotency.js'
import type { DryRunInput } from './input.js'
import type { Result } from './result.js'
import { answerable, type CommitNotes, toWrite, writeSite } from './write-site.js'

/** How often a change is planned, at most. */
const MAX_TRIES = 5

export interface Plan extends CommitNotes {
  operation: Operation
}

/** There is nothing to change, and this is the answer. */
export interface Nothing<T> {
  operation?: undefined
  nothing: Result<T>
}

type Facts = CommitFacts & { operation: string }

export interface Change<T, P extends Plan> {
  /** The whole request. */
  input: object & DryRunInput
  /** Makes the operation from the site as it is now. Called again if the plan is overtaken. */
  plan: () => P | Nothing<T> | Promise<P | Nothing<T>>
  /** Answers the change, which is durable and live. */
  answer: (written: Written, plan: P) => Result<T> | Promise<Result<T>>
  /** Answers a dry run. Absent if the request has none. */
  show?: (draft: SiteDraft, plan: P) => Result<T> | Promise<Result<T>>
  /** Repeats the answer from the facts of the commit that a first request with the same key made. Absent if the request takes no key. */
  replay?: (facts: Facts) => Result<T> | Promise<Result<T>>
  /** Whether a refusal means that others wrote after the plan was made; by default, whether the writer says so. */
  isOvertaken?: (error: unknown) => boolean
  /** Adds to a refusal what the client needs to go on. */
  explain?: (error: unknown, plan: P) => Promise<unknown>
  /** Cleans up after each try. */
  release?: (plan: P, isDone: boolean) => Promise<void>
}

/** Makes the change, or shows it. Throws as `writeSite` does, and `outcome_unknown` if a change that was made could not be answered. */
export async function changeSite<T, P extends Plan = Plan>(
  call: SiteCall<Writing>,
  change: Change<T, P>,
): Promise<Result<T>> {
  const { input, show, replay } = change
  if (input.dryRun === true) {
    if (show === undefined) throw new Error('this change has no dry run')
    const { result } = await attempt(change, async (plan) => {
      const draft = await call.store.draft(call.site, toWrite(call, plan.operation, plan))
      return { result: await show(draft, plan), committed: false }
    })
    return result
  }
  const make = async (idempotency?: string) =>
    await attempt(change, async (plan) => {
      const written = await writeSite(call, plan.operation, { ...plan, idempotency })
      const answer = await answerable(written, () => change.answer(written, plan))
      // The branch of a change request goes one day: the catalog remembers the answer too.
      const { request } = call.site
      return request === undefined
        ? { result: answer, committed: written.changed }
        : { result: { ...answer, changeRequest: request }, committed: false }
    })
  if (replay === undefined) return (await make()).result
  return await call.idempotency.once(call, { input, ...rememberedBySite(call, replay) }, make)
}

async function attempt<T, P extends Plan>(
  { plan, explain, release, isOvertaken = isStale }: Change<T, P>,
  work: (plan: P) => Promise<Performed<T>>,
): Promise<Performed<T>> {
  for (let tries = 1; ; tries += 1) {
    const planned = await plan()
    if (planned.operation === undefined) return { result: planned.nothing, committed: false }
    let isDone = false
    try {
      const performed = await work(planned)
      isDone = true
      return performed
    } catch (error) {
      if (tries < MAX_TRIES && isOvertaken(error)) continue
      throw (await explain?.(error, planned)) ?? error
    } finally {
      await release?.(planned, isDone)
    }
  }
}

/** Finds the commit of a request with an `Idempotency-Key`: the site's history remembers it. */
function rememberedBySite<T>(
  { indexFollower, store, site }: Pick<SiteCall<Writing>, 'indexFollower' | 'store' | 'site'>,
  replay: NonNullable<Change<T, Plan>['replay']>,
): Required<Pick<Repeatable<T>, 'site' | 'findCommit'>> {
  const findCommit = async (keyHash: string) => {
    const row = await indexFollower.read(site, (index) => index.commits.findByIdempotencyKey(keyHash))
    const facts = row && store.commits.factsOf(site, row.commit)
    if (facts !== undefined) await store.writers.settle(site)
    return (
      row &&
      facts && {
        requestHash: row.requestHash,
        time: row.time,
        facts,
        replay: () => replay({ ...facts, operation: operationOf(facts) }),
      }
    )
  }
  return { site, findCommit }
}
