// The caller of a use case, and what the caller may do.

export type Scope = 'read' | 'write' | 'admin'

/** Which of the tools an agent is offered: fewer cost a model less on every turn. No limit of what a key may do. */
export const TOOLSETS = ['all', 'pages'] as const
export type Toolset = (typeof TOOLSETS)[number]

export function isToolset(name: string): name is Toolset {
  return (TOOLSETS as readonly string[]).includes(name)
}

export interface Principal {
  /** How they authenticated: by an API key, a dashboard session, an identity provider's token, or as the operator at the command line. */
  kind: 'key' | 'session' | 'token' | 'operator'
  /** The id of the key or session; the subject of a token. */
  id: string
  /** Shown as the author of commits. */
  label: string
  workspaceId: string
  scopes: readonly Scope[]
  /** Ids of the only sites that are open; null means every site of its workspace. */
  sites: readonly string[] | null
  /** Patterns of the only paths that it may write to; without them, all. */
  paths?: readonly string[]
  /** Origins of the only web pages that may use it; without them, those that the service allows to every key. */
  origins?: readonly string[]
  /** The tools that it is offered where a request names none. */
  toolset?: Toolset
  /** When the key or token expires: no key that it mints stays valid longer. Null: never, and for sessions, whose person can sign in again. */
  expiresAt: string | null
}
