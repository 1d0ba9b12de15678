// Who is asking: what a valid key or session says about its bearer.

export type Scope = 'read' | 'write' | 'admin'

export interface Principal {
  /** What was shown: a key of ours, a session of the dashboard, or a token that an identity provider vouches for. */
  kind: 'key' | 'session' | 'token'
  /** The id of the key or session; of a token, its subject. */
  id: string
  /** Shown as the author of commits. */
  label: string
  workspaceId: string
  scopes: readonly Scope[]
  /** Ids of the only sites that are open; null means every site of its workspace. */
  sites: readonly string[] | null
}
