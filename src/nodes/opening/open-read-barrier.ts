// Connects a node's read barrier with the store that it updates, and with the progress reports of a joining node.

import type { NodeCatalog } from '../catalog/node-catalog.js'
import { ServiceError } from '../../model/errors.js'
import { countEntriesAfter, Joining } from '../joining.js'
import { ReadBarrier } from '../read-barrier.js'
import type { Primary } from '../primary.js'
import type { Signers } from '../signers.js'
import type { Connections } from '../postgres/connections.js'
import { placeIdOf } from '../../repository/protocol/site-place.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { headIfReadable, isAt } from '../../repository/refs-here.js'
import type { Store } from '../../repository/store.js'

export interface BarrierParts {
  primary: Primary
  shared: NodeCatalog
  signers: Signers
  store: Store
  listener: NodeListener
}

/** Hears of what other nodes begin and end. */
export interface NodeListener {
  /** Called once the branch of a change request is here. */
  onBegun: (request: SiteRef) => void
  /** Called once a site or a change request is gone here: nothing of it is read any more. */
  onEnded: (site: SiteRef) => void
}

/** `onFailure` is called when PostgreSQL does not answer. */
export function openReadBarrier(
  { primary, shared, signers, store, listener }: BarrierParts,
  onFailure: (error: unknown) => void,
): ReadBarrier {
  return new ReadBarrier({
    moves: (since) => primary.pollMoves(since),
    followCatalog: ({ mark }) => shared.follow(mark),
    followSigners: (mark) => signers.follow(mark),
    siteOf: (id) => shared.catalog.sites.findOfAnyState(id),
    isAt: (site, refs) => isAt(store.repositories, site, refs),
    async follow(site) {
      const isHere = () => headIfReadable(store.repositories, site) !== undefined
      const wasHere = isHere()
      await store.follow(site)
      if (site.request !== undefined && !wasHere && isHere()) listener.onBegun(site)
    },
    onEnded(site) {
      store.reader.close(site)
      listener.onEnded(site)
    },
    onStalled: (site, error) => store.setBehind(site, stallOf(site, error)),
    onAway: (site) => store.reader.refused.setBehind(site, true),
    onCurrent: (site) => store.setBehind(site, undefined),
    onFailure,
  })
}

function stallOf({ request }: SiteRef, error: unknown): string {
  const what =
    request === undefined ? "the site's newest version" : `the newest version of the change request ${request}`
  return `This node cannot fetch ${what}: ${reasonOf(error)}`
}

export interface JoinedWith {
  barrier: ReadBarrier
  connections: Connections
  store: Store
  onJoining: (what: string, fields: object) => void
}

/** Reports the progress of a starting node. */
export function openJoining({ barrier, connections, store, onJoining }: JoinedWith): Joining {
  return new Joining({
    behind: () => (barrier.hasPolled() ? barrier.listBehind() : undefined),
    entriesBehind: (behind) =>
      countEntriesAfter(
        connections,
        behind.map((site) => ({ id: placeIdOf(site), head: headIfReadable(store.repositories, site) })),
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
