// The messages between the serving thread and the threads that read for visitors.

import type { Trouble } from '../../../repository/protocol/trouble.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import type { SharedTree } from '../../../repository/protocol/writer-messages.js'
import type { Failure } from '../../../threads/messages.js'
import type { READS } from './reads.js'

/** A thread's `workerData`. */
export interface ReaderThreadData {
  dataDir: string
  /** Whether there are indexes, which know long histories. */
  hasIndex: boolean
  /** The most bytes that are read for one request; no limit without it. */
  maxBytes: number | undefined
}

type Reads = typeof READS
export type ReadName = keyof Reads
export type ReadInput<N extends ReadName> = Parameters<Reads[N]>[1]
export type ReadOutput<N extends ReadName> = ReturnType<Reads[N]>

export interface ReadRequest {
  read: ReadName
  input: ReadInput<ReadName>
}

export type ReaderAnswer = {
  /** Faults of the repository that were found on the way. */
  troubles: readonly Trouble[]
} & (
  | { output: ReadOutput<ReadName> }
  | { failure: Failure }
  /** The read exceeds the thread's limit. */
  | { isTooLong: true }
  /** The history is not indexed far enough. */
  | { isBehind: true }
)

export interface ReaderProtocol {
  request: ReadRequest | { remember: readonly SharedTree[]; site: SiteRef } | { forget: SiteRef }
  answer: ReaderAnswer
  event: never
}
