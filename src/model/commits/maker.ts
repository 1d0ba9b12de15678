// The principal that made a commit through the service, as its trailers name it. Trailers count only in commits that the service
// signed: everybody can push a message that claims the same.

/** The trailer for the principal's id, by kind of principal. */
export const MAKER_TRAILERS = {
  key: 'Api-Key-Id',
  session: 'Session-Id',
  token: 'Token-Subject',
  operator: 'Operator',
} as const

/** Returns one text for kind and id, so that a token's subject is never taken for a key's id. */
export function makerNameOf({ kind, id }: { kind: keyof typeof MAKER_TRAILERS; id: string }): string {
  return `${MAKER_TRAILERS[kind]}: ${id}`
}

/** Reads the maker; null if no trailer names a principal. */
export function makerIn(trailers: Readonly<Record<string, string>>): string | null {
  const name = Object.values(MAKER_TRAILERS).find((trailer) => trailers[trailer] !== undefined)
  return name === undefined ? null : `${name}: ${trailers[name]}`
}
