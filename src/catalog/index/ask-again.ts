// A question to the index that survives the loss of its file, and another process that indexes the same site.

import { IndexMoved } from './apply.js'
import { IndexLost } from './site-index.js'

const MOST_TRIES = 3

/** `ask` catches up with the sites it is about and asks; both are done again when the index was lost or moved meanwhile. */
export function askAgain<T>(ask: () => T): T {
  for (let tries = 1; ; tries += 1) {
    try {
      return ask()
    } catch (error) {
      const passing = error instanceof IndexLost || error instanceof IndexMoved
      if (!passing || tries === MOST_TRIES) throw error
    }
  }
}
