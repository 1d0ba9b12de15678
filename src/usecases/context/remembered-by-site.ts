// Requests with an `Idempotency-Key` that make a commit: the site's history remembers them.

import type { Site } from '../../catalog/site.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { operationOf } from '../../model/commits/operation.js'
import type { Repeatable } from './idempotency.js'
import type { Result } from './result.js'
import type { Services } from './services.js'

/** Finds the commit of a request. `replay` repeats the first answer from the facts of the first request's commit. */
export function rememberedBySite<T>(
  services: Services,
  site: Site,
  replay: (facts: CommitFacts & { operation: string }) => Result<T> | Promise<Result<T>>,
): Required<Pick<Repeatable<T>, 'site' | 'findCommit'>> {
  const findCommit = async (keyHash: string) => {
    const row = await services.indexFollower.read(site, (index) => index.commits.findByIdempotencyKey(keyHash))
    const facts = row && services.store.commits.factsOf(site, row.commit)
    if (facts !== undefined) await services.store.settle(site)
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
