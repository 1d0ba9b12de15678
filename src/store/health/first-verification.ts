// Has the repository of a site verified when the site is read for the first time; the patrol looks after it from then on.

import type { SiteRef } from '../protocol/write.js'

export interface FirstVerificationParts {
  /** Rejects with the reason why the repository cannot be used. */
  verify: (site: SiteRef) => Promise<void>
  /** Takes that reason. It throws for a site that was deleted meanwhile, of which there is nothing to say. */
  onFailed: (site: SiteRef, error: unknown) => void
}

export class FirstVerification {
  readonly #parts: FirstVerificationParts
  /** Ids of the sites that were verified, or will be. */
  readonly #known = new Set<string>()
  #last = Promise.resolve()

  constructor(parts: FirstVerificationParts) {
    this.#parts = parts
  }

  /** The reader does not wait. One site after the other, since its writes wait meanwhile. */
  request(site: SiteRef): void {
    if (this.#known.has(site.id)) return
    this.#known.add(site.id)
    const { verify, onFailed } = this.#parts
    const failed = (error: unknown) => {
      this.#known.delete(site.id)
      onFailed(site, error)
    }
    this.#last = this.#last.then(() => verify(site).catch(failed)).catch(() => undefined)
  }
}
