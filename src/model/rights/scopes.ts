// The scopes of keys, tokens and roles.

/** Each scope but `propose` includes those before it; `write` includes `propose` too (`holdsScope`). */
export const SCOPES = ['read', 'propose', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word)
}

/** Whether a list of scopes allows what needs `scope`. `propose` allows dry runs of writes, and so does `write`. */
export function holdsScope(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.includes(scope) || (scope === 'propose' && scopes.includes('write'))
}
