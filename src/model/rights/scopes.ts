// The scopes of keys, tokens and roles.

/**
 * From the weakest to the strongest: each one includes those before it. `propose` allows dry runs of writes; `sites` makes sites; `admin`
 * changes keys, people and sites.
 */
export const SCOPES = ['read', 'propose', 'write', 'sites', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word)
}

/** Whether a list of scopes allows what needs `scope`. */
export function holdsScope(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.some((held) => SCOPES.indexOf(held) >= SCOPES.indexOf(scope))
}
