// Who made a commit through the service, as its trailers name them. Trailers count only in commits that the service signed: anybody
// can push a message that claims the same.

/** The trailer that holds the principal's id, by kind of principal. */
export const MAKER_TRAILERS = {
  key: 'Api-Key-Id',
  session: 'Session-Id',
  token: 'Token-Subject',
  operator: 'Operator',
} as const

/** One text for kind and id, so that a token's subject is never taken for a key's id. */
export function makerNameOf({ kind, id }: { kind: keyof typeof MAKER_TRAILERS; id: string }): string {
  return `${MAKER_TRAILERS[kind]}: ${id}`
}

/** Null where no trailer names a principal. */
export function makerIn(trailers: Readonly<Record<string, string>>): string | null {
  const name = Object.values(MAKER_TRAILERS).find((trailer) => trailers[trailer] !== undefined)
  return name === undefined ? null : `${name}: ${trailers[name]}`
}
