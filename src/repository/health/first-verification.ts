// Verifies a site's repository when the site is first read; the patrol checks it from then on.

import { repositoryNameOf } from '../protocol/site-place.js'
import type { SiteRef } from '../protocol/write.js'

export interface FirstVerificationParts {
  /** Rejects with the reason if the repository cannot be used. */
  verify: (site: SiteRef) => Promise<void>
  /** Takes that reason. Throws for a site that was deleted meanwhile; that error is ignored. */
  onFailed: (site: SiteRef, error: unknown) => void
}

export class FirstVerification {
  readonly #parts: FirstVerificationParts
  /** Names of the repositories that were verified, or will be. */
  readonly #known = new Set<string>()
  #last = Promise.resolve()

  constructor(parts: FirstVerificationParts) {
    this.#parts = parts
  }

  /** Verifies the site in the background. Sites go one after the other, since a site's writes wait meanwhile. */
  request(site: SiteRef): void {
    const name = repositoryNameOf(site)
    if (this.#known.has(name)) return
    this.#known.add(name)
    const { verify, onFailed } = this.#parts
    const failed = (error: unknown) => {
      this.#known.delete(name)
      onFailed(site, error)
    }
    this.#last = this.#last.then(() => verify(site).catch(failed)).catch(() => undefined)
  }
}
