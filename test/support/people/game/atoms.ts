// Rights in their smallest parts, so that what one has can be compared with what another has. Written by hand: it knows no code of the service.

/** `write s1`, `admin *`, `owner`, `as <person>`. */
export type Atoms = ReadonlySet<string>

export const NOTHING: Atoms = new Set()

const OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  viewer: ['read'],
  author: ['read', 'propose'],
  editor: ['read', 'propose', 'write'],
  admin: ['read', 'propose', 'write', 'admin'],
  owner: ['read', 'propose', 'write', 'admin'],
}
const OF_SCOPE: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  propose: ['read', 'propose'],
  write: ['read', 'propose', 'write'],
  admin: ['read', 'propose', 'write', 'admin'],
}

/** Takes the sites of the game, and one more for those that are made later. */
export class Places {
  readonly #all: readonly string[]

  constructor(siteIds: readonly string[]) {
    this.#all = [...siteIds, 'later']
  }

  ofRole({ role, sites }: { role: string; sites: readonly string[] | null }): Atoms {
    return new Set([...this.#each(OF_ROLE[role] ?? [], sites), ...(role === 'owner' ? ['owner'] : [])])
  }

  ofScopes(scopes: readonly string[], sites: readonly string[] | null): Atoms {
    return new Set(this.#each([...new Set(scopes.flatMap((scope) => OF_SCOPE[scope] ?? []))], sites))
  }

  #each(words: readonly string[], sites: readonly string[] | null): string[] {
    return words.flatMap((word) => (sites ?? this.#all).map((site) => `${word} ${site}`))
  }
}

export function union(...all: readonly Atoms[]): Atoms {
  return new Set(all.flatMap((atoms) => [...atoms]))
}

export function both(one: Atoms, other: Atoms): Atoms {
  return new Set([...one].filter((atom) => other.has(atom)))
}

/** Returns what `one` has and `other` lacks. */
export function without(one: Atoms, other: Atoms): string[] {
  return [...one].filter((atom) => !other.has(atom))
}
