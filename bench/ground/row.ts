// The result of a bench.

/**
 * One line of the table. `ratio` is ours divided by the peer's: below 1 is faster for times, above 1 for rates; NaN if the two
 * are not compared.
 */
export interface Row {
  what: string
  /** The target for the ratio or for our own figure; absent if there is none. */
  target?: string
  ours: string
  peer: string
  ratio: number
}
