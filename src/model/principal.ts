// Who is asking: what a valid key says about its bearer.

export type Scope = 'read' | 'write' | 'admin'

export interface Principal {
  keyId: string
  /** Shown as the author of commits. */
  label: string
  workspaceId: string
  scopes: readonly Scope[]
  /** Ids of the only sites the key may see; null means every site of its workspace. */
  sites: readonly string[] | null
}
