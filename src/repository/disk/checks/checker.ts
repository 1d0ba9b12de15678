// The serving thread's client of the thread that checks repositories.

import type { Oid } from '../../../git/objects/oid.js'
import { ThreadClient } from '../../../threads/client.js'
import { ENTRIES } from '../../../threads/entries.js'
import type { CheckerProtocol, ObjectsFound } from './checker-thread.js'
import type { Trouble } from '../../protocol/trouble.js'
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

  /** Finds faults of the repository that show without reading all of it. */
  inspect(site: SiteRef): Promise<Trouble[]> {
    return this.#client.ask({ gitdir: this.#gitdirOf(site), inspected: site.id }) as Promise<Trouble[]>
  }

  /** Checks the next part of the repository's served objects; starts over if the last part was of another repository. */
  checkPart(site: SiteRef): Promise<Part> {
    return this.#client.ask({ gitdir: this.#gitdirOf(site) }) as Promise<Part>
  }

  /** Returns the objects that are still damaged, and where main is now. `since` is main at the time of the last check. */
  checkObjects(site: SiteRef, oids: readonly Oid[], since: Oid | undefined): Promise<ObjectsFound> {
    return this.#client.ask({ gitdir: this.#gitdirOf(site), oids, since }) as Promise<ObjectsFound>
  }

  close(): Promise<void> {
    return this.#client.close(new Error('the checker is closed'))
  }
}
