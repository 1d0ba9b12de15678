// The principal that made a commit through the service, as its trailers name it. Trailers count only in commits that the service
// signed: everybody can push a message that claims the same.

import type { Principal } from '../principal.js'

/** The trailer for the principal's id, by kind of principal. */
export const MAKER_TRAILERS = {
  key: 'Api-Key-Id',
  session: 'Session-Id',
  agent: 'Agent-Id',
  token: 'Token-Subject',
  operator: 'Operator',
} as const satisfies Record<Principal['kind'], string>

/** The trailers for the person's id, and for the name of an agent's program. */
export const USER_TRAILER = 'User-Id'
export const CLIENT_TRAILER = 'Agent'

/** The trailers that can name the maker, the one that counts first. A session's changes are the person's. */
const BY_RANK = [
  MAKER_TRAILERS.key,
  MAKER_TRAILERS.agent,
  MAKER_TRAILERS.token,
  MAKER_TRAILERS.operator,
  USER_TRAILER,
  MAKER_TRAILERS.session,
]

/** Returns one text for kind and id, so that a token's subject is never taken for a key's id. */
export function makerNameOf({ kind, id, person }: Pick<Principal, 'kind' | 'id' | 'person'>): string {
  return kind === 'session' && person !== undefined ? `${USER_TRAILER}: ${person.id}` : `${MAKER_TRAILERS[kind]}: ${id}`
}

/** Returns the trailers that name the maker, in the order of the service's messages; with the id of the request that asked for the commit. */
export function makerTrailers({ kind, id, person, client }: Principal, requestId?: string): [string, string][] {
  const trailers: [string, string][] = [[MAKER_TRAILERS[kind], id]]
  if (requestId !== undefined) trailers.push(['Request-Id', requestId])
  if (person !== undefined) trailers.push([USER_TRAILER, person.id])
  if (client !== undefined) trailers.push([CLIENT_TRAILER, client])
  return trailers
}

/** Returns the trailer that names a maker of the form of `makerOf`: `user <id>`, or kind and id. */
export function trailerOfMaker(maker: string): [name: string, value: string] {
  const [kind = '', ...id] = maker.split(' ')
  const names: Readonly<Record<string, string>> = { ...MAKER_TRAILERS, user: USER_TRAILER }
  return [names[kind] ?? USER_TRAILER, id.join(' ')]
}

/** Reads the maker; null if no trailer names a principal. */
export function makerIn(trailers: Readonly<Record<string, string>>): string | null {
  const name = BY_RANK.find((trailer) => trailers[trailer] !== undefined)
  return name === undefined ? null : `${name}: ${trailers[name]}`
}
