// What a bench says.

/** One line of the table. `ratio` is ours to the peer's; below 1 is faster for times, above 1 for rates. */
export interface Row {
  what: string
  ours: string
  peer: string
  ratio: number
}
