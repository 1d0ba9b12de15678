// The table of all limits: one row for each gate, class of memory, rate limit and quota. It is shown in docs/configuration.md and by
// `GET /healthz?verbose=1`.

import { MAX_COMMENT_CHARACTERS } from '../model/limits.js'
import { JOB_TURN_MS } from './background-rows.js'
import { COMMENTS } from './comment-rows.js'
import { GATES } from './gate-rows.js'
import { MEMORY, type MemoryRow, REBUILT } from './memory-rows.js'
import { OPEN_REQUESTS, QUOTAS, SCHEDULE_AHEAD_DAYS } from './quotas.js'
import { RATES, type RateRow } from './rate-rows.js'
import { type GateRow, MIB, type Row, type Sizes } from './row.js'
import { MAX_KEPT_CHARACTERS, MAX_PARAMETER_CHARACTERS, MAX_UNFINISHED_ROWS } from './unfinished-rows.js'

/** A limit, in words. `setting` or `value` says how much. */
export interface LimitRow {
  name: string
  setting?: string
  value?: string
  /** Names the ones that are counted. */
  counts: string
  /** Says how the client is answered past it. */
  heard: string
}

/** Returns the rows for a process of these sizes. */
export function limitRows(sizes: Sizes): LimitRow[] {
  return [
    ...gateRows(sizes),
    ...memoryRows(sizes),
    ...rateRows(sizes),
    ...quotaRows(),
    ...requestRows(),
    SCHEDULE,
    ...commentRows(),
    ...CONNECTIONS,
    ...UNFINISHED,
    PICTURES,
    INDEX,
  ]
}

/** Limits of connections, which ask for no place: a client is cut off. */
const CONNECTIONS: readonly LimitRow[] = [
  {
    name: 'connections',
    setting: 'MAX_CONNECTIONS',
    value: 'connections that are open',
    counts: 'everybody; a tenth for one client address, except `TRUSTED_PROXIES`',
    heard: 'the connection is closed',
  },
  {
    name: 'slow-clients',
    setting: 'MIN_BYTES_PER_SECOND',
    value: 'bytes a second of a body or an answer',
    counts: 'each connection',
    heard: '408 `body_too_slow`, or the connection is closed',
  },
]

const SCHEDULE: LimitRow = {
  name: 'schedule-ahead',
  value: `${SCHEDULE_AHEAD_DAYS}: days until a change request is published`,
  counts: 'each change request',
  heard: '400 `invalid_body`',
}

/** Limits of what people without an account leave in the catalog. */
const UNFINISHED: readonly LimitRow[] = [
  {
    name: 'unfinished-rows',
    value: `${MAX_UNFINISHED_ROWS}: programs that registered, requests to connect one, and sign-ins that wait for a person`,
    counts: 'everybody',
    heard: 'nothing: the oldest of the client address (IPv6: /48) with the most are forgotten',
  },
  {
    name: 'unfinished-row',
    value: `${MAX_KEPT_CHARACTERS} characters: what is kept of such a request; ${MAX_PARAMETER_CHARACTERS} of one parameter`,
    counts: 'each request',
    heard: '400 `invalid_request` or `invalid_client_metadata`',
  },
]

/** Smaller forms of pictures. The gate `tasks` has the limits of making them. */
const PICTURES: LimitRow = {
  name: 'pictures',
  setting: 'PICTURE_CACHE_BYTES',
  value: 'bytes of smaller pictures on the disk',
  counts: 'all sites together',
  heard: 'nothing: the one that nobody asked for the longest is removed, and is made again when it is asked for',
}

/** The turns of jobs in the threads of the indexes and of search texts. */
const INDEX: LimitRow = {
  name: 'index',
  value: `${JOB_TURN_MS} ms: a turn of bringing one site's index or search text to its head, or of looking at many sites`,
  counts: 'site',
  heard: 'nobody: each goes on in its next turn',
}

function gateRows(sizes: Sizes): LimitRow[] {
  return Object.entries<GateRow>(GATES).map(([name, row]) => {
    const atOnce = row.atOnce(sizes)
    const most = Number.isFinite(atOnce) ? atOnce : row.each
    return {
      name,
      ...partsOf(row, `${most}: ${row.what}`),
      counts: `${row.owner}${shareOf(row, atOnce)}`,
      heard: heardOf(row),
    }
  })
}

function shareOf({ each }: GateRow, atOnce: number): string {
  if (each === 'half') return ': at most half of what others leave free'
  if (each === 'all but one') return ': all but one'
  return each < atOnce && Number.isFinite(atOnce) ? `: at most ${each}` : ''
}

function heardOf({ maxWaiting, maxWaitMs, refusal, heard }: GateRow): string {
  if (heard !== undefined) return heard
  if (!Number.isFinite(maxWaiting)) return 'nothing: each waits for its turn'
  const { status, code, retryAfterSeconds } = refusal
  const answer = `${status} \`${code}\`, \`Retry-After: ${retryAfterSeconds}\``
  if (maxWaiting === 0) return answer
  const time = maxWaitMs === undefined ? '' : ` or after ${maxWaitMs / 1000} s`
  return `where ${maxWaiting} wait${time}: ${answer}`
}

function memoryRows({ memoryBytes }: Sizes): LimitRow[] {
  const shared = Object.entries<MemoryRow>(MEMORY).map(([name, row]) =>
    memoryRow(name, row, `${row.share}/16, ${mebibytes((memoryBytes * row.share) / 16)}`),
  )
  return [...shared, memoryRow('rebuilt', REBUILT, mebibytes(REBUILT.bytes))]
}

function memoryRow(name: string, row: Omit<MemoryRow, 'share'>, bytes: string): LimitRow {
  const { status, code, retryAfterSeconds } = row.refusal
  const wait = row.maxWaitMs === 0 ? '' : `after ${row.maxWaitMs / 1000} s, or where 32 wait: `
  return {
    name: `memory-of-${name}`,
    ...partsOf(row, `${bytes}: ${row.what}`),
    counts: `${row.owner}: at most half of what others leave free`,
    heard: row.heard ?? `${wait}${status} \`${code}\`, \`Retry-After: ${retryAfterSeconds}\``,
  }
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / MIB)} MiB`
}

function rateRows(sizes: Sizes): LimitRow[] {
  return Object.entries<RateRow>(RATES).map(([name, row]) => {
    const quota = row.perMinute(sizes)
    const most = quota === 0 ? 'any number' : `${quota}`
    return {
      name: `rate-of-${name}`,
      ...partsOf(row, `${most} in a minute: ${row.what}`),
      counts: row.owner,
      heard: '429 with `Retry-After`',
    }
  })
}

function quotaRows(): LimitRow[] {
  return QUOTAS.map(({ name, setting, what, status, code }) => ({
    name: `quota-of-${name}`,
    setting,
    value: what,
    counts: 'workspace; it may have its own quota',
    heard: `${status} \`${code}\``,
  }))
}

function requestRows(): LimitRow[] {
  return Object.values(OPEN_REQUESTS).map(({ name, quota, counts }) => ({
    name,
    value: `${quota}: open change requests`,
    counts,
    heard: '409 `too_many_change_requests`',
  }))
}

function commentRows(): LimitRow[] {
  const rows = Object.values(COMMENTS).map(({ name, quota, value, counts }) => ({
    name,
    value: `${quota}: ${value}`,
    counts,
    heard: '409 `too_many_comments`',
  }))
  const size = `${MAX_COMMENT_CHARACTERS} characters`
  return [...rows, { name: 'comment', value: size, counts: 'each comment', heard: '400 `invalid_body`' }]
}

function partsOf({ setting }: Row, value: string): Pick<LimitRow, 'setting' | 'value'> {
  return setting === undefined ? { value } : { setting, value }
}
