// What several nodes that share a database tell one another of the imports under way: one node does each, and all show and end it.

import type { FetchProgress } from './fetch-remote.js'

export interface ImportProgress extends FetchProgress {
  /** `waiting` for its turn, `receiving` the pack, `checking` what came. */
  phase: 'waiting' | 'receiving' | 'checking'
}

export interface ImportsOfNodes {
  /** Tells the others of an import that this node does, until it is released. */
  begin(id: string, progress: () => ImportProgress, onUnwanted: () => void): Promise<{ release(): Promise<void> }>
  /** How far the node is that does it; undefined where none does, or the one that did has died. */
  progressOf(id: string): Promise<ImportProgress | undefined>
  /** Has the node end it that does it. Resolves once none does. */
  end(id: string): Promise<void>
  /** From then on the catalog has what any node wrote before the call. */
  follow(): Promise<void>
}
