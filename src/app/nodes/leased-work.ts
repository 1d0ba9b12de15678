// Work that only one node may do at a time, while the others are informed: imports, and requests with an idempotency key. Each is a lease.

import { ServiceError } from '../../model/errors.js'
import type { Leases } from '../../nodes/leases.js'
import { DatabaseUnavailable } from '../../postgres/database-errors.js'
import type { KeysOfNodes } from '../../usecases/context/idempotency.js'
import type { ImportProgress, ImportsOfNodes } from '../../usecases/provisioning/imports-of-nodes.js'

/** After this silence, a node no longer counts as running its imports. */
const IMPORT_SILENCE_SECONDS = 5
/** After this silence, a node no longer answers a request that it took, unless it was suspended for longer. */
const KEY_SILENCE_SECONDS = 45
const NO_ANSWER = 'The database of the service cannot be reached. Try again.'

/** Leases for imports. The importing node renews its lease, reports its progress, and learns when it must stop. */
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

/** Leases for idempotency keys. A node that takes one then has all answers that other nodes gave with it. */
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
