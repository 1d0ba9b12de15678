// The messages between the serving thread and a writer thread.

import type { Waits } from '../../admission/waits.js'
import type { Push, TagMove } from './push.js'
import type { Drafted, SiteRef, Write, Written } from './write.js'

export type WriterRequest =
  | { type: 'write'; site: SiteRef; write: Write }
  /** Builds the write and keeps nothing of it; it waits for no other. */
  | { type: 'draft'; site: SiteRef; write: Write }
  /** Moves main to what was pushed; it waits for the batch that is being made, and for no other write. */
  | { type: 'push'; site: SiteRef; push: Push }
  /** Moves tags on a node; it waits for the batch that is being made, and for no other write. */
  | { type: 'move-tags'; site: SiteRef; move: TagMove }
  /** Main holds still for a push; see `WritableRepository.expectPush`. */
  | { type: 'expect-push'; site: SiteRef; isComingIn: boolean }
  | { type: 'create'; site: SiteRef; time: number }
  /** The repository at `gitdir` becomes the site's. */
  | { type: 'adopt'; site: SiteRef; gitdir: string }
  /** Verifies configuration and hooks, and clears what a crash left behind. */
  | { type: 'open'; site: SiteRef }
  /** Makes what main names survive a power cut; it waits for the batch that is being made, and for no other write. */
  | { type: 'settle'; site: SiteRef }
  /** Brings the repository to what other machines committed; it waits for the batch that is being made, and for no other write. */
  | { type: 'follow'; site: SiteRef }
  /** Answers the writes of a deleted site that wait with `site_not_found`, and takes its repository away. */
  | { type: 'retire'; site: SiteRef }
  | { type: 'keep-lost'; site: SiteRef; commit: string }

/** Each request is answered by what its type asks for. */
export type WriterAnswer =
  | { written: Written; waits: Waits }
  | { drafted: Drafted }
  | { pushed: 'done' | 'moved' }
  | { heldIn: number }
  | { done: true }

/** Said before the writes of a batch are answered. */
export interface BatchEvent {
  site: SiteRef
  trees: SharedTree[]
  /** The site has so many packs that it should be maintained. */
  isMaintenanceDue: boolean
}

export interface WriterProtocol {
  request: WriterRequest
  answer: WriterAnswer
  event: BatchEvent
}

/** A large folder that a batch made, in memory that both threads see: nobody reads and hashes it again. Never written to. */
export interface SharedTree {
  oid: string
  bytes: Uint8Array
}

export interface WriterSettings {
  dataDir: string
  /** Bytes of free space below which writes are refused. */
  diskReserveBytes: number
  /** Where the logs of the sites are; without one, repositories are on this machine alone. */
  log?: LogSettings | undefined
}

export interface LogSettings {
  url: string
  /** Whether the operator fences (FENCED). */
  isFenced?: boolean
  /** What all threads know of the database's primary; they share it. */
  primary?: SharedArrayBuffer | undefined
  /** How many writer threads share the connections of this machine. */
  threads: number
}
