// The error for a folder that cannot be published.

/** The reason of a link that `followLinks` would follow. */
export const LEADS_OUT = 'is a link that leads out of the folder'
export const NAME_NOT_UTF8 = 'has a name that is not UTF-8: rename it'

export interface RefusedName {
  name: string
  /** The words that follow the name in a sentence: `is a link to nothing`. */
  reason: string
}

export class UnusableFolder extends Error {
  override name = 'UnusableFolder'
  /** Each faulty name; empty if the fault is the folder as a whole. */
  readonly refused: readonly RefusedName[]

  constructor(message: string, refused: readonly RefusedName[] = []) {
    super(message)
    this.refused = refused
  }
}
