// Reports a node's state in `/readyz?verbose=1` and `/healthz?verbose=1`. Only programs on the same machine get slugs and addresses; others
// get their number.

import type { Services } from '../usecases/context/services.js'

/** Returns undefined if this machine has all data. */
export function nodeReport({ node, store }: Services, isTold: boolean): object | undefined {
  if (node === undefined) return undefined
  const { database, writeFault = null, nodes, completeAsOf, lastError } = node.describe()
  const behind = store.troubles.list().filter(({ kind }) => kind === 'behind')
  return isTold
    ? {
        database,
        writeFault,
        completeAsOf,
        behind: behind.map(({ slug }) => slug),
        nodes,
        lastError: lastError ?? null,
      }
    : { database: { promise: database.promise }, writeFault, behind: behind.length, nodes: nodes.length }
}
