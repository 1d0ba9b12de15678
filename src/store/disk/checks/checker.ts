// The serving thread's side of the thread that checks objects.

import type { Oid } from '../../../git/objects/oid.js'
import { ThreadClient } from '../../../threads/client.js'
import { ENTRIES } from '../../../threads/entries.js'
import type { CheckerProtocol, ObjectsFound } from './checker-thread.js'
import type { SiteRef } from '../../protocol/write.js'
import type { Part } from './served-objects.js'

export class Checker {
  readonly #gitdirOf: (site: SiteRef) => string
  readonly #client = new ThreadClient<CheckerProtocol>({
    entry: ENTRIES.checkerThread,
    lost: (cause) => new Error('the checker thread ended', { cause }),
    // The process may end while it reads.
    keepsAlive: false,
  })

  constructor(gitdirOf: (site: SiteRef) => string) {
    this.#gitdirOf = gitdirOf
  }

  /** The next part of what the repository serves, from the start unless the part before was of it too. */
  checkPart(site: SiteRef): Promise<Part> {
    return this.#client.ask({ gitdir: this.#gitdirOf(site) }) as Promise<Part>
  }

  /** Which of the objects are damaged still, and where main is now; `since` is where main was when they were looked at last. */
  checkObjects(site: SiteRef, oids: readonly Oid[], since: Oid | undefined): Promise<ObjectsFound> {
    return this.#client.ask({ gitdir: this.#gitdirOf(site), oids, since }) as Promise<ObjectsFound>
  }

  close(): Promise<void> {
    return this.#client.close(new Error('the checker is closed'))
  }
}
