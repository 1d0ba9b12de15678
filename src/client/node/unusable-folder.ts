// What is wrong with a folder that cannot be published.

/** The reason of a link that `followLinks` would follow. */
export const LEADS_OUT = 'is a link that leads out of the folder'

export interface RefusedName {
  name: string
  /** What follows the name in a sentence: `is a link to nothing`. */
  reason: string
}

export class UnusableFolder extends Error {
  override name = 'UnusableFolder'
  /** Each name at fault; empty where the folder as a whole is. */
  readonly refused: readonly RefusedName[]

  constructor(message: string, refused: readonly RefusedName[] = []) {
    super(message)
    this.refused = refused
  }
}
