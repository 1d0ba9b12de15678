// The scopes that agents may have: all but `admin`, so that no agent manages keys and people.

import { SCOPES, type Scope } from './scopes.js'

export type AgentScope = Exclude<Scope, 'admin'>
export const AGENT_SCOPES: readonly AgentScope[] = SCOPES.filter((scope) => scope !== 'admin')

/** Returns the scopes that one gives: itself and those below it. */
export function scopesUpTo(scope: AgentScope): AgentScope[] {
  return AGENT_SCOPES.slice(0, AGENT_SCOPES.indexOf(scope) + 1)
}

/**
 * Returns the strongest scope in a text of words. Unknown ones are left out (RFC 6749 §3.3). Where no known one is named, it is the
 * strongest of all: the person decides.
 */
export function strongestScope(words = ''): AgentScope {
  const wanted = words.split(' ')
  return AGENT_SCOPES.findLast((scope) => wanted.includes(scope)) ?? 'sites'
}
