// Says in words what the scopes of a key or an agent allow.

import type { Key } from '../../api/client.js'

type Scope = Key['scopes'][number]

/** From the weakest to the strongest: each one includes those before it. */
const MAY: readonly (readonly [Scope, string])[] = [
  ['read', 'reads'],
  ['propose', 'reads, and proposes changes'],
  ['write', 'publishes'],
  ['sites', 'publishes, and makes sites'],
  ['admin', 'publishes, and manages keys, people and sites'],
]

export function wordScopes(scopes: readonly Scope[]): string {
  return MAY.findLast(([scope]) => scopes.includes(scope))?.[1] ?? 'does nothing'
}
