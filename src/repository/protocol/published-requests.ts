// The change requests that this machine's writer thread of a site published. A write that was under way then finds its branch ended, so
// none is acknowledged that main lacks.

import { ServiceError } from '../../model/errors.js'
import { OutcomeUnknown } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { RequestsMoved } from './repository.js'
import type { Publication, SiteRef } from './write.js'

export class PublishedRequests {
  /** Kept until the thread ends: the catalog refuses later writes. */
  readonly #ids = new Set<string>()

  /** Throws `change_request_closed` for the branch of a published request. */
  refuse({ request }: Pick<SiteRef, 'request'>): void {
    if (request !== undefined && this.#ids.has(request)) throw requestClosed()
  }

  /** Runs the synchronous move of main that publishes them. Throws RequestsMoved if a branch is no longer at the commit that is published. */
  during(publications: readonly Publication[], headOf: (request: string) => Oid | undefined, move: () => void): void {
    const ids = publications.map(({ request }) => request)
    const moved = publications.filter(({ request, head }) => this.#ids.has(request) || headOf(request) !== head)
    if (moved.length > 0) throw new RequestsMoved(moved.map(({ request }) => request))
    for (const id of ids) this.#ids.add(id)
    try {
      move()
    } catch (error) {
      // With an unknown outcome main has moved, and may lose that in a power cut.
      if (!(error instanceof OutcomeUnknown)) for (const id of ids) this.#ids.delete(id)
      throw error
    }
  }
}

/** Returns the refusal of whatever only an open request takes. */
export function requestClosed(number?: number): ServiceError {
  return new ServiceError(
    'change_request_closed',
    `${number === undefined ? 'The change request' : `Change request ${number}`} is closed or published: nothing was changed. Reopen a closed one, or make another with changeRequest=new.`,
  )
}
