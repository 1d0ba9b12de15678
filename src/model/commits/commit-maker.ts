// Names who or what made a commit: a person, an agent for a person, or a key.

import { CLIENT_TRAILER, MAKER_TRAILERS, USER_TRAILER } from './maker.js'

interface CommitMaker {
  maker?: 'person' | 'agent' | 'key' | 'token' | 'operator'
  agent?: { id: string; name: string | null; userId: string | null }
}

const KINDS: Readonly<Record<string, NonNullable<CommitMaker['maker']>>> = {
  [USER_TRAILER]: 'person',
  [MAKER_TRAILERS.session]: 'person',
  [MAKER_TRAILERS.agent]: 'agent',
  [MAKER_TRAILERS.key]: 'key',
  [MAKER_TRAILERS.token]: 'token',
  [MAKER_TRAILERS.operator]: 'operator',
}

/** Names the maker of a commit that the service signed, and the agent in its trailers. */
export function signedMaker(maker: string, trailers: Readonly<Record<string, string>>): CommitMaker {
  const id = trailers[MAKER_TRAILERS.agent]
  if (id === undefined) return makerKind(maker)
  const agent = { id, name: trailers[CLIENT_TRAILER] ?? null, userId: trailers[USER_TRAILER] ?? null }
  return { ...makerKind(maker), agent }
}

/** `maker` has the form of `makerNameOf`. */
export function makerKind(maker: string | null | undefined): CommitMaker {
  const kind = KINDS[maker?.split(': ')[0] ?? '']
  return kind === undefined ? {} : { maker: kind }
}
