// The gates: how much goes on at once, for whom, and what a client hears that finds no place.

import type { GateRule } from './gate.js'
import { BACKGROUND_GATES } from './background-rows.js'
import { busy, full, type GateRow, MIB, NEVER, type Sizes } from './row.js'

/** Memory of `Sizes` for one clone or fetch at once. */
const BYTES_A_FETCH = 32 * MIB

export const GATES = {
  // Each open connection has at most one request that waits.
  requests: {
    what: 'requests begun in one turn of the event loop',
    owner: 'client address, and then credential',
    atOnce: () => 8,
    each: 8,
    lasts: 'turn',
    maxWaiting: Number.POSITIVE_INFINITY,
    refusal: NEVER,
  },
  turn: {
    what: 'requests of the API, the tools and git begun in one turn of the event loop',
    owner: 'workspace',
    atOnce: () => Number.POSITIVE_INFINITY,
    each: 1,
    lasts: 'turn',
    maxWaiting: 1000,
    refusal: full('This workspace has too many waiting requests. Try again in a second.'),
    wait: 'turn',
  },
  tasks: {
    what: 'tasks: edits, templates, searches, lists, differences, schemas',
    setting: 'TASK_PROCESSES',
    owner: 'workspace',
    atOnce: ({ taskProcesses }) => taskProcesses,
    each: 'all but one',
    maxWaiting: 200,
    // After a longer wait, a client or a proxy has given up and sent the request again.
    maxWaitMs: 20_000,
    refusal: full('This workspace has too many waiting tasks. Try again in a second.'),
    wait: 'tasks',
  },
  'long-tasks': {
    what: 'long tasks: deploys',
    owner: 'workspace',
    atOnce: () => 2,
    each: 'all but one',
    maxWaiting: 200,
    maxWaitMs: 60_000,
    refusal: full('This workspace has too many waiting long tasks. Try again in a second.'),
    wait: 'tasks',
  },
  writes: {
    what: 'writes that wait or are made',
    owner: 'site',
    atOnce: () => Number.POSITIVE_INFINITY,
    each: 1024,
    maxWaiting: 0,
    refusal: full('Too many writes wait for this site. Try again in a second.'),
  },
  files: {
    what: 'files above 1 MiB that the API sends',
    owner: 'workspace',
    atOnce: () => 32,
    each: 'half',
    maxWaiting: 100,
    maxWaitMs: 1000,
    refusal: busy('Too many large files are read at once. Try again in a few seconds.'),
    wait: 'streams',
  },
  'streams-of-site': {
    what: 'hosted files that are streamed: above 16 MiB, or for which there is no memory',
    owner: 'site',
    atOnce: () => 64,
    each: 16,
    maxWaiting: 0,
    refusal: busy('Too many large files are being downloaded at once. Try again in a few seconds.', 5),
  },
  'streams-of-address': {
    what: 'the same files',
    owner: 'client address',
    atOnce: () => 64,
    each: 8,
    maxWaiting: 0,
    refusal: busy('Too many large files are being downloaded at once. Try again in a few seconds.', 5),
  },
  pieces: {
    what: 'pieces of long hosted bodies sent in one turn of the event loop',
    owner: 'client address',
    atOnce: () => 1,
    each: 1,
    lasts: 'turn',
    maxWaiting: Number.POSITIVE_INFINITY,
    refusal: NEVER,
  },
  'git-fetches': {
    what: 'clones and fetches, unless there is nothing new',
    setting: 'MEMORY_BYTES',
    owner: 'workspace',
    atOnce: ({ memoryBytes }) => Math.max(2, Math.floor(memoryBytes / BYTES_A_FETCH)),
    each: 'half',
    maxWaiting: 100,
    maxWaitMs: 2000,
    refusal: busy('Too many clones and fetches are served at once. Try again shortly.', 2),
  },
  'git-pushes': {
    what: 'pushes: each has a program of git',
    owner: 'workspace',
    atOnce: () => 16,
    each: 'half',
    maxWaiting: 100,
    maxWaitMs: 10_000,
    refusal: busy('Too many pushes are received at once. Push again shortly.', 2),
  },
  deploys: {
    what: 'changes of one open deploy: uploads, publishing, removal',
    owner: 'deploy',
    atOnce: () => Number.POSITIVE_INFINITY,
    each: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    refusal: NEVER,
  },
  'fetched-files': {
    what: 'files fetched by URL',
    owner: 'workspace',
    atOnce: () => 32,
    each: 'half',
    maxWaiting: 0,
    refusal: busy('Too many files are fetched at once. Try again in a few seconds.', 5),
  },
  'client-documents': {
    what: 'documents of programs that are fetched',
    owner: 'client address (IPv6: /48)',
    atOnce: () => 32,
    each: 4,
    maxWaiting: 20,
    maxWaitMs: 5000,
    refusal: busy('Too many programs are looked up at once. Try again in a few seconds.', 5),
  },
  imports: {
    what: 'imports of repositories',
    owner: 'workspace',
    atOnce: () => 4,
    each: 'half',
    maxWaiting: 20,
    refusal: {
      status: 409,
      code: 'too_many_imports',
      message: '20 imports of this workspace are under way: wait for one to end.',
      retryAfterSeconds: 60,
    },
  },
  introspection: {
    what: 'concurrent token introspections (RFC 7662)',
    owner: 'everybody',
    atOnce: () => 32,
    each: 32,
    maxWaiting: 0,
    refusal: {
      status: 503,
      code: 'identity_provider_down',
      message: 'The identity provider could not check this token. Try again in a few seconds.',
      retryAfterSeconds: 1,
    },
  },
  'sign-ins': {
    what: 'sign-ins that identity providers are asked about',
    owner: 'identity provider',
    atOnce: () => 32,
    each: 'half',
    maxWaiting: 0,
    refusal: {
      status: 503,
      code: 'identity_provider_down',
      message: 'Too many people sign in at this moment. Try again in a few seconds.',
      retryAfterSeconds: 1,
    },
  },
  ...BACKGROUND_GATES,
} as const satisfies Readonly<Record<string, GateRow>>

export type GateName = keyof typeof GATES

/** Returns the rule of a gate for a process of these sizes. */
export function ruleOf(name: GateName, sizes: Sizes): GateRule {
  const row: GateRow = GATES[name]
  const atOnce = row.atOnce(sizes)
  return { ...row, atOnce, each: row.each === 'all but one' ? atOnce - 1 : row.each }
}
