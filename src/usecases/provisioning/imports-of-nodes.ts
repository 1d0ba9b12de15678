// The imports under way, shared between nodes on one database: one node does each import, and all nodes show and end it.

import type { FetchProgress } from './fetch-remote.js'

export interface ImportProgress extends FetchProgress {
  /** `waiting` for its turn, `receiving` the pack, `checking` the objects. */
  phase: 'waiting' | 'receiving' | 'checking'
}

export interface ImportsOfNodes {
  /** Tells the others of an import that this node does, until it is released. */
  begin(id: string, progress: () => ImportProgress, onUnwanted: () => void): Promise<{ release(): Promise<void> }>
  /** Returns the progress of the import; undefined if no live node is running it. */
  progressOf(id: string): Promise<ImportProgress | undefined>
  /** Tells the node that runs the import to end it. Resolves once no node runs it. */
  end(id: string): Promise<void>
  /** Resolves once the catalog has what any node wrote before the call. */
  follow(): Promise<void>
}
