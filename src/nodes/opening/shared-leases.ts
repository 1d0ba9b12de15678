// The leases that nodes share, as use cases hold them: in PostgreSQL, with a silence after which a node counts as dead.

import { ServiceError } from '../../model/errors.js'
import type { Leases as DatabaseLeases } from '../leases.js'
import { DatabaseUnavailable } from '../postgres/database-errors.js'
import type { LeaseKind, Leases } from '../../threads/leases.js'

/** A node that answers requests may be suspended for longer than one that reports its progress. */
const SILENCE_SECONDS: Readonly<Record<LeaseKind, number>> = { import: 5, key: 45 }
const NO_ANSWER = 'The database of the service cannot be reached. Try again.'

/** `follow` brings this node's catalog to what any node wrote before the call. */
export function shareLeases(leases: DatabaseLeases, follow: () => Promise<void>): Leases {
  return {
    async hold(kind, name, options) {
      const seconds = SILENCE_SECONDS[kind]
      const held = await answered(leases.hold(idOf(kind, name), { ...options, seconds }))
      try {
        if (held !== undefined) await follow()
        return held
      } catch (error) {
        // It would renew itself for as long as this process lives.
        await held?.release()
        throw error
      }
    },
    find: (kind, name) => answered(leases.find(idOf(kind, name))),
    async end(kind, name) {
      await answered(leases.end(idOf(kind, name)))
      await follow()
    },
  }
}

function idOf(kind: LeaseKind, name: string): string {
  return `${kind} ${name}`
}

async function answered<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw Object.assign(new ServiceError('storage_failed', NO_ANSWER), { cause: error })
  })
}
