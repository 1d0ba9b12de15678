// The messages between the serving thread and a writer thread.

import type { Waits } from '../../admission/waits.js'
import type { MainMove, TagMove } from './ref-moves.js'
import type { CommitOutcome } from './repository.js'
import type { SiteRef, Write } from './write.js'
import type { Drafted, Written } from './written.js'

export type WriterRequest =
  | { type: 'write'; site: SiteRef; write: Write }
  /** Builds the write and stores nothing; waits for no other write. */
  | { type: 'draft'; site: SiteRef; write: Write }
  /** Moves main to the pushed commits; waits for the batch in progress, and for no other write. */
  | { type: 'move-main'; site: SiteRef; move: MainMove }
  /** Moves tags in the site's log; waits for the batch in progress, and for no other write. */
  | { type: 'move-tags'; site: SiteRef; move: TagMove }
  /** Keeps main still for a push; see `WritableRepository.expectPush`. */
  | { type: 'expect-push'; site: SiteRef }
  | { type: 'create'; site: SiteRef; time: number }
  /** Makes the branch of a change request. */
  | { type: 'begin-request'; site: SiteRef; fork: string; time: number }
  /** Removes the branch of a change request; waits for the batch in progress. */
  | { type: 'end-request'; site: SiteRef }
  /** Makes the repository at `gitdir` the site's. */
  | { type: 'adopt'; site: SiteRef; gitdir: string }
  /** Verifies configuration and hooks, and removes leftovers of a crash. */
  | { type: 'open'; site: SiteRef }
  /** Makes main survive a power cut; waits for the batch in progress, and for no other write. */
  | { type: 'settle'; site: SiteRef }
  /** Brings the repository to the commits of other machines; waits for the batch in progress, and for no other write. */
  | { type: 'follow'; site: SiteRef }
  /** Answers the waiting writes of a deleted site with `site_not_found`, and takes its repository away. */
  | { type: 'retire'; site: SiteRef }

/** The answers; each request gets the one of its type. */
export type WriterAnswer =
  | { written: Written; waits: Waits }
  | { drafted: Drafted }
  | { moved: CommitOutcome }
  | { heldIn: number }
  | { done: true }

/** The event before the writes of a batch are answered. */
export interface BatchEvent {
  site: SiteRef
  trees: SharedTree[]
  /** Whether the site has so many packs that it should be maintained. */
  isMaintenanceDue: boolean
}

export interface WriterProtocol {
  request: WriterRequest
  answer: WriterAnswer
  event: BatchEvent
}

/** A large folder that a batch made, in memory that both threads see, so that it is not read and hashed again. Never written to. */
export interface SharedTree {
  oid: string
  bytes: Uint8Array
  /** The folder before the batch. */
  previous?: string
}

export interface WriterSettings {
  dataDir: string
  /** Bytes of free space below which writes are refused. */
  diskReserveBytes: number
  /** The database with the logs of the sites; without it, repositories are on this machine alone. */
  log?: LogSettings | undefined
}

export interface LogSettings {
  url: string
  /** Whether the operator fences old primaries of the database (FENCED). */
  isFenced?: boolean
  /** The knowledge of all threads about the database's primary; they share it. */
  primary?: SharedArrayBuffer | undefined
  /** The number of writer threads that share this machine's connections. */
  threads: number
}
