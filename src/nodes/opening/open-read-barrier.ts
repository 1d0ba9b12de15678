// Connects a node's read barrier with the store that it updates, and with the progress reports of a joining node.

import type { Catalog } from '../../catalog/catalog.js'
import type { NodeCatalog } from '../catalog/node-catalog.js'
import { ServiceError } from '../../model/errors.js'
import { countEntriesAfter, Joining } from '../joining.js'
import { ReadBarrier } from '../read-barrier.js'
import type { Primary } from '../primary.js'
import type { Signers } from '../signers.js'
import type { Connections } from '../postgres/connections.js'
import type { Store } from '../../repository/store.js'

export interface BarrierParts {
  primary: Primary
  shared: NodeCatalog
  signers: Signers
  store: Store
}

/** `onFailure` is called when PostgreSQL does not answer. */
export function openReadBarrier(
  { primary, shared, signers, store }: BarrierParts,
  onFailure: (error: unknown) => void,
): ReadBarrier {
  return new ReadBarrier({
    moves: (since) => primary.pollMoves(since),
    followCatalog: ({ mark }) => shared.follow(mark),
    followSigners: (mark) => signers.follow(mark),
    siteOf: (id) => shared.catalog.sites.findOfAnyState(id),
    isAt: (site, refs) => store.isAt(site, refs),
    follow: (site) => store.follow(site),
    onStalled: (site, error) =>
      store.setBehind(site, `This node cannot fetch the site's newest version: ${reasonOf(error)}`),
    onAway: (site) => store.setAway(site),
    onCurrent: (site) => store.setBehind(site, undefined),
    onFailure,
  })
}

export interface JoinedWith {
  barrier: ReadBarrier
  connections: Connections
  catalog: Catalog
  store: Store
  onJoining: (what: string, fields: object) => void
}

/** Reports the progress of a starting node. */
export function openJoining({ barrier, connections, catalog, store, onJoining }: JoinedWith): Joining {
  return new Joining({
    sitesBehind: () =>
      barrier.hasPolled()
        ? [...barrier.sitesBehind()].flatMap((id) => catalog.sites.findOfAnyState(id) ?? [])
        : undefined,
    entriesBehind: (sites) =>
      countEntriesAfter(
        connections,
        sites.map((site) => ({ id: site.id, head: store.headIfReadable(site) })),
      ),
    refusedSites: () => store.troubles.list().filter(({ kind }) => kind === 'behind').length,
    say: onJoining,
  })
}

/** Returns the first line of the error in the thread that replays. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ServiceError ? (error.cause ?? error) : error
  return (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0] ?? ''
}
