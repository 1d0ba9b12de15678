// The author and the makers of change requests: whose a request is, and who sees it.

import type { ChangeRequest, RequestAuthor } from '../../catalog/requests/change-requests.js'
import type { RequestMaker } from '../../catalog/requests/makers.js'
import { makerOf, type Principal } from '../../model/principal.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'

type Caller = Pick<Principal, 'kind' | 'id' | 'person'>
type OfRequest = Pick<ChangeRequest, 'madeBy' | 'userId'>

/** Returns the caller as an author of change requests. A person in a session is the author of those of the person's keys and agents too. */
export function asAuthor(caller: Caller): RequestAuthor {
  const { kind, person } = caller
  return kind === 'session' && person !== undefined ? { userId: person.id } : { madeBy: makerOf(caller) }
}

/** Returns what a row that the caller makes says of its maker. `asAuthor` and `isAuthor` read it. */
export function madeByOf(caller: Caller): OfRequest {
  return { madeBy: makerOf(caller), userId: caller.person?.id ?? null }
}

/** Whether the caller made the request, or in a session the person for whom that principal acts. */
export function isAuthor({ madeBy, userId }: OfRequest, caller: Caller): boolean {
  const author = asAuthor(caller)
  return 'userId' in author ? author.userId === userId : author.madeBy === madeBy
}

/** Whether the caller sees the request: its author, and callers who may write to the site. To others it does not exist. */
export function maySee(request: OfRequest, caller: Caller, scopes: readonly Scope[]): boolean {
  return holdsScope(scopes, 'write') || isAuthor(request, caller)
}

/** Lists the makers to note before the caller writes. What is written in a session that owners lent is theirs too. */
export function makersOf(caller: Caller & Pick<Principal, 'label' | 'lentBy'>): RequestMaker[] {
  const { label, lentBy = [] } = caller
  const lenders = lentBy.map((userId) => ({ madeBy: `user ${userId}`, userId, label }))
  return [{ ...madeByOf(caller), label }, ...lenders]
}
