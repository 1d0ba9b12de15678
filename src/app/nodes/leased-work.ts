// What one node at a time does, and the others are told of: imports, and requests with an idempotency key. A node has its work as a lease.

import { ServiceError } from '../../model/errors.js'
import type { Leases } from '../../nodes/leases.js'
import { DatabaseUnavailable } from '../../postgres/database-errors.js'
import type { KeysOfNodes } from '../../usecases/context/idempotency.js'
import type { ImportProgress, ImportsOfNodes } from '../../usecases/provisioning/imports-of-nodes.js'

/** A node that says nothing for so long does its imports no more. */
const IMPORT_SILENCE_SECONDS = 5
/** Nor does it answer the request that it has taken by then, unless it stood still for longer. */
const KEY_SILENCE_SECONDS = 45
const NO_ANSWER = 'The database of the service cannot be reached. Try again.'

/** Of imports: the node that does one renews its lease, says how far it is, and hears that it shall end. */
export function importsByLease(leases: Leases, follow: () => Promise<void>): ImportsOfNodes {
  const nameOf = (id: string) => `import ${id}`
  return {
    async begin(id, progress, onUnwanted) {
      const options = { seconds: IMPORT_SILENCE_SECONDS, say: progress, onUnwanted }
      const held = await answered(leases.hold(nameOf(id), options))
      if (held === undefined) throw new Error(`another node imports ${id}`)
      return held
    },
    progressOf: async (id) => (await answered(leases.find(nameOf(id)))) as ImportProgress | undefined,
    end: (id) => answered(leases.end(nameOf(id))),
    follow,
  }
}

/** Of requests with an idempotency key: whoever takes one knows all that others have answered with it. */
export function idempotencyKeysByLease(leases: Leases, follow: () => Promise<void>): KeysOfNodes {
  return {
    async take(hash) {
      const held = await answered(leases.hold(`key ${hash}`, { seconds: KEY_SILENCE_SECONDS }))
      await follow()
      return held
    },
  }
}

async function answered<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw Object.assign(new ServiceError('storage_failed', NO_ANSWER), { cause: error })
  })
}
