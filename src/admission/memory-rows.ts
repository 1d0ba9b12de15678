// The classes of memory: their share of the whole, for whom, and what a client hears that finds no room.

import type { Refusal } from './refused.js'
import { busy, full, MIB, type Row } from './row.js'
import type { Wait } from './waits.js'

export interface MemoryRule {
  /** Milliseconds to wait for bytes that others give back; 0 for not at all. */
  maxWaitMs: number
  /** Said past that. */
  refusal: Refusal
  /** The name of the wait in `Server-Timing`. */
  wait?: Wait
}

export interface MemoryRow extends Row, MemoryRule {
  /** Sixteenths of the whole. */
  share: number
  /** Said instead of the refusal, in words. */
  heard?: string
}

const OF_MEMORY = 'MEMORY_BYTES'

export const MEMORY = {
  requests: {
    what: 'request bodies, pages being built, and responses above 64 KiB that clients have not read: API, tools and git',
    setting: OF_MEMORY,
    owner: 'workspace',
    share: 7,
    maxWaitMs: 2000,
    refusal: busy('Requests of this workspace hold too much memory. Read the answers, and try again in a second.'),
    wait: 'memory',
  },
  writes: {
    what: 'contents of waiting writes',
    setting: OF_MEMORY,
    owner: 'workspace',
    share: 3,
    maxWaitMs: 0,
    refusal: full('Too many bytes wait to be written. Try again in a second.'),
  },
  previews: {
    what: 'previews of dry runs',
    setting: OF_MEMORY,
    owner: 'workspace',
    share: 2,
    maxWaitMs: 0,
    refusal: busy('There is no room for this preview.'),
    heard: 'the workspace with most loses its least recently requested one; a larger one is not kept',
  },
  visitors: {
    what: 'hosted bodies from 256 KiB that visitors have not read, or that are being compressed',
    setting: OF_MEMORY,
    owner: 'client address',
    share: 4,
    maxWaitMs: 20_000,
    refusal: busy('Too many large files are being downloaded at once. Try again in a few seconds.', 5),
  },
} as const satisfies Readonly<Record<string, MemoryRow>>

export type MemoryClass = keyof typeof MEMORY

/** A class of its own: this memory is git's, and not of this process. */
export const REBUILT = {
  what: 'large files that git rebuilds from differences while they are sent, three times their size each',
  owner: 'site',
  bytes: 192 * MIB,
  maxWaitMs: 2000,
  refusal: {
    status: 503,
    code: 'site_busy',
    message: 'Too many large files that git stores as differences are being sent. Try again in a few seconds.',
    retryAfterSeconds: 2,
  },
  wait: 'memory',
} as const satisfies Row & MemoryRule & { bytes: number }
