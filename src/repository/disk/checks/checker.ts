// The serving thread's client of the thread that checks repositories.

import type { Oid } from '../../../git/objects/oid.js'
import { ThreadClient } from '../../../threads/client.js'
import { ENTRIES } from '../../../threads/entries.js'
import type { CheckerProtocol, ObjectsFound } from './checker-thread.js'
import type { Trouble } from '../../protocol/trouble.js'
import { draftsOf } from '../../protocol/site-place.js'
import type { SiteRef } from '../../protocol/write.js'
import type { Part } from './served-objects.js'

/** Where the repositories of sites are. */
interface Places {
  gitdir: (site: SiteRef) => string
  /** The repository that a place borrows objects from; undefined for main. */
  lender: (site: SiteRef) => string | undefined
}

export class Checker {
  readonly #places: Places
  readonly #client = new ThreadClient<CheckerProtocol>({
    entry: ENTRIES.checkerThread,
    lost: (cause) => new Error('the checker thread ended', { cause }),
    // The process may end while it reads.
    keepsAlive: false,
  })

  constructor(places: Places) {
    this.#places = places
  }

  /** Finds faults of the site's repositories that show without reading all of them. */
  inspect(site: SiteRef): Promise<Trouble[]> {
    const [gitdir, drafts] = [this.#places.gitdir(site), this.#places.gitdir(draftsOf(site))]
    return this.#client.ask({ gitdir, drafts, inspected: site.id }) as Promise<Trouble[]>
  }

  /**
   * Checks the next part of the served objects of the site, or of all its change requests if it names one. Starts over if the last part
   * was of another repository.
   */
  checkPart(site: SiteRef): Promise<Part> {
    return this.#client.ask(this.#repositoryOf(site)) as Promise<Part>
  }

  /** Returns the objects that are still damaged, and how the refs are now. `since` is how they were at the last check. */
  checkObjects(site: SiteRef, oids: readonly Oid[], since: string | undefined): Promise<ObjectsFound> {
    return this.#client.ask({ ...this.#repositoryOf(site), oids, since }) as Promise<ObjectsFound>
  }

  #repositoryOf(site: SiteRef) {
    return { gitdir: this.#places.gitdir(site), lender: this.#places.lender(site) }
  }

  close(): Promise<void> {
    return this.#client.close(new Error('the checker is closed'))
  }
}
