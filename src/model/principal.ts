// The caller of a use case, and the caller's rights.

import type { Role } from './rights/roles.js'
import type { Scope } from './rights/scopes.js'

/** A person with a role in the workspace of the request. */
export interface Person {
  id: string
  name: string
  role: Role
}

/** Sets of tools for an agent: fewer tools cost a model less on every turn. They do not limit what a key may do. */
export const TOOLSETS = ['all', 'pages'] as const
export type Toolset = (typeof TOOLSETS)[number]

export function isToolset(name: string): name is Toolset {
  return (TOOLSETS as readonly string[]).includes(name)
}

export const PRINCIPAL_KINDS = ['key', 'session', 'agent', 'token', 'operator'] as const

export interface Principal {
  /**
   * Kind of authentication: an API key, a session of the dashboard, a connected agent, an identity provider's token, or the operator at the
   * command line.
   */
  kind: (typeof PRINCIPAL_KINDS)[number]
  /** Id of the key, session or agent; subject of a token. */
  id: string
  /** The person who acts. Undefined for keys of the workspace, and for sessions that began before people had accounts. */
  person?: Person
  /** The name of the agent's program. */
  client?: string
  /** Shown as the author of commits. */
  label: string
  workspaceId: string
  /** Ids of the owners whose link began the session, which opens this workspace alone. Undefined for all others. */
  lentBy?: readonly string[]
  scopes: readonly Scope[]
  /** Ids of the only sites it may use; null means every site of its workspace. */
  sites: readonly string[] | null
  /** Patterns of the only paths that it may write to; without them, all. */
  paths?: readonly string[]
  /** Origins of the only web pages that may use it; without them, those that the service allows to every key. */
  origins?: readonly string[]
  /** The tools that it is offered if a request names none. */
  toolset?: Toolset
  /** Expiry of the key or token; no key that it mints is valid longer. Null: never, and for sessions, as a person can sign in again. */
  expiresAt: string | null
}

/** Names the maker of something that outlives a request: `user <id>` for a person in a session, else kind and id. */
export function makerOf({ kind, id, person }: Pick<Principal, 'kind' | 'id' | 'person'>): string {
  return kind === 'session' && person !== undefined ? `user ${person.id}` : `${kind} ${id}`
}
