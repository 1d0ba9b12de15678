// Manages the keys that sign commits on all nodes, for an operator's command on one of them.

import { hostname } from 'node:os'
import type { Signer } from '../../git/objects/commit-signature.js'
import { type KnownSigner, listSigners, shareSigners } from '../signers.js'
import { Connections, type Session } from '../postgres/connections.js'
import { parseDatabaseUrl } from '../postgres/database-url.js'

export interface SignersOfNodes {
  list(): Promise<KnownSigner[]>
  /** Shares these signers with all nodes, and writes all known ones into this node's folder. Throws WritesUnsafe. */
  share(signers: readonly Signer[]): Promise<void>
  /** The database's time, by which commits are dated, in seconds since the epoch. */
  now(): Promise<number>
}

/** Runs the work with the signers. Needs the tables that a started node has made. Throws DatabaseUnavailable. */
export async function withSignersOfNodes<T>(
  url: string,
  { dataDir, isFenced }: { dataDir: string; isFenced: boolean },
  work: (signers: SignersOfNodes) => Promise<T>,
): Promise<T> {
  const connections = new Connections(parseDatabaseUrl(url, isFenced), 1)
  try {
    return await work({
      list: () => listSigners(connections),
      async share(signers) {
        // Refuses before anything is shared.
        await connections.write(async () => undefined)
        await shareSigners(connections, dataDir, hostname(), signers)
      },
      now: () => connections.use((session) => readTime(session)),
    })
  } finally {
    await connections.close()
  }
}

async function readTime(session: Session): Promise<number> {
  const { rows } = await session.query<{ time: string }>('SELECT extract(epoch FROM clock_timestamp())::bigint AS time')
  return Number(rows[0]?.time)
}
