// What a bench says.

/**
 * One line of the table. `ratio` is ours to the peer's; below 1 is faster for times, above 1 for rates; NaN where the two
 * are not compared.
 */
export interface Row {
  what: string
  /** What is to be reached, of the ratio or of our own figure; absent for what is shown only. */
  target?: string
  ours: string
  peer: string
  ratio: number
}
