// Tells its listeners of each commit that became live: main of a site moved to it, whoever moved it and however. What changes with the
// content of sites listens here. The first commit of a new site has no content, and is not told.
//
// It is a hint inside one process. It may be missed: at a stop, or for a push by path while the service is down. It may come twice. A
// listener that may miss nothing keeps a cursor in the history, and catches up at the start.

import type { Oid } from '../../git/objects/oid.js'
import type { SiteRef, Write } from './write.js'
import type { Written } from './written.js'

export interface LiveCommit {
  site: SiteRef
  /** Main as the teller saw it. It may have moved on since. */
  commit: Oid
  /** The commit to which main was followed before. Only those who follow main know it, and not of the first commit that they see. */
  since?: Oid
  /** The write that made the commit, if this process made it. */
  own?: { write: Write; written: Written }
}

type Listener = (live: LiveCommit) => void | Promise<void>

export class LiveCommits {
  readonly #listeners: Listener[] = []
  readonly #onFailure: (error: unknown) => void

  /** `onFailure` takes the errors of listeners. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** Calls the listener with each commit from now on, while the teller waits. Long work must go on by itself. */
  onLive(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Tells all listeners, in their order. Never throws. */
  tell(live: LiveCommit): void {
    for (const listener of this.#listeners) void this.#callListener(listener, live)
  }

  async #callListener(listener: Listener, live: LiveCommit): Promise<void> {
    try {
      await listener(live)
    } catch (error) {
      this.#onFailure(error)
    }
  }
}
