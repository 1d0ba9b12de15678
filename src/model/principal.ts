// The caller of a use case, and what the caller may do.

export type Scope = 'read' | 'write' | 'admin'

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
  /** When the key or token expires: no key that it mints stays valid longer. Null: never, and for sessions, whose person can sign in again. */
  expiresAt: string | null
}
