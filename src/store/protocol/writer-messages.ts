// What the serving thread and a writer thread say to each other.

import type { Failure } from './failure.js'
import type { Drafted, SiteRef, Write, Written } from './write.js'

export type WriterRequest =
  | { type: 'write'; ticket: number; site: SiteRef; write: Write }
  /** Builds the write and keeps nothing of it; it waits for no other. */
  | { type: 'draft'; ticket: number; site: SiteRef; write: Write }
  | { type: 'create'; ticket: number; site: SiteRef; time: number }
  /** Verifies configuration and hooks, and clears what a crash left behind. */
  | { type: 'open'; ticket: number; site: SiteRef }
  /** Closes what is open of a site, so that its folder can be moved. */
  | { type: 'forget'; ticket: number; site: SiteRef }
  | { type: 'keep-lost'; ticket: number; site: SiteRef; commit: string }

export type WriterReply = { ticket: number } & (
  | { written: Written }
  | { drafted: Drafted }
  | { failure: Failure }
  | { done: true }
)

/** All answers of a batch at once, so that the serving thread takes them up together. */
export interface BatchReply {
  batch: WriterReply[]
  site: SiteRef
  trees: SharedTree[]
}

/** A large folder that a batch made, in memory that both threads see: nobody reads and hashes it again. Never written to. */
export interface SharedTree {
  oid: string
  bytes: Uint8Array
}

/** Said without being asked: the site has so many packs that it should be maintained. */
export interface MaintenanceDue {
  maintenanceDue: SiteRef
}

export interface WriterSettings {
  dataDir: string
  /** Bytes of free space below which writes are refused. */
  diskReserveBytes: number
}
