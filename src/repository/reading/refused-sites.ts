// The sites that this process refuses to serve, with the reasons.

import { ServiceError } from '../../model/errors.js'
import { placeIdOf } from '../protocol/site-place.js'
import type { SiteRef } from '../protocol/write.js'

export class RefusedSites {
  readonly #deleted = new Set<string>()
  /** Sites and change requests of which this machine lacks commits that another machine has acknowledged, by id. */
  readonly #behind = new Set<string>()

  /** Makes the site answer `site_not_found` from now on. */
  setDeleted(site: SiteRef): void {
    this.#deleted.add(site.id)
  }

  /** Sets whether the site, or one change request of it, is behind; it then answers `site_busy`. */
  setBehind(site: SiteRef, isBehind: boolean): void {
    if (isBehind) this.#behind.add(placeIdOf(site))
    else this.#behind.delete(placeIdOf(site))
  }

  /** A change request is also behind if its site is: it borrows main's objects. */
  isBehind(site: SiteRef): boolean {
    return this.#behind.has(site.id) || this.#behind.has(placeIdOf(site))
  }

  /** Throws `site_not_found` for a site that this process deleted. */
  refuseDeleted(site: SiteRef): void {
    if (this.#deleted.has(site.id)) throw new ServiceError('site_not_found', 'This site was deleted.')
  }

  /** Throws as `refuseDeleted` does, and `site_busy` for a site that is behind. */
  refuse(site: SiteRef): void {
    this.refuseDeleted(site)
    if (this.isBehind(site))
      throw new ServiceError(
        'site_busy',
        'This machine has not received the newest version of this site yet. Try again in a second.',
      )
  }
}
