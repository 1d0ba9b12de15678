// The limits of work that no client waits for. Nobody hears of them: past one, the work is done later.

import { type GateRow, NEVER } from './row.js'

const LATER = { maxWaiting: Number.POSITIVE_INFINITY, refusal: NEVER } as const

/** A push that takes longer lets others begin. */
const STARTING_MS = 5_000

/** Time for which one job of a thread runs before the next one has its turn. */
export const JOB_TURN_MS = 5

export const BACKGROUND_GATES = {
  mirrors: {
    what: 'mirrors that are compared with their sites, or pushed to',
    owner: 'workspace',
    atOnce: () => 32,
    each: 2,
    ...LATER,
    heard: 'nobody: the mirror follows later. Those that failed take turns with the others',
  },
  'starting-pushes': {
    what: `pushes to mirrors in their first ${STARTING_MS / 1000} s`,
    owner: 'workspace',
    atOnce: () => 8,
    each: 8,
    lasts: STARTING_MS,
    ...LATER,
    heard: 'nobody: the push begins later. One to a remote that hangs delays others no longer than that',
  },
  maintenance: {
    what: 'repositories that git repacks, each again after 30 s at the earliest',
    owner: 'workspace',
    atOnce: () => 1,
    each: 1,
    ...LATER,
    heard: 'nobody: the repository keeps more packs until then',
  },
} as const satisfies Readonly<Record<string, GateRow>>
